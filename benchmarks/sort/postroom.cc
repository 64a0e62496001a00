// Postroom: with as many processors as the box gives, and with one.
#include <span>

#include "benchmarks/sort/cells.h"
#include "sort/sort.h"

namespace postroom::benchmarks {
namespace {

const bool kAdded =
    add_to_all_cells("postroom", [](auto keys) { sort(keys); }) &&
    add_to_all_cells("postroom_one", [](auto keys) { sort(keys, {.processors = 1}); });

}  // namespace
}  // namespace postroom::benchmarks
