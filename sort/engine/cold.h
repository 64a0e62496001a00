// Scratch that nobody has touched yet: its pages are made present before they are written.
//
// Copying into them would do that too, page by page, and not notice where huge ones come slowly
// (numa/memory.h). Cost: that of touch_pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "numa/memory.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

/// One processor's share of `cold`.
inline void touch_share(const Steps& steps, std::span<std::byte> cold) {
  const Range own = steps.share(0, cold.size());
  if (own.begin < own.end) touch_pages(cold.subspan(own.begin, own.end - own.begin));
}

/// What of `cold` lies in [begin, end). Precondition: `end` is not beyond that of `cold`, unless
/// there is none.
inline void touch_between(std::byte* begin, std::byte* end, std::span<std::byte> cold) {
  begin = std::max(begin, cold.data());
  if (!cold.empty() && begin < end) touch_pages({begin, end});
}

}  // namespace postroom::sorting
