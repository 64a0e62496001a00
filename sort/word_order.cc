#include "sort/word_order.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "sort/engine/team.h"
#include "sort/shares.h"
#include "sort/sort.h"

namespace postroom::sorting {
namespace {

// So many rows that are alike are compared word by word.
constexpr std::size_t kFew = 64;
// So many are sorted by one processor.
constexpr std::size_t kForOne = std::size_t{1} << 16;

using Rows = std::span<WideRow>;

class WordOrder {
 public:
  WordOrder(std::span<const std::uint64_t> tails, std::size_t tail_words, SortOptions options)
      : tails_(tails), tail_words_(tail_words), options_(std::move(options)) {
    options_.scratch = {};
    options_.progress = nullptr;
  }

  // Rows that hold the word after `known` words, in which they are alike.
  void sort(Rows rows, std::size_t known, const SortOptions& options) const {
    // Not by recursion: there may be a run in a run for each word.
    for (std::vector<Run> runs{{rows, known}}; !runs.empty();) {
      const Run run = runs.back();
      runs.pop_back();
      if (run.known > known) read_words(run.rows, run.known - 1, options);
      sort_by_word(run, runs, options);
    }
  }

  const SortOptions& options() const noexcept { return options_; }

 private:
  // Rows that are alike in `known` words.
  struct Run {
    Rows rows;
    std::size_t known;
  };

  // Adds those that are left to `runs`; they do not hold their next word yet.
  void sort_by_word(Run run, std::vector<Run>& runs, const SortOptions& options) const {
    for (;;) {
      postroom::sort(run.rows, &WideRow::key, options);
      if (run.known == tail_words_ || run.rows.size() < 2) return;
      if (run.rows.front().key != run.rows.back().key) break;
      read_words(run.rows, run.known++, options);  // all are alike in one word more
    }
    for (const Rows rest : sort_runs(run.rows, run.known, options)) {
      runs.push_back({rest, run.known + 1});
    }
  }

  // Each run of rows with the same word, but the large ones, which are returned: those are for all
  // processors, which are not to be had before this has ended; by one, all but those of few.
  std::vector<Rows> sort_runs(Rows rows, std::size_t known, const SortOptions& options) const {
    const std::size_t for_one = options.processors == 1 ? 0 : kForOne;
    Shares shares(rows.size(), options);
    std::vector<std::size_t> begins;
    for (std::size_t id = 0; id <= shares.count(); ++id) {
      begins.push_back(begin_of_run(rows, rows.size() * id / shares.count()));
    }
    std::vector<std::vector<Rows>> large(shares.count());
    shares.run([&](Range, std::size_t id) {
      // One scratch for all, when there is need of one: of the library's only one call has that.
      std::unique_ptr<std::byte[]> scratch;
      const std::size_t scratch_size = scratch_bytes(kForOne, sizeof(WideRow), alone());
      // Others change the words of theirs meanwhile.
      const Rows own = rows.first(begins[id + 1]);
      for (std::size_t i = begins[id]; i < own.size();) {
        const Rows run = own.subspan(i, end_of_run(own, i) - i);
        i += run.size();
        if (run.size() == 1) continue;
        if (run.size() <= kFew) {
          sort_few(run, known);
        } else if (run.size() <= for_one) {
          SortOptions one = alone();
          if (!scratch) scratch = std::make_unique_for_overwrite<std::byte[]>(scratch_size);
          one.scratch = {scratch.get(), scratch_size};
          read_words(run, known, one);
          sort(run, known + 1, one);
        } else {
          large[id].push_back(run);
        }
      }
    });
    std::vector<Rows> all;
    for (const auto& runs : large) all.insert(all.end(), runs.begin(), runs.end());
    return all;
  }

  SortOptions alone() const {
    SortOptions options = options_;
    options.processors = 1;
    options.machine = nullptr;
    return options;
  }

  const std::uint64_t* tail(const WideRow& row) const noexcept {
    return tails_.data() + row.number * tail_words_;
  }

  // Puts the word after `known` words into the rows.
  void read_words(Rows rows, std::size_t known, const SortOptions& options) const {
    Shares(rows.size(), options).run([&](Range own, std::size_t) {
      for (std::size_t i = own.begin; i < own.end; ++i) rows[i].key = tail(rows[i])[known];
    });
  }

  void sort_few(Rows rows, std::size_t known) const {
    std::ranges::sort(rows, [&](const WideRow& a, const WideRow& b) {
      for (std::size_t word = known; word < tail_words_; ++word) {
        const std::uint64_t of_a = tail(a)[word];
        const std::uint64_t of_b = tail(b)[word];
        if (of_a != of_b) return (of_a < of_b) != options_.descending;
      }
      return a.number < b.number;
    });
  }

  // The first run of rows with the same word that begins at or after `i`.
  static std::size_t begin_of_run(Rows rows, std::size_t i) {
    if (i == 0 || i == rows.size() || rows[i].key != rows[i - 1].key) return i;
    return end_of_run(rows, i);
  }

  static std::size_t end_of_run(Rows rows, std::size_t i) {
    const std::uint64_t word = rows[i].key;
    std::size_t step = 1;
    while (i + step < rows.size() && rows[i + step].key == word) step *= 2;
    const auto in_run = [&](const WideRow& row) { return row.key == word; };
    const Rows last = rows.subspan(i, std::min(step, rows.size() - i));
    return i + static_cast<std::size_t>(std::ranges::partition_point(last, in_run) - last.begin());
  }

  std::span<const std::uint64_t> tails_;
  std::size_t tail_words_;
  SortOptions options_;
};

}  // namespace

void order_by_words(std::span<WideRow> rows, std::span<const std::uint64_t> tails,
                    std::size_t tail_words, const SortOptions& options) {
  const WordOrder order(tails, tail_words, options);
  order.sort(rows, 0, order.options());
}

}  // namespace postroom::sorting
