#include "sort/read_ahead.h"

#include "numa/cpu_model.h"

namespace postroom::sorting {

const std::size_t read_ahead_bytes = is_zen4() ? 0 : 8192;

}  // namespace postroom::sorting
