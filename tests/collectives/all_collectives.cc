#include "tests/collectives/all_collectives.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/alltoallv.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "runtime/errors.h"

namespace postroom {
namespace {

using List = std::vector<std::int64_t>;
using Counts = std::vector<std::size_t>;

std::int64_t bytes(std::size_t count) {
  return static_cast<std::int64_t>(count * sizeof(List::value_type));
}

std::string named(const char* operation, Algorithm algorithm) {
  return std::string(operation) + ' ' + to_string(algorithm);
}

void add_rooted(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : broadcast_algorithms()) {
    list.push_back({named("broadcast", algorithm), true, true,
                    [=](Processor& self, int root, std::size_t count) {
                      broadcast(self, root, List(count), algorithm);
                    },
                    [=](std::size_t count) { return broadcast_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : gather_algorithms()) {
    list.push_back({named("gather", algorithm), true, true,
                    [=](Processor& self, int root, std::size_t count) {
                      gather(self, root, List(count), List(count * self.count()), algorithm);
                    },
                    [=](std::size_t count) { return gather_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : scatter_algorithms()) {
    list.push_back({named("scatter", algorithm), true, true,
                    [=](Processor& self, int root, std::size_t count) {
                      scatter(self, root, List(count * self.count()), List(count), algorithm);
                    },
                    [=](std::size_t count) { return scatter_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : reduce_algorithms()) {
    list.push_back({named("reduce", algorithm), true, true,
                    [=](Processor& self, int root, std::size_t count) {
                      reduce(self, root, List(count), List(count), std::plus<>(), algorithm);
                    },
                    [=](std::size_t count) { return reduce_cost(p, bytes(count), algorithm); }});
  }
}

std::vector<Algorithm> allgather_algorithms_on(int p) {
  std::vector<Algorithm> list;
  for (const Algorithm algorithm : allgather_algorithms()) {
    const bool fits = std::has_single_bit(static_cast<unsigned>(p));
    if (algorithm != Algorithm::recursive_doubling || fits) list.push_back(algorithm);
  }
  if (p > 2) list.push_back(Algorithm::circulant(2));
  if (p > 3) list.push_back(Algorithm::circulant(p - 1));
  if (p > 4) list.push_back(Algorithm::circulant_least_bytes(3));
  if (p > 4) list.push_back(Algorithm::circulant_unrotated(3));
  return list;
}

std::vector<Algorithm> alltoall_algorithms_on(int p) {
  std::vector<Algorithm> list{Algorithm::pairwise, Algorithm::shared,   Algorithm::tiled,
                              Algorithm::bruck(2), Algorithm::fat_tree, Algorithm::turns};
  if (p > 2) list.push_back(Algorithm::bruck(p));
  if (p > 4) list.push_back(Algorithm::bruck(4));
  if (p > 4) list.push_back(Algorithm::bruck(5, 2));
  list.push_back(Algorithm::bruck_unrotated(2));
  if (p > 4) list.push_back(Algorithm::bruck_unrotated(3, 2));
  return list;
}

Counts gathered_counts(int p, std::size_t count) {
  Counts counts;
  for (int q = 0; q < p; ++q) counts.push_back(uneven_count(q, 1, count));
  return counts;
}

void add_allgathers(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : allgather_algorithms_on(p)) {
    list.push_back({named("allgather", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      allgather(self, List(count), List(count * self.count()), algorithm);
                    },
                    [=](std::size_t count) { return allgather_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : allgatherv_algorithms()) {
    list.push_back(
        {named("allgatherv", algorithm), false, true,
         [=](Processor& self, int, std::size_t count) {
           const Counts counts = gathered_counts(self.count(), count);
           allgatherv(self, List(counts[self.id()]),
                      List(std::reduce(counts.begin(), counts.end())), counts, algorithm);
         },
         [=](std::size_t count) {
           return allgatherv_cost(gathered_counts(p, count), sizeof(List::value_type), algorithm);
         }});
  }
}

Cost alltoallv_cost_of(int p, std::size_t count, Algorithm algorithm) {
  Counts matrix;
  for (int source = 0; source < p; ++source) {
    for (int target = 0; target < p; ++target)
      matrix.push_back(uneven_count(source, target, count));
  }
  return alltoallv_cost(p, matrix, sizeof(List::value_type), algorithm);
}

void call_alltoallv(Processor& self, std::size_t count, Algorithm algorithm) {
  Counts send;
  Counts receive;
  for (int q = 0; q < self.count(); ++q) {
    send.push_back(uneven_count(self.id(), q, count));
    receive.push_back(uneven_count(q, self.id(), count));
  }
  alltoallv(self, List(std::reduce(send.begin(), send.end())), send,
            List(std::reduce(receive.begin(), receive.end())), receive, algorithm);
}

void add_alltoalls(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : alltoall_algorithms_on(p)) {
    list.push_back({named("alltoall", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      alltoall(self, List(count * self.count()), List(count * self.count()),
                               algorithm);
                    },
                    [=](std::size_t count) { return alltoall_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : alltoallv_algorithms()) {
    list.push_back(
        {named("alltoallv", algorithm), false, true,
         [=](Processor& self, int, std::size_t count) { call_alltoallv(self, count, algorithm); },
         [=](std::size_t count) { return alltoallv_cost_of(p, count, algorithm); }});
  }
}

void add_combines(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : allreduce_algorithms()) {
    list.push_back({named("allreduce", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      allreduce(self, List(count), List(count), std::plus<>(), algorithm);
                    },
                    [=](std::size_t count) { return allreduce_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : reduce_scatter_algorithms()) {
    list.push_back({named("reduce_scatter", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      const Counts counts = gathered_counts(self.count(), count);
                      reduce_scatter(self, List(std::reduce(counts.begin(), counts.end())),
                                     List(counts[self.id()]), counts, std::plus<>(), algorithm);
                    },
                    [=](std::size_t count) {
                      return reduce_scatter_cost(gathered_counts(p, count),
                                                 sizeof(List::value_type), algorithm);
                    }});
  }
  for (const Algorithm algorithm : scan_algorithms()) {
    const auto cost = [=](std::size_t count) { return scan_cost(p, bytes(count), algorithm); };
    list.push_back({named("scan", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      scan(self, List(count), List(count), std::plus<>(), algorithm);
                    },
                    cost});
    list.push_back({named("exscan", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      exscan(self, List(count), List(count), std::plus<>(), algorithm);
                    },
                    cost});
  }
}

void add_barriers(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : barrier_algorithms()) {
    list.push_back({named("barrier", algorithm), false, false,
                    [=](Processor& self, int, std::size_t) { barrier(self, algorithm); },
                    [=](std::size_t) { return barrier_cost(p, algorithm); }});
  }
}

}  // namespace

std::vector<Collective> all_collectives(int processors) {
  std::vector<Collective> list;
  add_rooted(list, processors);
  add_allgathers(list, processors);
  add_alltoalls(list, processors);
  add_combines(list, processors);
  add_barriers(list, processors);
  return list;
}

bool is_allowed(Machine& machine, const Collective& collective, std::size_t count) {
  if (!collective.needs_shared_threads()) return true;
  try {
    machine.run([&](Processor& self) { collective.call(self, 0, count); });
    return true;
  } catch (const ProcessorError& error) {
    if (error.caused_by<std::invalid_argument>() == nullptr) throw;
    return false;
  }
}

std::size_t uneven_count(int source, int target, std::size_t count) {
  return count * static_cast<std::size_t>((3 * source + 5 * target + 2) % 4 + 1) / 2;
}

}  // namespace postroom
