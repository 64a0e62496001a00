// Work on many records cut into one share for each processor.
//
// Who may call and what it costs: as for sort/sort.h. What the work throws on any processor reaches
// the caller, when all have ended.
//
//   Shares shares(n, options);
//   std::vector<std::size_t> counts(shares.count());
//   shares.run([&](Range own, std::size_t id) { … });
#pragma once

#include <cstddef>

#include "sort/arguments.h"
#include "sort/engine/config.h"
#include "sort/engine/failure.h"
#include "sort/engine/lease.h"
#include "sort/engine/team.h"
#include "sort/options.h"

namespace postroom::sorting {

class Shares {
 public:
  /// Of `size` records; up to `alone_records` are one share.
  Shares(std::size_t size, const SortOptions& options,
         std::size_t alone_records = SortConfig{}.alone_records)
      : size_(size), lease_((check_options(options), options), size, alone_records) {}

  std::size_t count() const noexcept { return lease_.processors(); }

  /// Runs work(own share, its number) on each processor.
  template <class Work>
  void run(const Work& work) {
    Failure failure;
    lease_.run([&](Team team) {
      failure.guard(1, [&] { work(share_of({0, size_}, team.id(), team.count()), team.id()); });
    });
    failure.rethrow();
  }

 private:
  std::size_t size_;
  Lease lease_;
};

}  // namespace postroom::sorting
