// Stacks for the processors that share a thread.
//
// All stacks of a thread lie in one mapping, made once and used again in every run. Only the pages
// that a program really uses become memory: about two of 4 KiB for a small one. Below each stack
// lies a guard, as large as the stack, that nobody may touch, so that a program that needs more
// ends with a fault instead of writing into its neighbour's stack, also where a large array reaches
// far below. When there are so many stacks that the system's limit on mappings would be passed
// (each guard splits one), there are none; a line below each stack then shows whether somebody
// wrote there, to whoever asks before another stack is used. A large array can reach over that
// line.
//
// Errors: std::bad_alloc when the address space is used up.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace postroom {

class Stacks {
 public:
  /// Above so many stacks in a process there are no guards: Linux allows 65,530 mappings.
  static constexpr int kMostGuarded = 16'384;

  /// `count` stacks of at least `bytes` bytes each; with guards when `guarded`.
  Stacks(int count, std::size_t bytes, bool guarded);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// The usable part of stack `i`, from its lowest address.
  std::span<std::byte> stack(int i) const noexcept;

  /// The stack in whose guard `address` lies. May be called in a signal handler.
  std::optional<int> guarded_by(const void* address) const noexcept;

  /// Whether stack `i`, on which the caller is, has no guard and did not suffice: the caller is
  /// below it, or the line below it has changed.
  bool is_overrun(int i) const noexcept { return !guarded_ && has_left(i); }

 private:
  bool has_left(int i) const noexcept;
  /// From one stack to the next.
  std::size_t distance() const noexcept { return guard_bytes_ + stack_bytes_; }

  bool guarded_;
  std::size_t stack_bytes_;
  std::size_t guard_bytes_;  // below each
  std::size_t below_bytes_;  // below the first
  std::byte* memory_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace postroom
