#include "sort/by_radix.h"

#include <cstddef>
#include <exception>

#include "collectives/route.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/processor.h"
#include "sort/blocks.h"
#include "sort/lease.h"
#include "sort/radix_sort.h"

namespace postroom::sorting {
namespace {

Router router_of(SortAlgorithm algorithm) {
  switch (algorithm) {
    case SortAlgorithm::radix_two_transpose:
      return Router::kTwoTranspose;
    case SortAlgorithm::radix_one_phase:
      return Router::kOnePhase;
    default:
      return Router::kDirect;
  }
}

// On the machine of the lease, or on one of a single processor, which is no thread but this one.
void run(const SortOptions& options, std::size_t records, const Machine::Program& program) {
  constexpr std::size_t kNeverAlone = 0;
  const Lease lease(options, records, kNeverAlone);
  try {
    if (lease.machine() != nullptr) {
      lease.machine()->run(program);
    } else {
      Machine({.processors = 1, .pin = false}).run(program);
    }
  } catch (const ProcessorError& error) {
    std::rethrow_exception(error.cause());
  }
}

template <class Row>
void sort_rows_by_radix(std::span<Row> rows, const SortOptions& options) {
  run(options, rows.size(), [&](Processor& self) {
    const BlockDistribution blocks(rows.size(), self.count());
    const auto own = rows.subspan(blocks.first(self.id()), blocks.size(self.id()));
    radix_sort(self, blocks, own, &Row::key, {.router = router_of(options.algorithm)});
  });
}

}  // namespace

void sort_by_radix(std::span<WideRow> rows, const SortOptions& options) {
  sort_rows_by_radix(rows, options);
}

void sort_by_radix(std::span<NarrowRow> rows, const SortOptions& options) {
  sort_rows_by_radix(rows, options);
}

}  // namespace postroom::sorting
