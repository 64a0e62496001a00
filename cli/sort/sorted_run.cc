#include "cli/sort/sorted_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/failure.h"
#include "cli/common/units.h"
#include "cli/keys/text_numbers.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

// Most lines end within so many bytes.
constexpr std::uint64_t kFirstLook = 128;
constexpr std::uint64_t kShownBytes = 100;
constexpr std::size_t kCountedBytes = std::size_t{1} << 16;

}  // namespace

SortedRun::SortedRun(StoredFile file, std::uint64_t begin, std::uint64_t bytes, std::string name,
                     std::uint64_t longest_line)
    : file_(std::move(file)),
      begin_(begin),
      bytes_(bytes),
      name_(std::move(name)),
      longest_line_(longest_line) {}

void SortedRun::read(std::uint64_t place, std::span<std::byte> bytes) const {
  if (file_.read_full_at(bytes, begin_ + place, name_) == bytes.size()) return;
  throw std::runtime_error(fmt::format("{}: it got shorter while it was read", name_));
}

void SortedRun::expect(std::uint64_t place, std::uint64_t bytes) const {
  file_.expect(begin_ + place, bytes);
}

std::optional<FoundRecord> SortedRun::at_or_after(std::uint64_t place,
                                                  const RecordOrder& order) const {
  if (order.is_text()) return line_at_or_after(place, order);
  const std::size_t record_bytes = order.record_bytes();
  const std::uint64_t begin = round_up<std::uint64_t>(place, record_bytes);
  if (begin >= bytes_) return std::nullopt;
  std::vector<std::byte> record(record_bytes);
  read(begin, record);
  return FoundRecord{begin, order.key(record.data()), {}};
}

std::optional<FoundRecord> SortedRun::line_at_or_after(std::uint64_t place,
                                                       const RecordOrder& order) const {
  // A line begins at the beginning and after each '\n'.
  const std::uint64_t from = place == 0 ? 0 : place - 1;
  std::vector<char> looked;
  for (std::uint64_t look = kFirstLook; from < bytes_; look *= 4) {
    looked.resize(std::min(look, bytes_ - from));
    read(from, std::as_writable_bytes(std::span(looked)));
    const std::string_view text(looked.data(), looked.size());
    const bool all = from + text.size() == bytes_;
    const std::size_t begin = place == 0 ? 0 : line_end(text, 0) + 1;
    if (begin >= text.size() && all) return std::nullopt;
    if (!all && line_end(text, begin) == text.size()) {
      if (look <= longest_line_) continue;
      throw UsageError(fmt::format("{} is longer than {}, which is all there is for it",
                                   line_in_words(from + std::min(begin, text.size() - 1)),
                                   readable_bytes(longest_line_)));
    }
    try {
      const LineNumber line = number_at(text, begin);
      return FoundRecord{from + begin, {order.key_of_number(line.number)}, line};
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", line_in_words(from + begin), error.what()));
    }
  }
  return std::nullopt;
}

std::string SortedRun::line_in_words(std::uint64_t place) const {
  std::uint64_t lines = 1;
  std::vector<char> looked(kCountedBytes);
  for (std::uint64_t from = 0; from < place; from += looked.size()) {
    looked.resize(std::min<std::uint64_t>(looked.size(), place - from));
    read(from, std::as_writable_bytes(std::span(looked)));
    lines += static_cast<std::uint64_t>(std::ranges::count(looked, '\n'));
  }
  return fmt::format("{}: line {}", name_, lines);
}

std::string SortedRun::quoted_line(std::uint64_t place) const {
  std::vector<char> line(std::min(bytes_ - place, kShownBytes));
  read(place, std::as_writable_bytes(std::span(line)));
  const std::string_view text(line.data(), line.size());
  return in_quotes(text.substr(0, line_end(text, 0)));
}

FoundRecord SortedRun::last(const RecordOrder& order) const {
  if (!order.is_text()) return *at_or_after(bytes_ - order.record_bytes(), order);
  std::uint64_t look = kFirstLook;
  for (;; look *= 4) {
    std::optional<FoundRecord> found = at_or_after(bytes_ - std::min(look, bytes_), order);
    if (!found) continue;  // a line longer than that
    while (const auto next = at_or_after(found->place + 1, order)) found = next;
    return *found;
  }
}

}  // namespace postroom::cli
