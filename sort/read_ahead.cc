#include "sort/read_ahead.h"

namespace postroom::sorting {
namespace {

// Of AMD's family 19h only those have AVX-512.
bool is_zen4() noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

}  // namespace

const std::size_t read_ahead_bytes = is_zen4() ? 0 : 8192;

}  // namespace postroom::sorting
