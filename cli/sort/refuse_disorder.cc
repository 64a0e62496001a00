#include "cli/sort/refuse_disorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/failure.h"
#include "cli/keys/lines.h"
#include "cli/keys/order_key.h"
#include "cli/keys/text_numbers.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 20;

/// Looks through one run, block by block.
class Search {
 public:
  Search(const SortedRun& run, const RecordOrder& order) : run_(run), order_(order) {}

  /// Where the first record is that is out of order, among those that begin before `end`.
  std::optional<std::uint64_t> first_before(std::uint64_t end) {
    std::uint64_t most = order_.is_text() ? kReadBytes : whole_records(kReadBytes);
    for (std::uint64_t place = 0; place < end;) {
      block_.resize(std::min(most, run_.bytes() - place));
      run_.read(place, block_);
      const std::size_t looked = order_.is_text() ? look_at_lines(place) : look_at_records();
      if (found_) return place + looked;
      place += looked;
      if (looked > 0) continue;
      // A line longer than the block, which the run refuses if it is too long.
      static_cast<void>(run_.at_or_after(place, order_));
      most *= 2;
    }
    return std::nullopt;
  }

 private:
  std::uint64_t whole_records(std::uint64_t bytes) const {
    const std::uint64_t record = order_.record_bytes();
    return std::max(bytes / record, std::uint64_t{1}) * record;
  }

  /// How many bytes are in order.
  std::size_t look_at_records() {
    for (std::size_t at = 0; at < block_.size(); at += order_.record_bytes()) {
      if (!follows(order_.key(block_.data() + at))) return at;
    }
    return block_.size();
  }

  /// The same, of lines that end in the block, or with the run.
  std::size_t look_at_lines(std::uint64_t place) {
    const std::string_view all = characters(block_);
    const bool is_last = place + all.size() == run_.bytes();
    const std::string_view text = is_last ? all : whole_lines(all);
    for (std::size_t at = 0; at < text.size();) {
      const LineNumber line = number_of(text, at, place);
      if (!follows(line)) return at;
      at = line.end + 1;
    }
    return is_last ? all.size() : text.size();
  }

  LineNumber number_of(std::string_view text, std::size_t at, std::uint64_t place) const {
    try {
      return number_at(text, at);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", run_.line_in_words(place + at), error.what()));
    }
  }

  bool follows(OrderKey key) {
    found_ = key < last_;
    last_ = std::move(key);
    return !found_;
  }

  // Among all numbers: those that are out of order may be of another type than the others.
  bool follows(const LineNumber& line) {
    const auto is_before = [](const LineNumber& a, const LineNumber& b) {
      const bool a_is_less = a.negative && a.number != 0;
      const bool b_is_less = b.negative && b.number != 0;
      return a_is_less != b_is_less ? a_is_less : a.number < b.number;
    };
    found_ = last_line_ &&
             (order_.descending() ? is_before(*last_line_, line) : is_before(line, *last_line_));
    last_line_ = line;
    return !found_;
  }

  const SortedRun& run_;
  const RecordOrder& order_;
  std::vector<std::byte> block_;
  OrderKey last_;  // no key is smaller
  std::optional<LineNumber> last_line_;
  bool found_ = false;
};

std::string in_words(const SortedRun& run, std::uint64_t place, const RecordOrder& order) {
  if (order.is_text()) return run.line_in_words(place) + ": " + run.quoted_line(place);
  return fmt::format("{}: record {}", run.name(), place / order.record_bytes() + 1);
}

}  // namespace

void refuse_disorder(std::span<const SortedRun> runs, std::size_t run, std::uint64_t place,
                     const RecordOrder& order) {
  for (std::size_t each = 0; each <= run; ++each) {
    // Of lines, the one at `place` may be in order, and of the type that the order has not.
    const bool whole = each < run || order.is_text();
    const std::uint64_t end = whole ? runs[each].bytes() : place + 1;
    if (const auto first = Search(runs[each], order).first_before(end)) {
      throw UsageError(in_words(runs[each], *first, order) +
                       " is out of order; only what is in order can be merged");
    }
  }
  throw std::runtime_error(runs[run].name() + ": it was changed while it was read");
}

}  // namespace postroom::cli
