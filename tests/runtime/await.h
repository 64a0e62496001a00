// How the threads of interleaving tests wait for a word.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/parker.h"
#include "tests/interleave/checked.h"

namespace postroom {

enum class Look { kSpin, kPark };

/// Until `word`, loaded with `load`, has reached `value`; who changes it wakes `parker`.
template <class Word>
void await(const Word& word, std::uint32_t value, Look look, std::memory_order load,
           Parker<interleave::Checked>& parker) {
  while (!reached(word.load(load), value)) {
    if (look == Look::kSpin) {
      interleave::Checked::yield();
      continue;
    }
    parker.prepare();
    if (reached(word.load(load), value)) {
      parker.cancel();
    } else {
      parker.park();
    }
  }
}

}  // namespace postroom
