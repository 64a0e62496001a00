#include "tests/collectives/all_collectives.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/alltoallv.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "collectives/scatterv.h"
#include "runtime/errors.h"
#include "tests/collectives/testing.h"

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

/// An element that `then` keeps apart from all others, whatever it is combined with: two numbers of
/// 32 bits, the first of them odd.
std::int64_t term(int source, std::size_t index) {
  const std::uint64_t place = static_cast<std::uint64_t>(source) * 100'000 + index;
  return static_cast<std::int64_t>((2 * place + 3) << 32 | (place + 1));
}
List terms(int source, std::size_t count) {
  List list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = term(source, i);
  return list;
}

/// x -> a x + b, first `f` and then `g`: associative, and does not commute.
std::int64_t then(std::int64_t f, std::int64_t g) {
  const auto a = [](std::int64_t line) { return static_cast<std::uint32_t>(line >> 32); };
  const auto b = [](std::int64_t line) { return static_cast<std::uint32_t>(line); };
  return static_cast<std::int64_t>(std::uint64_t{a(f) * a(g)} << 32 | (b(f) * a(g) + b(g)));
}

using Combination = std::int64_t (*)(std::int64_t, std::int64_t);
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// What combining the lists of the processors 0 … last-1 gives; unset() where there is none.
List combined(int last, std::size_t count, Combination op) {
  if (last == 0) return unset(count);
  List all = terms(0, count);
  for (int source = 1; source < last; ++source) {
    for (std::size_t i = 0; i < count; ++i) all[i] = op(all[i], term(source, i));
  }
  return all;
}

