// Which processors are at which part of the records while a team parts: all are at everything; then
// half of those who are at one part go to what is below a key, and half to what is above, until
// each is alone.
//
//   for (int level = 0; level < Halving::levels(steps.count()); ++level) {
//     const bool parts = halving.parts();
//     …                                     // as many below the key as halving.rank() says
//     if (parts) halving.part(border);      // of that part, where the keys above begin
//   }
//   if (halving.sorts()) …                  // halving.all(), by this processor
//
// Used by sort/engine/sides_sort.h and sort/engine/parted_words.h. Every processor has one, and all
// come to the same. Cost: nothing; 512 keys read and put in order for a sample. Nothing here
// throws.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sort/engine/part.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

class Halving {
 public:
  /// So many keys tell where the middle is.
  static constexpr std::size_t kSample = 512;

  /// For processor `id` of some, and records [0, size).
  Halving(std::size_t id, std::size_t processors, std::size_t size) noexcept
      : id_(id), all_{0, size}, last_(processors) {}

  /// How often so many processors part.
  static int levels(std::size_t processors) noexcept {
    return static_cast<int>(std::bit_width(processors - 1));
  }

  /// The part that this processor is at, with processors first() … last() - 1.
  const Range& all() const noexcept { return all_; }
  std::size_t first() const noexcept { return first_; }
  std::size_t last() const noexcept { return last_; }
  /// What each of them does of the part, or of anything else.
  Range share(std::size_t id) const noexcept { return share(all_, id); }
  Range share(const Range& range, std::size_t id) const noexcept {
    return share_of(range, id - first_, last_ - first_);
  }
  Range own(const Range& range) const noexcept { return share(range, id_); }
  Range own() const noexcept { return own(all_); }

  /// Whether they part: there are several of them, and not few records.
  bool parts() const noexcept { return last_ - first_ > 1 && all_.end - all_.begin >= kLeast; }

  /// Keys from anywhere in the part, whatever their order. Precondition: parts().
  template <class Records>
  auto sample(const Records& records) const noexcept {
    std::array<typename Records::Bits, kSample> keys;
    const std::size_t step = (all_.end - all_.begin) / kSample;
    for (std::uint32_t i = 0; i < kSample; ++i) {
      keys[i] = records.key(all_.begin + anywhere_in_piece(i, step));
    }
    return keys;
  }
  /// The place among the keys of a sample, in order, of the one to part around.
  std::ptrdiff_t rank() const noexcept {
    return static_cast<std::ptrdiff_t>(kSample * (middle() - first_) / (last_ - first_));
  }
  /// From now on this processor is at what lies before the border, or at what lies behind.
  void part(std::size_t border) noexcept {
    const std::size_t middle_one = middle();
    if (id_ < middle_one) {
      last_ = middle_one;
      all_.end = border;
    } else {
      first_ = middle_one;
      all_.begin = border;
    }
  }

  /// Whether this processor sorts all(): where several are still there, which are few, the first.
  bool sorts() const noexcept { return id_ == first_; }

 private:
  // Fewer records are not parted.
  static constexpr std::size_t kLeast = std::size_t{1} << 13;

  std::size_t middle() const noexcept { return first_ + (last_ - first_) / 2; }

  std::size_t id_;
  Range all_;
  std::size_t first_ = 0;
  std::size_t last_;
};

}  // namespace postroom::sorting
