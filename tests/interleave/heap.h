// The heap while an execution runs: what it frees stays until its end.
//
// This library replaces operator new and operator delete. Outside of explore() they are malloc and
// free. Inside, memory that is deleted is kept until the execution ends and is marked as freed, so
// that a late access to it is found, and so that no address is used twice in an execution (the
// checker knows objects by their addresses). Memory from elsewhere (malloc, mmap) is not followed.
//
// The checker's own tables go past all that: they may grow while an execution runs.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace postroom::interleave {

/// Allocates past operator new and delete.
template <class T>
struct UntrackedAllocator {
  using value_type = T;
  UntrackedAllocator() = default;
  template <class U>
  UntrackedAllocator(const UntrackedAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) {
    void* const memory = std::malloc(n * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }
  friend bool operator==(UntrackedAllocator, UntrackedAllocator) { return true; }
};

template <class T>
using UntrackedVector = std::vector<T, UntrackedAllocator<T>>;

}  // namespace postroom::interleave
