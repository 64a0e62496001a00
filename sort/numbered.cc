#include "sort/numbered.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "sort/by_radix.h"
#include "sort/engine/layout.h"
#include "sort/engine/progress.h"
#include "sort/engine/team.h"
#include "sort/home.h"
#include "sort/shares.h"

namespace postroom::sorting {
namespace {

// The key of a row, as the engine reads it.
template <class Word>
struct NumberedKey {
  using Bits = Word;
  static constexpr bool kWholeRecord = false;
  static constexpr bool kIsField = true;

  Bits operator()(const std::byte* row) const noexcept {
    Bits key;
    std::memcpy(&key, row + offset(row), sizeof(key));
    return key;
  }
  std::size_t offset(const std::byte* /*row*/) const noexcept {
    return offsetof(NumberedRow<Word>, key);
  }
  Bits all_flipped() const noexcept { return 0; }
};

template <class Word>
void number_keys(std::span<NumberedRow<Word>> rows, const KeyReader& keys,
                 const SortOptions& options, std::size_t alone_records) {
  Shares(rows.size(), options, alone_records).run([&](Range own, std::size_t) {
    std::array<std::uint64_t, 512> some;
    for (std::size_t begin = own.begin; begin < own.end; begin += some.size()) {
      const std::size_t end = std::min(own.end, begin + some.size());
      keys.read(begin, end, some.data());
      for (std::size_t i = begin; i < end; ++i) {
        rows[i] = {.number = static_cast<Word>(i), .key = static_cast<Word>(some[i - begin])};
      }
    }
  });
}

template <class Word>
void read_again(std::span<NumberedRow<Word>> rows, const KeyReader& keys) {
  for (NumberedRow<Word>& row : rows) {
    std::uint64_t key = 0;
    keys.read(row.number, std::size_t{row.number} + 1, &key);
    row.key = static_cast<Word>(key);
  }
}

// The end of the rows that have the key of rows[begin], in steps of double length: where all are
// equal, each processor looks for it.
template <class Word>
std::size_t end_of_equal(std::span<const NumberedRow<Word>> rows, std::size_t begin) {
  const Word key = rows[begin].key;
  std::size_t step = 1;
  while (begin + step < rows.size() && rows[begin + step].key == key) step *= 2;
  const auto last = rows.subspan(begin, std::min(step, rows.size() - begin));
  const auto equal = [&](const NumberedRow<Word>& row) { return row.key == key; };
  return begin + static_cast<std::size_t>(std::ranges::partition_point(last, equal) - last.begin());
}

// Sorts rows whose numbers rise by the words that are left, by the calling thread. It calls itself
// for at most half of the rows, so that it needs little stack: keys may be of thousands of words.
template <class Word>
void sort_few(std::span<NumberedRow<Word>> rows, std::span<const KeyReader> words) {
  using Row = NumberedRow<Word>;
  for (; rows.size() > 1 && !words.empty(); words = words.subspan(1)) {
    read_again(rows, words.front());
    std::ranges::sort(rows, [](const Row& a, const Row& b) {
      return a.key < b.key || (a.key == b.key && a.number < b.number);
    });
    std::span<Row> most;
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end = end_of_equal<Word>(rows, begin);
      std::span<Row> equal = rows.subspan(begin, end - begin);
      if (equal.size() > most.size()) std::swap(equal, most);
      sort_few(equal, words.subspan(1));
      begin = end;
    }
    rows = most;
  }
}

// Rows of keys and numbers, sorted by all processors.
template <class Word>
class Numbered {
 public:
  using Row = NumberedRow<Word>;

  Numbered(const RoomForRows& room, const SortOptions& options, const SortConfig* config)
      : room_(room),
        options_(options),
        config_(config),
        alone_records_((config != nullptr ? *config : SortConfig{}).alone_records) {}

  void number_in_order(std::span<Row> rows, std::span<const KeyReader> words) {
    all_ = rows.data();
    number_keys(rows, words.front(), options_, alone_records_);
    sort(rows);
    room_.cold = {};
    options_.progress = nullptr;
    sort_equal(rows, words.subspan(1));
  }

 private:
  using Records = Rows<sizeof(Row), NumberedKey<Word>>;

  // So many are compared word by word.
  static constexpr std::size_t kFew = 1024;
  // More than so many are sorted by all processors, where there are several.
  static constexpr std::size_t kForOne = std::size_t{1} << 16;

  /// Rows that are equal in all words before these.
  struct Equal {
    std::span<Row> rows;
    std::span<const KeyReader> words;
  };

