#include "sort/by_sign.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/misplaced.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "sort/shares.h"
#include "sort/vectors/vector_sides.h"

namespace postroom::sorting {
namespace {

// So many bytes are moved at once, to both sides of -0, through a buffer in cache.
constexpr std::size_t kPieceBytes = std::size_t{1} << 14;

// One share. The order of bits ^ flip is wanted to begin with those that go to the front.
template <class Bits>
class SharePartition {
 public:
  SharePartition(std::byte* keys, std::size_t size, bool descending) noexcept
      : keys_(keys), size_(size), descending_(descending) {}

  // How many are at the front then.
  std::size_t run() noexcept {
    for (std::size_t end; begin_ < size_; begin_ = end) {
      end = std::min(size_, begin_ + kPiece);
      const auto [any, all] = fronts(end);
      if (all && begin_ == front_) {
        front_ = end;
      } else if (any) {
        take_piece(end);
      }
    }
    return front_;
  }

 private:
  static constexpr std::size_t kPiece = kPieceBytes / sizeof(Bits);
  static constexpr Bits kMinusZero = kTopBit<Bits>;

  struct Fronts {
    bool any;
    bool all;
  };

  std::byte* at(std::size_t i) const noexcept { return keys_ + i * sizeof(Bits); }

  Fronts fronts(std::size_t end) const noexcept {
    Bits any = 0;
    Bits all = std::numeric_limits<Bits>::max();
    for (std::size_t i = begin_; i < end; ++i) {
      Bits bits;
      std::memcpy(&bits, at(i), sizeof(bits));
      any |= bits;
      all &= bits;
    }
    const bool any_negative = (any & kMinusZero) != 0;
    const bool all_negative = (all & kMinusZero) != 0;
    return descending_ ? Fronts{!all_negative, !any_negative} : Fronts{any_negative, all_negative};
  }

  // Those before the piece are in place: front_ of them, and then the others.
  void take_piece(std::size_t end) noexcept {
    // Negative ones first: in the order of the bits they come last.
    const Bits flip = descending_ ? Bits{0} : std::numeric_limits<Bits>::max();
    const std::size_t size = end - begin_;
    // -0 has the least bits of them, and none but the highest: it parts them in both orders.
    const Pivot<Bits> pivot{kMinusZero, Equals::kAbove};
    const Sides sides = take_sides(at(begin_), buffer_.data(), size, pivot, flip);
    const std::size_t moved = std::min(sides.below, begin_ - front_);
    std::memcpy(at(end - sides.above - moved), at(front_), moved * sizeof(Bits));
    std::memcpy(at(front_), buffer_.data(), sides.below * sizeof(Bits));
    front_ += sides.below;
  }

  std::byte* keys_;
  std::size_t size_;
  bool descending_;
  std::size_t begin_ = 0;
  std::size_t front_ = 0;
  alignas(kCacheLine) std::array<std::byte, kPieceBytes> buffer_;
};

// What one processor tells the others.
struct alignas(kNoSharing) Told {
  std::size_t front = 0;
};

}  // namespace

std::size_t partition_by_sign(std::byte* data, std::size_t size, std::size_t key_bytes,
                              bool descending, const SortOptions& options) {
  Shares shares(size, options);
  std::vector<Told> told(shares.count());
  shares.run([&](Range own, std::size_t id) {
    std::byte* const keys = data + own.begin * key_bytes;
    const std::size_t count = own.end - own.begin;
    told[id].front = key_bytes == sizeof(std::uint32_t)
                         ? SharePartition<std::uint32_t>(keys, count, descending).run()
                         : SharePartition<std::uint64_t>(keys, count, descending).run();
  });
  std::size_t border = 0;
  for (const Told& each : told) border += each.front;
  Misplaced wrong(told.size());
  wrong.begin(border);
  for (std::size_t id = 0; id < told.size(); ++id) {
    wrong.add(share_of({0, size}, id, told.size()), told[id].front);
  }
  if (wrong.count() == 0) return border;
  shares.run([&](Range, std::size_t id) {
    wrong.swap(share_of({0, wrong.count()}, id, told.size()),
               [&](std::size_t place, std::size_t other, std::size_t count) {
                 std::byte* const begin = data + place * key_bytes;
                 std::swap_ranges(begin, begin + count * key_bytes, data + other * key_bytes);
               });
  });
  return border;
}

}  // namespace postroom::sorting
