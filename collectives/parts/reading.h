// Whether to read what another processor has rather than to write into its memory.
//
// `shared` algorithms write results straight to where they belong, into lists that another
// processor has in its caches. On most CPUs that takes as long as reading does; where it takes
// several times as long (pushes_slowly, runtime/copy.h), two processors exchange lists by
// algorithms that read, until they are so large that they are written past the caches.
//
// Source: measured (docs/automatic.md). Cost: a comparison or two. Nothing throws.
#pragma once

#include <cstdint>

namespace postroom {

/// Of `processors` processors in shared memory and lists of `bytes` bytes, a result as a whole.
bool reads_sooner(int processors, std::int64_t bytes);

}  // namespace postroom
