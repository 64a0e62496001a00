// Two rows in order, one behind the other, become one where they lie.
//
// The row behind is moved aside, which makes room for as many of the last ones of all. So many are
// merged, their parts by turns (sort/engine/merge_two.h). Those of the row in front that went have
// made room for the next, fewer and fewer; the last few that are aside are inserted.
//
// Each processor makes its share of what comes out. What lies where others write moves aside, too.
//
// Stable. Cost: one read and write of all records and one of those that move aside: the row behind,
// and with p processors what they write over, in all no more than there are; two barriers. A tenth
// appended to a row in order moves 1.1 times as much as all, where the way away and back is twice
// as much: 10^6 pairs of u64 on one core 5.5 ns each instead of 10, with the tenth in any order
// (AMD Zen 3). Memory: `away` has room for as many as home. Errors: what a key throws is kept by
// the steps; the records at home are a permutation.
//
// Source: our own; one row aside is how merging sorts have long saved memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "sort/engine/cold.h"
#include "sort/engine/from_end.h"
#include "sort/engine/merge_guessed.h"
#include "sort/engine/merge_two.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

template <class Records>
class MergeAtHome {
 public:
  static_assert(Records::kPlacesAreMemory);

  /// Of home[0, middle) and home[middle, size), size > 0. `guessed`: as merge_guessed takes them.
  /// `cold` is the memory of `away` that nobody has touched yet.
  MergeAtHome(const Records& home, const Records& away, std::size_t middle, std::size_t size,
              bool guessed, std::span<std::byte> cold)
      : home_(home),
        away_(away),
        size_(size),
        behind_(size - middle),
        guessed_(guessed),
        cold_(cold) {}

  /// Called by all.
  void run(Steps& steps) {
    Share own;
    if (!steps.together([&] {
          own = share_from(steps.share(0, size_));
          move_aside(steps.share(0, behind_));
          move_aside({behind_ + own.kept, behind_ + own.front.end});
        })) {
      return;
    }
    steps.in_any_case([&] { merge(own); });
  }

 private:
  using Elements = FromEnd<Records>;
  using Two = TwoRows<Elements::kStep>;

  // All indices count from the end. Of one processor: what it takes from the row behind, and from
  // the one in front, counted from its end. From `kept` on those in front lie where others write.
  struct Share {
    Range behind;
    Range front;
    std::size_t kept = 0;
  };

  Elements elements() const { return {home_, home_}; }
  std::size_t place(std::size_t i) const noexcept { return Elements::before(home_, size_ - i); }
  // Aside all lie as at home.
  std::size_t place_aside(std::size_t i) const noexcept {
    return Elements::before(away_, size_ - i);
  }
  auto key_aside(std::size_t i) const { return elements().key(place_aside(i)); }
  auto key_in_front(std::size_t i) const { return elements().key(place(behind_ + i)); }

  void move_aside(Range range) noexcept {
    touch_between(away_.memory(size_ - range.end), away_.memory(size_ - range.begin), cold_);
    away_.take_all(home_, size_ - range.end, size_ - range.begin);
  }
  // From where records lie, here or aside, to `to` and on.
  void move(std::size_t to, Records& from, Range range) noexcept {
    const std::size_t count = range.end - range.begin;
    std::byte* const target = home_.memory(size_ - to - count);
    const std::byte* const source = from.memory(size_ - range.end);
    if (target != source) std::memmove(target, source, count * Records::kRecordBytes);
  }

  // Of one processor, which makes [out.begin, out.end) of the merged row.
  Share share_from(Range out) const {
    const Two all{place(0), place(behind_), place(behind_), place(size_), 0};
    const Two own = all.cut(out.end, elements()).first.cut(out.begin, elements()).second;
    const std::size_t behind = steps_between<Elements::kStep>(all.a, own.a);
    const std::size_t front = out.begin - behind;
    const Range in_front{front, front + own.b_left()};
    const std::size_t kept = std::max(out.end, behind_) - behind_;
    return {
        {behind, behind + own.a_left()}, in_front, std::clamp(kept, in_front.begin, in_front.end)};
  }