  void sort(std::span<Row> rows) {
    if (options_.algorithm != SortAlgorithm::automatic) return sort_by_radix(rows, options_);
    const Records home(std::as_writable_bytes(rows).data(), {});
    const auto make_room = [&]() -> Room<Records> { return {Records(room_.away, {}), room_.cold}; };
    SortOptions of_rows = options_;
    of_rows.progress = all_but_the_end(options_.progress);
    sort_home(home, rows.size(), make_room, of_rows, config_);
  }

  // Sorts those of the rows that are equal so far by the words that are left. A list, no recursion:
  // keys may be of thousands of words.
  void sort_equal(std::span<Row> rows, std::span<const KeyReader> words) {
    std::vector<Equal> left;
    sort_few_of(rows, words, left);
    while (!left.empty()) {
      const Equal equal = left.back();
      left.pop_back();
      read_again_together(equal.rows, equal.words.front());
      sort(equal.rows);
      sort_few_of(equal.rows, equal.words.subspan(1), left);
    }
  }

  // Sorts rows that are equal so far by the words that are left, by the calling thread, with their
  // part of the room.
  void sort_alone(std::span<Row> rows, std::span<const KeyReader> words) {
    const SortConfig config = config_ != nullptr ? *config_ : SortConfig{};
    for (std::vector<Equal> left{{rows, words}}; !left.empty();) {
      const Equal equal = left.back();
      left.pop_back();
      read_again(equal.rows, equal.words.front());
      const Records home(std::as_writable_bytes(equal.rows).data(), {});
      const std::size_t first = static_cast<std::size_t>(equal.rows.data() - all_);
      const auto make_room = [&]() -> Room<Records> {
        return {Records(room_.away, {}).from(first), {}};
      };
      if (!settle_order(home, equal.rows.size())) {
        sort_home_alone(home, make_room, equal.rows.size(), config);
      }
      const auto rest = equal.words.subspan(1);
      if (!rest.empty()) sort_or_list(equal.rows, 0, kFew, rest, left);
    }
  }

  // Of rows from `begin` on, sorts each group of at most kFew that are equal, or else of at most
  // kForOne; the others go to `list`.
  void sort_or_list(std::span<Row> rows, std::size_t begin, std::size_t most,
                    std::span<const KeyReader> words, std::vector<Equal>& list) {
    while (begin < rows.size()) {
      const std::size_t end = end_of_equal<Word>(rows, begin);
      const std::span<Row> equal = rows.subspan(begin, end - begin);
      if (equal.size() <= kFew) {
        sort_few(equal, words);
      } else if (equal.size() <= most) {
        sort_alone(equal, words);
      } else {
        list.push_back({equal, words});
      }
      begin = end;
    }
  }

  // Sorts those that are not too many, each by one processor; the others, for all processors, go to
  // `many`.
  void sort_few_of(std::span<Row> rows, std::span<const KeyReader> words,
                   std::vector<Equal>& many) {
    if (words.empty()) return;
    Shares shares(rows.size(), options_, alone_records_);
    std::vector<std::size_t> begins(shares.count() + 1, rows.size());
    shares.run([&](Range own, std::size_t id) {
      const bool inside = 0 < own.begin && own.begin < rows.size();
      begins[id] = inside ? end_of_equal<Word>(rows, own.begin - 1) : own.begin;
    });
    std::vector<std::vector<Equal>> found(shares.count());
    const bool alone = shares.count() > 1 && options_.algorithm == SortAlgorithm::automatic;
    shares.run([&](Range, std::size_t id) {
      // No further: the next processor gives its rows other keys meanwhile.
      sort_or_list(rows.first(begins[id + 1]), begins[id], alone ? kForOne : kFew, words,
                   found[id]);
    });
    for (const auto& of_share : found) many.insert(many.end(), of_share.begin(), of_share.end());
  }

  void read_again_together(std::span<Row> rows, const KeyReader& keys) {
    Shares(rows.size(), options_, alone_records_).run([&](Range own, std::size_t) {
      read_again(rows.subspan(own.begin, own.end - own.begin), keys);
    });
  }

  RoomForRows room_;
  Row* all_ = nullptr;  // room_ is for all of them
  SortOptions options_;
  const SortConfig* config_;
  std::size_t alone_records_;
};

}  // namespace

void number_in_order(std::span<WideRow> rows, std::span<const KeyReader> words,
                     const RoomForRows& room, const SortOptions& options,
                     const SortConfig* config) {
  Numbered<std::uint64_t>(room, options, config).number_in_order(rows, words);
}

void number_in_order(std::span<NarrowRow> rows, std::span<const KeyReader> words,
                     const RoomForRows& room, const SortOptions& options,
                     const SortConfig* config) {
  Numbered<std::uint32_t>(room, options, config).number_in_order(rows, words);
}

}  // namespace postroom::sorting
