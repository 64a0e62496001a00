#include "numa/cpu_model.h"

namespace postroom {

bool is_zen4() noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
  // Of AMD's family 19h only those have AVX-512.
  return __builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

bool is_intel() noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_is("intel");
#else
  return false;
#endif
}

}  // namespace postroom
