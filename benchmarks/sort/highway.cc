// Highway's vectorised quicksort of Debian's package, with vectors no wider than Postroom's.

// Its headers refuse some of the CPUs that this may be compiled for, as which its library never
// was.
#define HWY_BASELINE_TARGETS HWY_SCALAR
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include "benchmarks/sort/vqsort.h"
#include "numa/vectors.h"

namespace postroom::benchmarks {
namespace {

bool keep_from_wider_vectors() {
  if (!uses_avx512()) hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
  if (!uses_avx2()) hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2);
  return true;
}

const bool kAdded =
    keep_from_wider_vectors() && add_vqsort("vqsort", [](auto* keys, std::size_t size) {
      hwy::Sorter()(keys, size, hwy::SortAscending());
    });

}  // namespace
}  // namespace postroom::benchmarks
