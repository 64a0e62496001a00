#include "sort/vectors/read_ahead.h"

#include "numa/cpu_model.h"

namespace postroom::sorting {

// By strips, on a Zen 4, where the host made figures differ by a third from run to run: 10^7 pairs
// of u64 that are alike on one core 0.51 to 0.58 ns each, on and on 0.66 to 0.71; on two 0.48 to
// 0.51 and 0.50 to 0.52; keys of 64 bits alone 0.24 to 0.26 and 0.28 to 0.34 on one. By four strips
// instead of eight less is won. 10^6 pairs of u32, which are in a cache: 0.11 by strips, 0.08 on
// and on.
//
// 10^7 records in order are read in a fifth less time on a Zen 3. On a Zen 5, asked and not: 0.2
// and 0.25 ns a pair of u32, 0.4 and 0.45 a pair of u64. A Zen 4 reads slower where it is asked:
// 10^7 pairs of u64 0.75 and 0.65 ns on one core, 0.55 and 0.50 on two.
const std::size_t read_ahead_bytes = is_zen4() ? 0 : 8192;

// On a Zen 5, by strips and on and on, 10^7 on one core: in order u32 0.113 and 0.087 ns, u64 0.21
// and 0.21, double 0.22 and 0.19; alike u32 0.094 and 0.075, double 0.21 and 0.18; in reverse,
// turned by 32 KiB, u32 0.23 and 0.19, u64 0.51 and 0.43, pairs of u32 0.47 and 0.39, of u64 1.0
// and 0.85. Pairs in order that are only read 0.21 and 0.22, 0.44 and 0.48.
const Reading key_reading = is_zen4() ? Reading::kByStrips : Reading::kOnAndOn;

// Rows in order, one processor and two of which one has nothing in its caches, ms: 16 MB 0.29
// and 0.45, 24 MB the same (AMD Zen 4), 16 MB 0.14 and 0.27 (Zen 5); 16 MB 0.60 and 0.40, 8 MB 0.30
// and 0.22, 2.4 MB 0.08 and 0.067, 1.2 MB 0.017 and 0.045 (Intel Granite Rapids).
const std::size_t read_alone_bytes = is_intel() ? std::size_t{1} << 21 : std::size_t{1} << 24;

}  // namespace postroom::sorting
