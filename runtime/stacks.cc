#include "runtime/stacks.h"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <new>

#include "numa/rounding.h"

namespace postroom {
namespace {

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

// Where stacks would all end at the same place of a page, what is in use of them would fall on the
// same few sets of the caches. Above each is room for the line below the next one.
constexpr int kPlaces = 32;
constexpr std::size_t kPlaceBytes = 128;

std::size_t bytes_above(int stack) {
  return static_cast<std::size_t>(1 + stack % kPlaces) * kPlaceBytes;
}

constexpr std::size_t kLineBytes = 64;
static_assert(kLineBytes <= kPlaceBytes);
constexpr std::byte kUntouched{0xa5};

}  // namespace

Stacks::Stacks(int count, std::size_t bytes, bool guarded)
    : guarded_(guarded),
      stack_bytes_(round_up(bytes + bytes_above(kPlaces - 1), page_bytes())),
      guard_bytes_(guarded ? stack_bytes_ : 0),
      below_bytes_(guarded ? guard_bytes_ : page_bytes()) {
  if (count == 0) return;
  // More than there are addresses, so that no sum wraps round.
  constexpr std::size_t kMost = std::size_t{1} << 47;
  if (bytes > kMost || distance() > kMost / static_cast<std::size_t>(count)) throw std::bad_alloc();
  mapped_bytes_ = below_bytes_ + static_cast<std::size_t>(count) * distance() - guard_bytes_;
  void* const memory = mmap(nullptr, mapped_bytes_, guarded ? PROT_NONE : PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  // A huge page would make every stack take 2 MiB. A refusal costs memory only.
  (void)madvise(memory_, mapped_bytes_, MADV_NOHUGEPAGE);
  for (int i = 0; guarded && i < count; ++i) {
    if (mprotect(stack(i).data(), stack_bytes_, PROT_READ | PROT_WRITE) == 0) continue;
    // There are too many mappings in this process: without guards it is one.
    guarded_ = false;
    if (mprotect(memory_, mapped_bytes_, PROT_READ | PROT_WRITE) == 0) break;
    munmap(memory_, mapped_bytes_);
    throw std::bad_alloc();
  }
  for (int i = 0; !guarded_ && i < count; ++i) {
    std::fill_n(stack(i).data() - kLineBytes, kLineBytes, kUntouched);
  }
}

Stacks::~Stacks() {
  if (memory_ == nullptr) return;
  // What frames left marked as out of scope must not outlive them: the addresses may be given out
  // again.
  ASAN_UNPOISON_MEMORY_REGION(memory_, mapped_bytes_);
  munmap(memory_, mapped_bytes_);
}

std::span<std::byte> Stacks::stack(int i) const noexcept {
  return {memory_ + below_bytes_ + static_cast<std::size_t>(i) * distance(),
          stack_bytes_ - bytes_above(i)};
}

std::optional<int> Stacks::guarded_by(const void* address) const noexcept {
  const std::less<> before;
  if (before(address, memory_) || !before(address, memory_ + mapped_bytes_)) return {};
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - memory_);
  if (offset % distance() >= guard_bytes_) return {};
  return static_cast<int>(offset / distance());
}

bool Stacks::has_left(int i) const noexcept {
  const std::byte* const lowest = stack(i).data();
  if (std::less<const void*>()(__builtin_frame_address(0), lowest)) return true;
  std::byte changed{};
  for (const std::byte byte : std::span(lowest - kLineBytes, kLineBytes)) {
    changed |= byte ^ kUntouched;
  }
  return changed != std::byte{};
}

}  // namespace postroom