/// The lists of `processors` one after another.
List joined_lists(int processors, const std::function<List(int)>& list_of) {
  List all;
  for (int q = 0; q < processors; ++q) {
    const List list = list_of(q);
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

void add_rooted(std::vector<Collective>& list, int p) {
  const auto of_all = [=](std::size_t count) { return count * static_cast<std::size_t>(p); };
  for (const Algorithm algorithm : broadcast_algorithms()) {
    list.push_back(
        {named("broadcast", algorithm), true, true,
         [=](Processor& self, int root, std::size_t count) {
           List data = self.id() == root ? elements(root, 0, count) : unset(count);
           broadcast(self, root, data, algorithm);
           return data;
         },
         [=](int, int root, std::size_t count) { return elements(root, 0, count); },
         [=](int, std::size_t count) { return broadcast_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : gather_algorithms()) {
    list.push_back(
        {named("gather", algorithm), true, true,
         [=](Processor& self, int root, std::size_t count) {
           List all = unset(of_all(count));
           gather(self, root, elements(self.id(), 0, count), all, algorithm);
           return all;
         },
         [=](int id, int root, std::size_t count) {
           return id == root ? elements_of_all(p, count) : unset(of_all(count));
         },
         [=](int, std::size_t count) { return gather_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : scatter_algorithms()) {
    list.push_back(
        {named("scatter", algorithm), true, true,
         [=](Processor& self, int root, std::size_t count) {
           const auto block_of = [&](int target) { return elements(root, target, count); };
           const List all = self.id() == root ? joined_lists(p, block_of) : unset(of_all(count));
           List mine = unset(count);
           scatter(self, root, all, mine, algorithm);
           return mine;
         },
         [=](int id, int root, std::size_t count) { return elements(root, id, count); },
         [=](int, std::size_t count) { return scatter_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : reduce_algorithms()) {
    list.push_back(
        {named("reduce", algorithm), true, true,
         [=](Processor& self, int root, std::size_t count) {
           List all = unset(count);
           reduce(self, root, terms(self.id(), count), all, then, algorithm);
           return all;
         },
         [=](int id, int root, std::size_t count) {
           return id == root ? combined(p, count, then) : unset(count);
         },
         [=](int, std::size_t count) { return reduce_cost(p, bytes(count), algorithm); }});
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

/// Those with a root, which alone knows the counts.
void add_rooted_with_counts(std::vector<Collective>& list, int p) {
  const auto count_of = [=](int id, std::size_t count) {
    return gathered_counts(p, count)[static_cast<std::size_t>(id)];
  };
  const auto total = [=](std::size_t count) {
    const Counts counts = gathered_counts(p, count);
    return std::reduce(counts.begin(), counts.end());
  };
  for (const Algorithm algorithm : gatherv_algorithms()) {
    const auto block_of = [=](int source, std::size_t count) {
      return elements(source, 0, count_of(source, count));
    };
    list.push_back(
        {named("gatherv", algorithm), true, true,
         [=](Processor& self, int root, std::size_t count) {
           const Counts counts = self.id() == root ? gathered_counts(p, count) : Counts();
           List all = unset(total(count));
           gatherv(self, root, block_of(self.id(), count), all, counts, algorithm);
           return all;
         },
         [=](int id, int root, std::size_t count) {
           return id == root ? joined_lists(p, [&](int source) { return block_of(source, count); })
                             : unset(total(count));
         },
         [=](int root, std::size_t count) {
           return gatherv_cost(root, gathered_counts(p, count), sizeof(List::value_type),
                               algorithm);
         }});
  }
  for (const Algorithm algorithm : scatterv_algorithms()) {
    const auto block_of = [=](int root, int target, std::size_t count) {
      return elements(root, target, count_of(target, count));
    };
    list.push_back(
        {named("scatterv", algorithm), true, true,
         [=](Processor& self, int root, std::size_t count) {
           const bool is_root = self.id() == root;
           const Counts counts = is_root ? gathered_counts(p, count) : Counts();
           const List all =
               is_root ? joined_lists(p, [&](int target) { return block_of(root, target, count); })
                       : List();
           List mine = unset(count_of(self.id(), count));
           scatterv(self, root, all, counts, mine, algorithm);
           return mine;
         },
         [=](int id, int root, std::size_t count) { return block_of(root, id, count); },
         [=](int root, std::size_t count) {
           return scatterv_cost(root, gathered_counts(p, count), sizeof(List::value_type),
                                algorithm);
         }});
  }
}

void add_allgathers(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : allgather_algorithms_on(p)) {
    list.push_back(
        {named("allgather", algorithm), false, true,
         [=](Processor& self, int, std::size_t count) {
           List all = unset(count * static_cast<std::size_t>(p));
           allgather(self, elements(self.id(), 0, count), all, algorithm);
           return all;
         },
         [=](int, int, std::size_t count) { return elements_of_all(p, count); },
         [=](int, std::size_t count) { return allgather_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : allgatherv_algorithms()) {
    const auto block_of = [=](int source, std::size_t count) {
      return elements(source, 0, gathered_counts(p, count)[static_cast<std::size_t>(source)]);
    };
    list.push_back({named("allgatherv", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      const Counts counts = gathered_counts(p, count);
                      List all = unset(std::reduce(counts.begin(), counts.end()));
                      allgatherv(self, block_of(self.id(), count), all, counts, algorithm);
                      return all;
                    },
                    [=](int, int, std::size_t count) {
                      return joined_lists(p, [&](int source) { return block_of(source, count); });
                    },
                    [=](int, std::size_t count) {
                      return allgatherv_cost(gathered_counts(p, count), sizeof(List::value_type),
                                             algorithm);
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

/// Blocks from `source` to each, or to `target` from each.
List blocks_from(int p, int source, const std::function<std::size_t(int)>& count_of) {
  return joined_lists(p, [&](int q) { return elements(source, q, count_of(q)); });
}
List blocks_to(int p, int target, const std::function<std::size_t(int)>& count_of) {
  return joined_lists(p, [&](int q) { return elements(q, target, count_of(q)); });
}

List alltoallv_result(Processor& self, std::size_t count, Algorithm algorithm) {
  Counts send;
  Counts receive;
  for (int q = 0; q < self.count(); ++q) {
    send.push_back(uneven_count(self.id(), q, count));
    receive.push_back(uneven_count(q, self.id(), count));
  }
  const auto sent_to = [&](int q) { return send[static_cast<std::size_t>(q)]; };
  List all = unset(std::reduce(receive.begin(), receive.end()));
  alltoallv(self, blocks_from(self.count(), self.id(), sent_to), send, all, receive, algorithm);
  return all;
}

void add_alltoalls(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : alltoall_algorithms_on(p)) {
    list.push_back(
        {named("alltoall", algorithm), false, true,
         [=](Processor& self, int, std::size_t count) {
           List all = unset(count * static_cast<std::size_t>(p));
           alltoall(self, blocks_from(p, self.id(), [=](int) { return count; }), all, algorithm);
           return all;
         },
         [=](int id, int, std::size_t count) {
           return blocks_to(p, id, [=](int) { return count; });
         },
         [=](int, std::size_t count) { return alltoall_cost(p, bytes(count), algorithm); }});
  }
  for (const Algorithm algorithm : alltoallv_algorithms()) {
    list.push_back(
        {named("alltoallv", algorithm), false, true,
         [=](Processor& self, int, std::size_t count) {
           return alltoallv_result(self, count, algorithm);
         },
         [=](int id, int, std::size_t count) {
           return blocks_to(p, id, [=](int source) { return uneven_count(source, id, count); });
         },
         [=](int, std::size_t count) { return alltoallv_cost_of(p, count, algorithm); }});
  }
}

void add_reduce_scatters(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : reduce_scatter_algorithms()) {
    const bool keeps_order = algorithm.name != Algorithm::Name::kBlockCirculant;
    const Combination op = keeps_order ? then : plus;
    list.push_back(
        {named("reduce_scatter", algorithm), false, true,
         [=](Processor& self, int, std::size_t count) {
           const Counts counts = gathered_counts(p, count);
           List mine = unset(counts[static_cast<std::size_t>(self.id())]);
           reduce_scatter(self, terms(self.id(), std::reduce(counts.begin(), counts.end())), mine,
                          counts, op, algorithm);
           return mine;
         },
         [=](int id, int, std::size_t count) {
           const Counts counts = gathered_counts(p, count);
           const List all = combined(p, std::reduce(counts.begin(), counts.end()), op);
           const auto first = all.begin() + static_cast<std::ptrdiff_t>(
                                                std::reduce(counts.begin(), counts.begin() + id));
           return List(first,
                       first + static_cast<std::ptrdiff_t>(counts[static_cast<std::size_t>(id)]));
         },
         [=](int, std::size_t count) {
           return reduce_scatter_cost(gathered_counts(p, count), sizeof(List::value_type),
                                      algorithm);
         }});
  }
}

void add_combines(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : allreduce_algorithms()) {
    const Combination op = allreduce_keeps_order(algorithm) ? then : plus;
    list.push_back(
        {named("allreduce", algorithm), false, true,
         [=](Processor& self, int, std::size_t count) {
           List all = unset(count);
           allreduce(self, terms(self.id(), count), all, op, algorithm);
           return all;
         },
         [=](int, int, std::size_t count) { return combined(p, count, op); },
         [=](int, std::size_t count) { return allreduce_cost(p, bytes(count), algorithm); }});
  }
  add_reduce_scatters(list, p);
  for (const Algorithm algorithm : scan_algorithms()) {
    const auto cost = [=](int, std::size_t count) { return scan_cost(p, bytes(count), algorithm); };
    list.push_back({named("scan", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      List sums = unset(count);
                      scan(self, terms(self.id(), count), sums, then, algorithm);
                      return sums;
                    },
                    [=](int id, int, std::size_t count) { return combined(id + 1, count, then); },
                    cost});
    list.push_back({named("exscan", algorithm), false, true,
                    [=](Processor& self, int, std::size_t count) {
                      List sums = unset(count);
                      exscan(self, terms(self.id(), count), sums, then, algorithm);
                      return sums;
                    },
                    [=](int id, int, std::size_t count) { return combined(id, count, then); },
                    cost});
  }
}

void add_barriers(std::vector<Collective>& list, int p) {
  for (const Algorithm algorithm : barrier_algorithms()) {
    list.push_back({named("barrier", algorithm), false, false,
                    [=](Processor& self, int, std::size_t) {
                      barrier(self, algorithm);
                      return List();
                    },
                    [=](int, int, std::size_t) { return List(); },
                    [=](int, std::size_t) { return barrier_cost(p, algorithm); }});
  }
}

}  // namespace

std::vector<Collective> all_collectives(int processors) {
  std::vector<Collective> list;
  add_rooted(list, processors);
  add_rooted_with_counts(list, processors);
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
    const auto* const refused = error.caused_by<std::invalid_argument>();
    if (refused == nullptr) throw;
    if (std::string_view(refused->what()).find(" is not allowed; ") == std::string_view::npos)
      throw;
    return false;
  }
}

std::size_t uneven_count(int source, int target, std::size_t count) {
  return count * static_cast<std::size_t>((3 * source + 5 * target + 2) % 4 + 1) / 2;
}

}  // namespace postroom
