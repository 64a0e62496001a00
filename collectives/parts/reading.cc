#include "collectives/parts/reading.h"

#include "collectives/parts/crowded.h"
#include "runtime/copy.h"

namespace postroom {

bool reads_sooner(int processors, std::int64_t bytes) {
  return processors == 2 && bytes < static_cast<std::int64_t>(kPushStreamBytes) &&
         pushes_slowly() && !crowded(processors);
}

}  // namespace postroom
