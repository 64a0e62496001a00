// Memory that a collective needs for the length of a call.
//
// Not initialised, aligned to kAlignment. Up to kInlineBytes it lies in the object itself, so that
// collectives on small data allocate nothing.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/processor.h"

namespace postroom {

class Scratch {
 public:
  static constexpr std::size_t kInlineBytes = 512;
  static constexpr std::size_t kAlignment = 16;

  explicit Scratch(std::size_t bytes) : bytes_(bytes) {
    if (bytes > kInlineBytes) allocated_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Bytes bytes() noexcept { return {allocated_ ? allocated_.get() : inline_, bytes_}; }
  /// `count` bytes from `begin` on.
  Bytes bytes(std::size_t begin, std::size_t count) noexcept {
    return bytes().subspan(begin, count);
  }

 private:
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> allocated_;
  alignas(kAlignment) std::byte inline_[kInlineBytes];

  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= kAlignment);
};

}  // namespace postroom
