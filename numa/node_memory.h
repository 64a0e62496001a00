// Small pieces of memory on the NUMA node of one processor, whoever asks for them.
//
// For what another processor makes and this one reads most: the one that makes it is also the first
// to touch it, and the pages would lie at its own node. Pieces have powers of two of bytes and are
// cut from slabs for which prefer_near (numa/memory.h) was asked; where the system refuses that,
// they lie anywhere. The system counts each slab for which it was asked, and allows some ten
// thousand of them in a process: so slabs grow with what they are cut into.
//
// Who may call: any thread. Cost: a lock; of the first of its size, and of a large one, calls of
// the system. What is given back is used for the next of its size; only large ones go back to the
// system. Errors: std::bad_alloc when there is no memory, or for an alignment above 4 KiB;
// std::invalid_argument for a leaf out of range.
//
//   NodeMemory memory(topology, leaf);
//   std::pmr::vector<int> list(&memory);
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "numa/memory.h"
#include "numa/topology.h"

namespace postroom {

class NodeMemory final : public std::pmr::memory_resource {
 public:
  /// Near `leaf`. The topology must outlive it.
  NodeMemory(const Topology& topology, int leaf);

  /// Of all that the system has been asked for and not given back. Untouched pages take none.
  std::size_t bytes() const;

 private:
  /// A piece that was given back.
  struct Piece {
    Piece* next;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  void* cut(std::size_t bytes);
  void* map_large(std::size_t bytes);
  PlacedBuffer placed(std::size_t bytes);

  const Topology& topology_;
  const int leaf_;
  mutable std::mutex mutex_;
  std::array<Piece*, 64> given_back_{};  // by the logarithm of their size
  std::vector<PlacedBuffer> slabs_;
  std::size_t used_ = 0;  // of the last one
  std::unordered_map<void*, PlacedBuffer> large_;
  std::size_t bytes_ = 0;
};

}  // namespace postroom
