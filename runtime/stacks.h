// Stacks for the processors that share a thread.
//
// All stacks of a thread lie in one mapping, made once and used again in every run. Only the pages
// that a program really uses become memory: about two of 4 KiB for a small one. Below each stack
// lies a page that nobody may touch, so that a program that needs more ends with a fault instead of
// writing into its neighbour's stack; when there are so many stacks that the system's limit on
// mappings would be passed (each such page splits one), these pages are left out.
//
// Errors: std::bad_alloc when the address space is used up.
#pragma once

#include <cstddef>
#include <span>

namespace postroom {

class Stacks {
 public:
  /// Above so many stacks in a process there are no guard pages: Linux allows 65,530 mappings.
  static constexpr int kMostGuarded = 16'384;

  /// `count` stacks of at least `bytes` bytes each; with guard pages when `guarded`.
  Stacks(int count, std::size_t bytes, bool guarded);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// The usable part of stack `i`, from its lowest address.
  std::span<std::byte> stack(int i) const noexcept;

 private:
  std::size_t guard_bytes_;
  std::size_t stack_bytes_;
  std::byte* memory_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace postroom
