#include "sort/by_radix.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>

#include "collectives/route.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
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

void number(std::span<NumberedKey> own, std::size_t first, const KeyReader& read_keys) {
  std::array<std::uint64_t, 512> keys;
  for (std::size_t done = 0; done < own.size();) {
    const std::size_t some = std::min(keys.size(), own.size() - done);
    read_keys(first + done, first + done + some, keys.data());
    for (std::size_t i = 0; i < some; ++i) own[done + i] = {keys[i], first + done + i};
    done += some;
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

}  // namespace

void sort_by_radix(std::span<NumberedKey> pairs, const KeyReader& read_keys,
                   const SortOptions& options, const std::function<void(Processor&)>& then) {
  run(options, pairs.size(), [&](Processor& self) {
    const BlockDistribution blocks(pairs.size(), self.count());
    const std::size_t first = blocks.first(self.id());
    const auto own = pairs.subspan(first, blocks.size(self.id()));
    number(own, first, read_keys);
    radix_sort(self, blocks, own, &NumberedKey::key, {.router = router_of(options.algorithm)});
    self.barrier();  // nothing can fail any more
    then(self);
  });
}

}  // namespace postroom::sorting
