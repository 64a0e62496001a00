// An h-relation: elements at every processor, each with the processor that it is to go to.
//
// Source: [H], sections 3 and 3.3: h1 is the most elements at a source, h2 the most at a target.
//
// What the routers share: the checked list of targets, the exchange of counts, and finding h1 and
// h2 where the caller does not know them.
//
// Costs are of the alltoalls and allgathers that automatic takes: in a call under the clock of
// `model`, without one on the wall clock, where they depend on the CPUs of the box.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"

namespace postroom {

/// An element that can be routed.
template <class T>
concept Routable =
    std::is_trivially_copyable_v<T> && std::default_initializable<T> && !std::same_as<T, bool>;

/// How large an h-relation is. Upper bounds will do; the same on all processors.
struct Relation {
  std::size_t most_sent = 0;      ///< h1
  std::size_t most_received = 0;  ///< h2

  friend bool operator==(const Relation&, const Relation&) = default;
};

/// How many elements go to each processor: counts[j] to processor j.
using RouteCounts = std::vector<std::uint64_t>;

/// One transpose of blocks of `block_bytes`: an alltoall.
Cost transpose_cost(int processors, std::int64_t block_bytes, const TimeModel* model = nullptr);

/// counts[j] of processor i becomes arrivals[i] of processor j: one transpose.
RouteCounts exchange_counts(Processor& self, const RouteCounts& counts, Where where);
Cost exchange_counts_cost(int processors, const TimeModel* model = nullptr);

/// h1 and h2, from one transpose of counts and one allgather of two numbers.
Relation find_relation(Processor& self, const RouteCounts& counts, Where where);
Cost find_relation_cost(int processors, const TimeModel* model = nullptr);

/// Whether all are in 0 … processors-1. Without a branch for each, a fifth of the time.
bool all_below(std::span<const int> targets, int processors);
[[noreturn]] void throw_bad_target(std::size_t element, const std::string& target, int processors);
[[noreturn]] void throw_target_count(std::size_t targets, std::size_t elements);

/// The targets of all elements, checked. `Destination` is a list of numbers, one for each element,
/// or a function (or member) that gives the number for an element; it is called once for each, in
/// their order. Throws std::invalid_argument for a target outside of 0 … processors-1. A list of
/// ints is used where it lies and must stay there; all else is copied.
class Targets {
 public:
  template <class R, class Destination>
  Targets(const R& elements, const Destination& destination, int processors) {
    if constexpr (std::ranges::sized_range<const Destination>) {
      if (std::ranges::size(destination) != std::ranges::size(elements)) {
        throw_target_count(std::ranges::size(destination), std::ranges::size(elements));
      }
      if constexpr (kIsListOfInts<const Destination>) {
        all_ = {std::ranges::data(destination), std::ranges::size(destination)};
        if (!all_below(all_, processors)) {
          for (std::size_t k = 0; k < all_.size(); ++k) check(all_[k], k, processors);
        }
      } else {
        copy(destination, std::identity(), processors);
      }
    } else {
      copy(elements, destination, processors);
    }
  }
  Targets(const Targets&) = delete;
  Targets& operator=(const Targets&) = delete;

  std::span<const int> all() const noexcept { return all_; }

 private:
  template <class List>
  static constexpr bool kIsListOfInts =
      std::ranges::contiguous_range<List>&& std::same_as<std::ranges::range_value_t<List>, int>;

  static void check(std::integral auto target, std::size_t element, int processors) {
    // A negative number becomes a large one.
    if (static_cast<std::uint64_t>(target) >= static_cast<std::uint64_t>(processors)) {
      throw_bad_target(element, std::to_string(target), processors);
    }
  }
  template <class R, class Destination>
  void copy(const R& elements, const Destination& destination, int processors) {
    copies_.reserve(std::ranges::size(elements));
    for (const auto& element : elements) {
      const std::integral auto target = std::invoke(destination, element);
      check(target, copies_.size(), processors);
      copies_.push_back(static_cast<int>(target));
    }
    all_ = copies_;
  }

  std::vector<int> copies_;
  std::span<const int> all_;
};

}  // namespace postroom
