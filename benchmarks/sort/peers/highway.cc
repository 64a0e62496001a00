// Highway's vectorised quicksort, from the folder of its sources (1.3 and newer), for the vectors
// of this CPU.
#define VQSORT_ONLY_STATIC 1
#include <hwy/contrib/sort/vqsort-inl.h>

#include "benchmarks/sort/vqsort.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded = add_vqsort("new_vqsort", [](auto* keys, std::size_t size) {
  hwy::HWY_NAMESPACE::VQSortStatic(keys, size, hwy::SortAscending());
});

}  // namespace
}  // namespace postroom::benchmarks
