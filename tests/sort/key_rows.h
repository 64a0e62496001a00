// Bare keys as the parts of the engine take them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sort/keys.h"
#include "sort/layout.h"

namespace postroom::sorting {

template <class Key>
using Keys = Rows<sizeof(Key), WholeKeyOf<Key>>;

template <class Key>
Keys<Key> rows_of(std::vector<Key>& keys, bool descending = false) {
  return {std::as_writable_bytes(std::span(keys)).data(),
          {flip_mask<KeyBits<Key>>(is_signed_key<Key>(), descending)}};
}

}  // namespace postroom::sorting
