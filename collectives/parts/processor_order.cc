#include "collectives/parts/processor_order.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

namespace postroom {
namespace {

std::vector<int> counted(int processors) {
  if (processors < 1) {
    throw std::invalid_argument("order: processors " + std::to_string(processors) +
                                " is not allowed; at least 1");
  }
  std::vector<int> list(static_cast<std::size_t>(processors));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

ProcessorOrder::ProcessorOrder(std::vector<int> processors)
    : processor_at_(std::move(processors)), place_of_(processor_at_.size(), -1) {
  for (int place = 0; place < this->processors(); ++place) {
    const int processor = processor_at_[static_cast<std::size_t>(place)];
    const bool known = 0 <= processor && processor < this->processors();
    if (!known || place_of_[static_cast<std::size_t>(processor)] != -1) {
      throw std::invalid_argument("order: processor " + std::to_string(processor) + " at place " +
                                  std::to_string(place) + " is not allowed; each of 0 to " +
                                  std::to_string(this->processors() - 1) + " once");
    }
    place_of_[static_cast<std::size_t>(processor)] = place;
  }
}

ProcessorOrder ProcessorOrder::natural(int processors) {
  return ProcessorOrder(counted(processors));
}

ProcessorOrder ProcessorOrder::by_leaf(std::span<const int> leaf_of_processor) {
  std::vector<int> list = counted(static_cast<int>(leaf_of_processor.size()));
  std::ranges::stable_sort(list, {}, [&](int processor) {
    return leaf_of_processor[static_cast<std::size_t>(processor)];
  });
  return ProcessorOrder(std::move(list));
}

// By hand, since std::shuffle gives another order with another library.
ProcessorOrder ProcessorOrder::random(int processors, std::uint64_t seed) {
  std::vector<int> list = counted(processors);
  std::mt19937_64 draw(seed);
  for (std::size_t last = list.size() - 1; last > 0; --last) {
    std::swap(list[last], list[draw() % (last + 1)]);
  }
  return ProcessorOrder(std::move(list));
}

}  // namespace postroom
