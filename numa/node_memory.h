// Small pieces of memory on the NUMA node of one processor, whoever asks for them.
//
// For what another processor makes and this one reads most: the one that makes it is also the first
// to touch it, and the pages would lie at its own node. Pieces are cut from whole pages for which
// prefer_near (numa/memory.h) was asked; where the system refuses that, they lie anywhere.
//
// Who may call: any thread. Cost: a lock and a search in a pool; pages are kept until the end.
// Errors: std::bad_alloc when there is no memory, or for an alignment above 4 KiB;
// std::invalid_argument for a leaf out of range.
//
//   NodeMemory memory(topology, leaf);
//   std::pmr::vector<int> list(&memory);
#pragma once

#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <unordered_map>

#include "numa/memory.h"
#include "numa/topology.h"

namespace postroom {

class NodeMemory final : public std::pmr::memory_resource {
 public:
  /// Near `leaf`. The topology must outlive it.
  NodeMemory(const Topology& topology, int leaf);

  /// Of all that was asked of the system so far.
  std::size_t bytes() const;

 private:
  class Pages final : public std::pmr::memory_resource {
   public:
    Pages(const Topology& topology, int leaf) : topology_(topology), leaf_(leaf) {}
    std::size_t bytes() const noexcept { return bytes_; }

   private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }

    const Topology& topology_;
    int leaf_;
    std::unordered_map<void*, PlacedBuffer> buffers_;
    std::size_t bytes_ = 0;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  mutable std::mutex mutex_;
  Pages pages_;
  std::pmr::unsynchronized_pool_resource pool_{&pages_};
};

}  // namespace postroom
