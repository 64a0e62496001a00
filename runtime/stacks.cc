#include "runtime/stacks.h"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "numa/rounding.h"

namespace postroom {
namespace {

std::size_t whole_pages(std::size_t bytes) {
  return round_up(bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

// Where stacks would all end at the same place of a page, what is in use of them would fall on the
// same few sets of the caches.
constexpr int kPlaces = 32;
constexpr std::size_t kPlaceBytes = 128;

std::size_t bytes_above(int stack) {
  return static_cast<std::size_t>(stack % kPlaces) * kPlaceBytes;
}

}  // namespace

Stacks::Stacks(int count, std::size_t bytes, bool guarded)
    : guard_bytes_(guarded ? whole_pages(1) : 0),
      stack_bytes_(whole_pages(bytes + bytes_above(kPlaces - 1))) {
  if (count == 0) return;
  mapped_bytes_ = static_cast<std::size_t>(count) * (guard_bytes_ + stack_bytes_);
  void* const memory = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  // A huge page would make every stack take 2 MiB. A refusal costs memory only.
  (void)madvise(memory_, mapped_bytes_, MADV_NOHUGEPAGE);
  for (int i = 0; guarded && i < count; ++i) {
    // Should the system refuse one, the others still guard theirs.
    (void)mprotect(stack(i).data() - guard_bytes_, guard_bytes_, PROT_NONE);
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
  return {memory_ + static_cast<std::size_t>(i) * (guard_bytes_ + stack_bytes_) + guard_bytes_,
          stack_bytes_ - bytes_above(i)};
}

}  // namespace postroom
