// Memory that lies near the processor that uses it.
//
// The rule, on which everything else is only an improvement: **the owner touches its pages first.**
// The system gives a page memory when it is first written, on the node of the CPU that writes it.
// So each (pinned) processor calls touch_pages on its part of a fresh buffer, or simply is the
// first to fill it, before any other processor writes there. For pages that somebody else will
// touch first, prefer_near asks for a node beforehand. That is a preference: a full node gives way
// to the next one, and where the system refuses (containers often do) the program runs all the
// same.
//
// Who may call: any thread; moving and freeing a PlacedBuffer is for one thread at a time, its
// memory may be shared.
// Cost: one mmap and one munmap; the pages cost when they are touched. Measured on 512 MiB (AMD
// EPYC, family 25, virtual, 2 busy cores): 0.5 s in pages of 4 KiB, 0.1–0.2 s in huge ones.
// Errors: std::bad_alloc when there is no memory. Refused preferences are sentences, "" is success.
//
//   PlacedBuffer buffer(1 << 20);
//   std::span<double> mine = buffer.as<double>();
//   touch_pages(buffer.memory());   // by the owner
//   mine[0] = 1;
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "numa/topology.h"

namespace postroom {

inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

/// Zeroed memory of whole pages; from 4 MiB on in huge pages, where the system has them.
class PlacedBuffer {
 public:
  PlacedBuffer() = default;
  /// No page is touched. Throws std::bad_alloc.
  explicit PlacedBuffer(std::size_t bytes);
  PlacedBuffer(PlacedBuffer&& other) noexcept { swap(other); }
  PlacedBuffer& operator=(PlacedBuffer&& other) noexcept {
    PlacedBuffer(static_cast<PlacedBuffer&&>(other)).swap(*this);
    return *this;
  }
  ~PlacedBuffer();

  /// nullptr when empty, else the beginning of a page.
  std::byte* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  std::span<std::byte> memory() const noexcept { return {data_, bytes_}; }
  /// As many whole elements as there is room for.
  template <class T>
  requires std::is_trivially_copyable_v<T> std::span<T> as()
  const noexcept { return {reinterpret_cast<T*>(data_), bytes_ / sizeof(T)}; }

  /// prefer_near for the whole buffer, the last page too.
  std::string prefer_near(const Topology& topology, int leaf) const;

 private:
  void swap(PlacedBuffer& other) noexcept;

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Asks that the pages wholly inside `memory` that are not there yet come from the node nearest to
/// `leaf`. Nothing is done on a box with one node. Throws std::invalid_argument for a leaf out of
/// range.
std::string prefer_near(std::span<std::byte> memory, const Topology& topology, int leaf);

/// The same for a node by its number to the operating system.
std::string prefer_node(std::span<std::byte> memory, int node_os_index);

/// Asks for huge pages where whole ones fit inside `memory`, whose pages are not there yet; from 4
/// MiB on, as less would lose more at both ends than it gains.
void prefer_huge_pages(std::span<std::byte> memory);

/// Makes all pages of `memory` present, near the calling thread where nothing else was preferred.
/// What is in them stays. Where huge pages come slowly, the rest of `memory` goes without.
void touch_pages(std::span<std::byte> memory);

/// Tells the system that it may take the pages of `memory` back when it is short of memory, until
/// they are written again. What is in them may be lost, and is zero then. Whole huge pages only.
void offer_pages(std::span<std::byte> memory);

/// Gives the pages wholly inside `memory` back to the system; what is in them is lost, and zero
/// then. Several processors do it sooner than one: it takes 0.07 s for 1 GB in pages of 4 KiB.
void drop_pages(std::span<std::byte> memory) noexcept;

/// What touch_pages does where the system has no call for it: one page after the other.
void touch_each_page(std::span<std::byte> memory);

}  // namespace postroom