  void merge(const Share& own) {
    Range behind = own.behind;  // what is left
    Range front = own.front;    // and of this
    try {
      merge_kept(behind, front, own.kept);
      merge_all({place_aside(behind.begin), place_aside(behind.end),
                 place_aside(behind_ + front.begin), place_aside(behind_ + front.end),
                 place(behind.begin + front.begin)});
    } catch (...) {
      // What is aside comes back to where there is room.
      const std::size_t to = behind.begin + front.begin;
      move(to, away_, behind);
      move(to + behind.end - behind.begin, away_,
           {behind_ + std::max(own.kept, front.begin), behind_ + front.end});
      throw;
    }
  }

  // Those in front up to `kept`, and what comes before the next of them.
  void merge_kept(Range& behind, Range& front, std::size_t kept) {
    const std::size_t last = kept < front.end ? first_above(kept, behind) : behind.end;
    while (front.begin < kept && behind.begin < behind_) {
      const std::size_t room = behind_ - behind.begin;
      if (room <= kFew) {
        insert(behind, last, front, kept);
        return;
      }
      const Two rows{place_aside(behind.begin), place_aside(last), place(behind_ + front.begin),
                     place(behind_ + kept), place(behind.begin + front.begin)};
      const Two now = rows.cut(std::min(room, rows.left()), elements()).first;
      merge_all(now);
      behind.begin += now.a_left();
      front.begin += now.b_left();
    }
    if (front.begin == kept) {
      move(behind.begin + kept, away_, {behind.begin, last});
      behind.begin = last;
    } else {
      front.begin = kept;  // where it belongs
    }
  }

  // The same, one by one.
  void insert(Range& behind, std::size_t last, Range& front, std::size_t kept) {
    const auto move_front = [&](std::size_t end) {
      move(behind.begin + front.begin, home_, {behind_ + front.begin, behind_ + end});
      front.begin = end;
    };
    for (; behind.begin < last; ++behind.begin) {
      move_front(first_not_below(key_aside(behind.begin), {front.begin, kept}));
      move(behind.begin + front.begin, away_, {behind.begin, behind.begin + 1});
    }
    move_front(kept);
  }

  // The first of those behind that comes after this one in front, which is aside.
  std::size_t first_above(std::size_t in_front, Range behind) const {
    const auto key = key_aside(behind_ + in_front);
    return bisect(behind, [&](std::size_t i) { return !(key < key_aside(i)); });
  }

  // The first in front whose key is not below `key`: soon, if it is near.
  std::size_t first_not_below(typename Records::Bits key, Range front) const {
    const auto is_below = [&](std::size_t i) { return key_in_front(i) < key; };
    std::size_t reach = 1;
    while (reach <= front.end - front.begin && is_below(front.begin + reach - 1)) {
      front.begin += reach;
      reach *= 2;
    }
    return bisect({front.begin, std::min(front.end, front.begin + reach - 1)}, is_below);
  }

  // The first of which it is not so; of all before it is.
  template <class IsBefore>
  static std::size_t bisect(Range range, const IsBefore& is_before) {
    while (range.begin < range.end) {
      const std::size_t middle = range.begin + (range.end - range.begin) / 2;
      if (is_before(middle)) {
        range.begin = middle + 1;
      } else {
        range.end = middle;
      }
    }
    return range.begin;
  }

  void merge_all(const Two& rows) const {
    if (guessed_) return merge_guessed<Elements::kStep>({rows, {}, rows.to}, elements());
    merge_two(rows, elements());
  }

  // Those are inserted.
  static constexpr std::size_t kFew = 32;

  Records home_;
  Records away_;
  std::size_t size_;
  std::size_t behind_;  // so many records
  bool guessed_;
  std::span<std::byte> cold_;
};

}  // namespace postroom::sorting
