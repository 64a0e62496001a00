#include "sort/engine/written_line.h"

#include "numa/cpu_model.h"

namespace postroom::sorting {

// While GCC left out much of what is asked for (numa/prefetch.h), so less than it is worth. Intel
// Granite Rapids, one core, not asked and asked, ns: 10^5 uniform u64 4.2 and 3.3, u32 2.9
// and 2.6, double 5.3 and 4.7. With the networks of before, too, which are slower there: 10^6 pairs
// of u32 6.5 and 5.3; 10^7 12.3 and 10.0, of u64 20.5 and 19.3. For the written line in place of
// the one behind: 13.9 and 20.1.
const bool asks_for_written_line = is_intel();

}  // namespace postroom::sorting
