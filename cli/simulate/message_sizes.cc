#include "cli/simulate/message_sizes.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"

namespace postroom::cli {

std::int64_t message_size(std::string_view option, std::string_view text, std::uint64_t least) {
  constexpr std::string_view kLetters = "KMGT";
  const bool has_letter = !text.empty() && kLetters.find(text.back()) != std::string_view::npos;
  const std::string_view digits = has_letter ? text.substr(0, text.size() - 1) : text;
  const bool is_number = !digits.empty() && digits.size() <= 13 &&
                         std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) {
    const int shift = has_letter ? 10 * (static_cast<int>(kLetters.find(text.back())) + 1) : 0;
    const std::uint64_t number = std::stoull(std::string(digits));
    if (number >= least && number <= kMostMessageBytes >> shift) {
      return static_cast<std::int64_t>(number << shift);
    }
  }
  throw UsageError(fmt::format("{}: {} is not a size from {} to 1T, such as 8, 64K, 1M", option,
                               in_quotes(text), least));
}

std::size_t unit_size(std::string_view option, std::string_view text) {
  return static_cast<std::size_t>(message_size(option, text, 1));
}

std::vector<std::int64_t> message_sizes(const std::optional<std::string>& begin,
                                        const std::optional<std::string>& end,
                                        const std::optional<std::string>& factor,
                                        std::int64_t otherwise) {
  const std::int64_t first = begin ? message_size("-b", *begin, 1) : otherwise;
  if (!end) {
    if (factor) throw UsageError("-f needs -e: the last size");
    return {first};
  }
  const std::int64_t last = message_size("-e", *end, 1);
  const std::int64_t by =
      factor ? static_cast<std::int64_t>(whole_number("-f", *factor, 2, kMostFactor)) : 2;
  if (last < first) {
    throw UsageError(fmt::format("-e: {} is not allowed; at least -b, which is {}", last, first));
  }
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = first; size <= last; size *= by) sizes.push_back(size);
  return sizes;
}

}  // namespace postroom::cli
