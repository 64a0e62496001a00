#include "numa/node_memory.h"

#include <new>
#include <utility>

namespace postroom {
namespace {

// A buffer begins with a page, and no page of any system is smaller.
constexpr std::size_t kMostAlignment = 4096;

}  // namespace

NodeMemory::NodeMemory(const Topology& topology, int leaf) : pages_(topology, leaf) {
  (void)topology.node_of(leaf);  // throws for a leaf out of range
}

std::size_t NodeMemory::bytes() const {
  const std::lock_guard lock(mutex_);
  return pages_.bytes();
}

void* NodeMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  return pool_.allocate(bytes, alignment);
}

void NodeMemory::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  pool_.deallocate(memory, bytes, alignment);
}

// --- Whole pages.

void* NodeMemory::Pages::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (alignment > kMostAlignment) throw std::bad_alloc();
  PlacedBuffer buffer(bytes);
  (void)buffer.prefer_near(topology_, leaf_);  // only speed is lost where it is refused
  void* const memory = buffer.data();
  const std::size_t allocated = buffer.bytes();
  buffers_.emplace(memory, std::move(buffer));
  bytes_ += allocated;
  return memory;
}

void NodeMemory::Pages::do_deallocate(void* memory, std::size_t /*bytes*/,
                                      std::size_t /*alignment*/) {
  const auto buffer = buffers_.find(memory);
  bytes_ -= buffer->second.bytes();
  buffers_.erase(buffer);
}

}  // namespace postroom
