// What is const cannot be the target of a collective: the call does not compile, and not something
// deep inside it.
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoallv.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
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
static_assert(Gathers<List&> && !Gathers<const List&>);
static_assert(GathersBlocks<List&> && GathersBlocks<std::span<int>>);
static_assert(!GathersBlocks<const List&> && !GathersBlocks<std::span<const int>>);
static_assert(Scatters<List&> && !Scatters<const List&>);
static_assert(ScattersBlocks<List&> && ScattersBlocks<std::span<int>>);
static_assert(!ScattersBlocks<const List&> && !ScattersBlocks<std::span<const int>>);
static_assert(Alltoalls<List&> && !Alltoalls<const List&>);

TEST(ConstTarget, IsRefusedByTheCompiler) {}

}  // namespace
}  // namespace postroom
