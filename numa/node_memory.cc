#include "numa/node_memory.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "numa/rounding.h"

namespace postroom {
namespace {

// A slab begins with a page, and no page of any system is smaller.
constexpr std::size_t kMostAlignment = 4096;
constexpr std::size_t kLeastPiece = 16;
// Larger pieces are mapped each by itself.
constexpr std::size_t kMostCut = std::size_t{512} << 10;
constexpr std::size_t kLeastSlab = std::size_t{1} << 20;
// A slab is so large a part of what there is already: there are some dozens of them at most.
constexpr std::size_t kPartOfAll = 4;

std::size_t size_of_piece(std::size_t bytes, std::size_t alignment) {
  // Beyond this no power of two is large enough.
  if (bytes > SIZE_MAX / 2 || alignment > kMostAlignment) throw std::bad_alloc();
  return std::bit_ceil(std::max({bytes, alignment, kLeastPiece}));
}

std::size_t logarithm(std::size_t size) {
  return static_cast<std::size_t>(std::bit_width(size)) - 1;
}

}  // namespace

NodeMemory::NodeMemory(const Topology& topology, int leaf) : topology_(topology), leaf_(leaf) {
  (void)topology.node_of(leaf);  // throws for a leaf out of range
}

std::size_t NodeMemory::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void* NodeMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t size = size_of_piece(bytes, alignment);
  const std::lock_guard lock(mutex_);
  if (size > kMostCut) return map_large(size);
  Piece*& first = given_back_[logarithm(size)];
  if (first != nullptr) return std::exchange(first, first->next);
  return cut(size);
}

void NodeMemory::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  const std::size_t size = size_of_piece(bytes, alignment);
  const std::lock_guard lock(mutex_);
  if (size > kMostCut) {
    bytes_ -= size;
    large_.erase(memory);
    return;
  }
  Piece*& first = given_back_[logarithm(size)];
  first = new (memory) Piece{first};
}

void* NodeMemory::cut(std::size_t size) {
  // Each at a multiple of its size, or of a page.
  const std::size_t begin = round_up(used_, std::min(size, kMostAlignment));
  if (!slabs_.empty() && begin + size <= slabs_.back().bytes()) {
    used_ = begin + size;
    return slabs_.back().data() + begin;
  }
  const std::size_t wanted = std::max(kLeastSlab, bytes_ / kPartOfAll);
  slabs_.push_back(placed(round_up(wanted, kMostAlignment)));
  bytes_ += slabs_.back().bytes();
  used_ = size;
  return slabs_.back().data();
}

void* NodeMemory::map_large(std::size_t size) {
  PlacedBuffer buffer = placed(size);
  void* const memory = buffer.data();
  large_.emplace(memory, std::move(buffer));
  bytes_ += size;
  return memory;
}

PlacedBuffer NodeMemory::placed(std::size_t bytes) {
  PlacedBuffer buffer(bytes);
  (void)buffer.prefer_near(topology_, leaf_);  // only speed is lost where it is refused
  return buffer;
}

}  // namespace postroom
