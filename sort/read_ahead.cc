#include "sort/read_ahead.h"

#include "numa/cpu_model.h"

namespace postroom::sorting {

// By strips, on a Zen 4: 10^7 pairs of u64 that are in order on one core 0.58 ns each, on and on
// 0.83; on two 0.50 and 0.57; of u32 0.28 and 0.37, 0.20 and 0.25. By four strips instead of eight
// half as much is won. 10^6 pairs of u32, which are in a cache: 0.11 by strips, 0.08 on and on.
//
// 10^7 records in order are read in a fifth less time on a Zen 3. On a Zen 5, asked and not: 0.2
// and 0.25 ns a pair of u32, 0.4 and 0.45 a pair of u64. A Zen 4 reads slower where it is asked:
// 10^7 pairs of u64 0.75 and 0.65 ns on one core, 0.55 and 0.50 on two.
const std::size_t read_ahead_bytes = is_zen4() ? 0 : 8192;

}  // namespace postroom::sorting
