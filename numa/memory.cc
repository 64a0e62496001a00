#include "numa/memory.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#ifdef __linux__
#include <linux/mempolicy.h>
#include <sys/syscall.h>

#include "numa/once.h"
#include "numa/rounding.h"
#endif

namespace postroom {
namespace {

constexpr std::size_t kHugeFromBytes = 2 * kHugePageBytes;
// So many in a row that took so long, and the rest goes without: a huge page in the memory of the
// machine takes 0.1 to 0.3 ms, 512 small ones 0.5 to 1.5.
// A virtual machine that has given unused memory back to its host may wait 10 ms and more for each
// huge page: 800 MB by two threads took 1.6 s in huge pages, and 0.3 s with small ones after two
// that were slow.
constexpr std::chrono::nanoseconds kSlowHugePage = std::chrono::milliseconds(3);
constexpr int kMostSlowInARow = 2;

std::size_t page_bytes() {
  static constinit FoundOnce<std::size_t> bytes;
  return bytes.get([] { return sysconf(_SC_PAGESIZE); });
}

/// Whole pages of `page` bytes inside `memory`; none, perhaps.
std::span<std::byte> pages_in(std::span<std::byte> memory, std::size_t page) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::size_t before = round_up(address, page) - address;
  if (before >= memory.size()) return {};
  return memory.subspan(before, (memory.size() - before) / page * page);
}

std::span<std::byte> huge_pages_in(std::span<std::byte> memory) {
  return pages_in(memory, kHugePageBytes);
}

std::byte* map(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

/// Maps `bytes` at a multiple of a huge page: one huge page too much, and both ends given back.
std::byte* map_huge(std::size_t bytes) {
  std::byte* memory = map(bytes + kHugePageBytes);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = round_up(address, kHugePageBytes) - address;
  if (before > 0) munmap(memory, before);
  if (before < kHugePageBytes) munmap(memory + before + bytes, kHugePageBytes - before);
  memory += before;
  prefer_huge_pages({memory, bytes});
  return memory;
}

std::size_t to_huge_page_end(const std::byte* place) {
  return kHugePageBytes - reinterpret_cast<std::uintptr_t>(place) % kHugePageBytes;
}

/// Of the calling thread: what it waits for others does not count, what it waits for memory does.
std::chrono::nanoseconds own_cpu_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void touch(std::span<std::byte> memory) {
#ifdef MADV_POPULATE_WRITE
  // One call for many pages: 1.25 times as fast as touching each. Kernels before 5.14 refuse.
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::size_t before = address % page_bytes();
  if (madvise(memory.data() - before, before + memory.size(), MADV_POPULATE_WRITE) == 0) return;
#endif
  touch_each_page(memory);
}

/// Of the huge pages that are not there yet and lie wholly inside `memory`.
void avoid_huge_pages([[maybe_unused]] std::span<std::byte> memory) {
#ifdef MADV_NOHUGEPAGE
  const std::span<std::byte> pages = huge_pages_in(memory);
  if (!pages.empty()) madvise(pages.data(), pages.size(), MADV_NOHUGEPAGE);
#endif
}

}  // namespace

PlacedBuffer::PlacedBuffer(std::size_t bytes) {
  if (bytes == 0) return;
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  const std::size_t mapped_bytes = round_up(bytes, page_bytes());
  data_ = bytes < kHugeFromBytes ? map(mapped_bytes) : map_huge(mapped_bytes);
  bytes_ = bytes;
}

PlacedBuffer::~PlacedBuffer() {
  if (data_ != nullptr) munmap(data_, round_up(bytes_, page_bytes()));
}

void PlacedBuffer::swap(PlacedBuffer& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
}

std::string PlacedBuffer::prefer_near(const Topology& topology, int leaf) const {
  return postroom::prefer_near({data_, round_up(bytes_, page_bytes())}, topology, leaf);
}

std::string prefer_near(std::span<std::byte> memory, const Topology& topology, int leaf) {
  const int node = topology.node_of(leaf);
  if (!topology.is_this_machine()) {
    return "Memory is not placed: the topology (" + topology.name() + ") is not this machine.";
  }
  if (topology.node_count() == 1) return "";
  return prefer_node(memory, topology.node(node).os_index);
}

std::string prefer_node(std::span<std::byte> memory, int node_os_index) {
  const std::span<std::byte> pages = pages_in(memory, page_bytes());
  if (pages.empty()) return "";
  int error = node_os_index < 0 ? EINVAL : ENOSYS;
#ifdef SYS_mbind
  if (node_os_index >= 0) {
    constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);
    const auto node = static_cast<std::size_t>(node_os_index);
    std::vector<unsigned long> mask(node / kWordBits + 1, 0);
    mask.back() = 1UL << (node % kWordBits);
    // The kernel takes one bit less than it is told.
    const long answer = syscall(SYS_mbind, pages.data(), pages.size(), MPOL_PREFERRED, mask.data(),
                                mask.size() * kWordBits + 1, 0U);
    error = answer == 0 ? 0 : errno;
  }
#endif
  if (error == 0) return "";
  return "The system refused to place memory on NUMA node " + std::to_string(node_os_index) + ": " +
         std::generic_category().message(error) + ".";
}

void prefer_huge_pages([[maybe_unused]] std::span<std::byte> memory) {
#ifdef MADV_HUGEPAGE
  if (memory.size() < kHugeFromBytes) return;
  const std::span<std::byte> pages = huge_pages_in(memory);
  madvise(pages.data(), pages.size(), MADV_HUGEPAGE);  // only speed is lost where it is refused
#endif
}

void touch_pages(std::span<std::byte> memory) {
  int slow = 0;
  while (!memory.empty() && slow < kMostSlowInARow) {
    const auto piece = memory.first(std::min(memory.size(), to_huge_page_end(memory.data())));
    const std::chrono::nanoseconds start = own_cpu_time();
    touch(piece);
    slow = own_cpu_time() - start < kSlowHugePage ? 0 : slow + 1;
    memory = memory.subspan(piece.size());
  }
  if (memory.empty()) return;
  avoid_huge_pages(memory);
  // In pieces, since the system lets nobody else change the process's memory during one: a
  // processor that also comes to say that it wants no huge pages would wait for all of it.
  for (; !memory.empty(); memory = memory.subspan(std::min(memory.size(), kHugePageBytes))) {
    touch(memory.first(std::min(memory.size(), kHugePageBytes)));
  }
}

void offer_pages([[maybe_unused]] std::span<std::byte> memory) {
#ifdef MADV_FREE
  const std::span<std::byte> pages = huge_pages_in(memory);
  // Where it is refused they are simply kept.
  if (!pages.empty()) madvise(pages.data(), pages.size(), MADV_FREE);
#endif
}

void drop_pages(std::span<std::byte> memory) noexcept {
  const std::span<std::byte> pages = pages_in(memory, page_bytes());
  if (!pages.empty()) madvise(pages.data(), pages.size(), MADV_DONTNEED);
}

void touch_each_page(std::span<std::byte> memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  std::size_t next = 0;
  while (next < memory.size()) {
    // Relaxed: orders nothing. One step, because to read first would fetch the shared page of zeros
    // and cost a second fault: 1.6 times the time with small pages, 20 times with huge ones.
    std::atomic_ref<unsigned char>(reinterpret_cast<unsigned char&>(memory[next]))
        .fetch_or(0, std::memory_order_relaxed);
    next += page_bytes() - (address + next) % page_bytes();
  }
}

}  // namespace postroom
