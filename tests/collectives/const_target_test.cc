// What is const cannot be the target of a collective, the elements of its lists are of one type,
// and counts are std::size_t: else the call does not compile, and not something deep inside it.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoallv.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
#include "collectives/reduce_scatter.h"
#include "collectives/same_elements.h"
#include "collectives/scatter.h"
#include "collectives/scatterv.h"
#include "runtime/processor.h"

namespace postroom {
namespace {

using List = std::vector<int>;

template <class Target>
concept Broadcasts = requires(Processor& self, Target target) {
  broadcast(self, 0, target);
};
template <class Target>
concept Allreduces = requires(Processor& self, const List& in, Target out) {
  allreduce(self, in, out, std::plus<>());
};
template <class Op>
concept AllreducesBy = requires(Processor& self, const List& in, List out, Op op) {
  allreduce(self, in, out, op);
};
template <class Target>
concept Gathers = requires(Processor& self, const List& in, Target out) {
  gather(self, 0, in, out);
  allgather(self, in, out);
};
template <class Target>
concept GathersBlocks = requires(Processor& self, const List& in, Target out,
                                 const std::vector<std::size_t>& counts) {
  gatherv(self, 0, in, out, counts);
};
template <class Target>
concept Scatters = requires(Processor& self, const List& in, Target out) {
  scatter(self, 0, in, out);
};
template <class Target>
concept ScattersBlocks = requires(Processor& self, const List& in, Target out,
                                  const std::vector<std::size_t>& counts) {
  scatterv(self, 0, in, counts, out);
};
template <class Target>
concept Alltoalls = requires(Processor& self, const List& in, Target out,
                             const std::vector<std::size_t>& counts) {
  alltoallv(self, in, counts, out, counts);
};

static_assert(Broadcasts<List&> && Broadcasts<std::span<int>> && Broadcasts<int&>);
static_assert(Broadcasts<const std::span<int>>);
static_assert(!Broadcasts<const List&> && !Broadcasts<std::span<const int>>);
static_assert(!Broadcasts<const int&>);
static_assert(Allreduces<List&> && Allreduces<std::span<int>>);
static_assert(!Allreduces<const List&> && !Allreduces<std::span<const int>>);
static_assert(AllreducesBy<std::plus<>> && AllreducesBy<Maximum>);
static_assert(!AllreducesBy<std::greater<>> && !AllreducesBy<std::less<int>>);
static_assert(!AllreducesBy<std::ranges::greater>);
static_assert(Gathers<List&> && !Gathers<const List&>);
static_assert(GathersBlocks<List&> && GathersBlocks<std::span<int>>);
static_assert(!GathersBlocks<const List&> && !GathersBlocks<std::span<const int>>);
static_assert(Scatters<List&> && !Scatters<const List&>);
static_assert(ScattersBlocks<List&> && ScattersBlocks<std::span<int>>);
static_assert(!ScattersBlocks<const List&> && !ScattersBlocks<std::span<const int>>);
static_assert(Alltoalls<List&> && !Alltoalls<const List&>);

// Other elements, other counts. A call that is deleted is no valid expression, like one that fits
// nothing or several.
template <class Target>
concept AllTake = Broadcasts<Target> && Allreduces<Target> && Gathers<Target> &&
    GathersBlocks<Target> && Scatters<Target> && ScattersBlocks<Target> && Alltoalls<Target>;
template <class Target>
concept AnyTakes = Allreduces<Target> || Gathers<Target> || GathersBlocks<Target> ||
    Scatters<Target> || ScattersBlocks<Target> || Alltoalls<Target>;
static_assert(AllTake<List&> && !AnyTakes<std::vector<double>&>);

template <class Counts>
concept ScattersBy = requires(Processor& self, const List& in, List out, const Counts& counts) {
  scatterv(self, 0, in, counts, out);
};
template <class Counts>
concept ScattersUnknownBy = requires(Processor& self, const List& in, const Counts& counts) {
  scatterv(self, 0, in, counts);
};
template <class Counts>
concept GathersBy = requires(Processor& self, const List& in, List out, const Counts& counts) {
  gatherv(self, 0, in, out, counts);
};
template <class Counts>
concept AllgathersBy = requires(Processor& self, const List& in, List out, const Counts& counts) {
  allgatherv(self, in, out, counts, Algorithm::ring);
};
template <class Counts>
concept ReducesBy = requires(Processor& self, const List& in, List out, const Counts& counts) {
  reduce_scatter(self, in, out, counts, std::plus<>());
};
template <class Send, class Receive>
concept AlltoallsBy = requires(Processor& self, const List& in, List out, const Send& send,
                               const Receive& receive) {
  alltoallv(self, in, send, out, receive);
};
template <class Counts>
concept AllCountBy = ScattersBy<Counts> && ScattersUnknownBy<Counts> && GathersBy<Counts> &&
    AllgathersBy<Counts> && ReducesBy<Counts> && AlltoallsBy<Counts, Counts>;
template <class Counts>
concept AnyCountsBy = ScattersBy<Counts> || ScattersUnknownBy<Counts> || GathersBy<Counts> ||
    AllgathersBy<Counts> || ReducesBy<Counts> || AlltoallsBy<Counts, Counts>;

using Sizes = std::vector<std::size_t>;
static_assert(AllCountBy<Sizes> && AllCountBy<std::span<const std::size_t>>);
static_assert(AllCountBy<std::span<std::size_t>> && AllCountBy<std::array<std::size_t, 3>>);
static_assert(!AnyCountsBy<std::vector<int>> && !AnyCountsBy<std::span<const unsigned>>);
static_assert(!AlltoallsBy<Sizes, List> && !AlltoallsBy<List, Sizes>);

static_assert(OtherCounts<std::vector<int>> && OtherCounts<std::vector<std::int64_t>>);
static_assert(!OtherCounts<Sizes> && !OtherCounts<int> && !OtherCounts<Algorithm>);
static_assert(OtherElements<List, std::vector<double>&> && !OtherElements<List, List&>);
static_assert(!OtherElements<List, const std::vector<double>&>);  // const: see above

TEST(ConstTarget, IsRefusedByTheCompiler) {}
TEST(OtherElements, AreRefusedByTheCompiler) {}
TEST(OtherCounts, AreRefusedByTheCompiler) {}

}  // namespace
}  // namespace postroom
