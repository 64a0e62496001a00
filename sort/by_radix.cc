#include "sort/by_radix.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

#include "collectives/algorithm.h"
#include "numa/available_memory.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/processor.h"
#include "sort/blocks.h"
#include "sort/engine/lease.h"
#include "sort/radix_sort.h"

namespace postroom::sorting {
namespace {

Algorithm route_algorithm(SortAlgorithm algorithm) {
  switch (algorithm) {
    case SortAlgorithm::radix_two_transpose:
      return Algorithm::two_transpose;
    case SortAlgorithm::radix_one_phase:
      return Algorithm::one_phase;
    default:
      return Algorithm::direct;
  }
}

// Before anything is started: where they do not fit, the system would end some process.
void check_fits(const SortOptions& options) {
  constexpr std::uint64_t kFew = 256;  // not worth a look
  const auto processors = static_cast<std::uint64_t>(
      options.machine != nullptr ? options.machine->processors() : options.processors);
  if (processors <= kFew) return;
  // 1,024 processors that sorted 100 keys took 2.0 GB, 1.4 by two rounds, and 0.2 by transposes.
  const bool transposes = route_algorithm(options.algorithm) == Algorithm::two_transpose;
  const std::uint64_t pair_bytes = transposes ? 256 : 2048;
  const std::uint64_t available = available_memory_bytes();
  if (processors * processors <= available / pair_bytes) return;
  throw std::invalid_argument(
      "processors: " + std::to_string(processors) + " is not allowed with this algorithm; 1 to " +
      std::to_string(
          static_cast<std::uint64_t>(std::sqrt(static_cast<double>(available / pair_bytes)))) +
      ": each pair of them takes " + std::to_string(pair_bytes) + " bytes, and " +
      std::to_string(available >> 20) + " MiB are available");
}

// On the machine of the lease, or on one of a single processor, which is no thread but this one.
void run(const SortOptions& options, std::size_t records, const Machine::Program& program) {
  constexpr std::size_t kNeverAlone = 0;
  check_fits(options);
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
    radix_sort(self, blocks, own, &Row::key, {.algorithm = route_algorithm(options.algorithm)});
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
