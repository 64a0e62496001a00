#include "sort/numbered_words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace postroom::sorting {
namespace {

using Word = std::uint64_t;
using Half = std::uint32_t;
constexpr int kHalfBits = 32;

struct Halves {
  Half key;
  Half other;
};

template <bool kKeyIsUpper>
Halves halves_of(Word row) noexcept {
  const auto upper = static_cast<Half>(row >> kHalfBits);
  const auto lower = static_cast<Half>(row);
  return kKeyIsUpper ? Halves{upper, lower} : Halves{lower, upper};
}

constexpr Word word_of(Half upper, Half lower) noexcept { return Word{upper} << kHalfBits | lower; }

// In place of the other halves there are numbers, and keys lie above, as long as this lives.
template <bool kKeyIsUpper>
class Numbered {
 public:
  explicit Numbered(const WordRows& rows)
      : rows_(rows), others_(std::make_unique_for_overwrite<Half[]>(rows.size)) {
    each_row([&](std::size_t i, Word row) {
      const auto [key, other] = halves_of<kKeyIsUpper>(row);
      others_[i] = other;
      return word_of(key ^ rows_.flip, static_cast<Half>(i));
    });
  }
  Numbered(const Numbered&) = delete;
  Numbered& operator=(const Numbered&) = delete;
  ~Numbered() {
    each_row([&](std::size_t, Word row) {
      const auto [key, number] = halves_of<true>(row);
      const Half other = others_[number];
      return kKeyIsUpper ? word_of(key ^ rows_.flip, other) : word_of(other, key ^ rows_.flip);
    });
  }

 private:
  template <class Change>
  void each_row(Change change) noexcept {
    std::byte* const home = rows_.home;
    for (std::size_t i = 0, size = rows_.size; i < size; ++i) {
      Word row;
      std::memcpy(&row, home + i * sizeof(row), sizeof(row));
      row = change(i, row);
      std::memcpy(home + i * sizeof(row), &row, sizeof(row));
    }
  }

  const WordRows& rows_;
  std::unique_ptr<Half[]> others_;
};

template <bool kKeyIsUpper>
void sort(const WordRows& rows, const SortConfig& config) {
  const Numbered<kKeyIsUpper> numbered(rows);
  sort_words_alone({rows.home, rows.away, rows.size, /*key_is_upper=*/true, /*flip=*/0}, config);
}

}  // namespace

void sort_numbered_words(const WordRows& rows, const SortConfig& config) {
  return rows.key_is_upper ? sort<true>(rows, config) : sort<false>(rows, config);
}

}  // namespace postroom::sorting
