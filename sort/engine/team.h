// The processors that sort together, as one of them sees the others.
//
// The engine asks a machine for nothing but who and how many we are and for barriers; so it also
// runs on the caller's thread alone, without a machine: then barriers do nothing.
//
//   Team team(self);   // or Team() for one alone
//   const auto [begin, end] = share_of({0, n}, team.id(), team.count());
//   team.barrier();
#pragma once

#include <cstddef>

#include "runtime/processor.h"

namespace postroom::sorting {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The part of `whole` that processor `id` of `count` gets; sizes differ by one at most.
inline Range share_of(Range whole, std::size_t id, std::size_t count) noexcept {
  const std::size_t size = (whole.end - whole.begin) / count;
  const std::size_t larger = (whole.end - whole.begin) % count;
  const auto start = [&](std::size_t i) {
    return whole.begin + i * size + (i < larger ? i : larger);
  };
  return {start(id), start(id + 1)};
}

class Team {
 public:
  Team() = default;
  explicit Team(Processor& self) : self_(&self) {}

  std::size_t id() const noexcept {
    return self_ == nullptr ? 0 : static_cast<std::size_t>(self_->id());
  }
  std::size_t count() const noexcept {
    return self_ == nullptr ? 1 : static_cast<std::size_t>(self_->count());
  }

  /// Returns when all have called it; what each wrote before is seen by all after. Nothing fails
  /// here, so that records which are on their way arrive, whatever clock or trace the machine has.
  void barrier() {
    if (self_ != nullptr) self_->barrier_off_record();
  }

 private:
  Processor* self_ = nullptr;
};

}  // namespace postroom::sorting
