#include "cli/keys/line_names.h"

#include <fmt/core.h>

#include <algorithm>

namespace postroom::cli {

void LineNames::add(const std::string& input, std::uint64_t first_line) {
  begins_.push_back({input, first_line});
}

std::string LineNames::operator()(std::uint64_t line) const {
  const auto after = std::ranges::upper_bound(begins_, line, {}, &Begin::line);
  if (after == begins_.begin()) return fmt::format("line {}", line + 1);
  const Begin& begin = *(after - 1);
  return fmt::format("{}: line {}", begin.input, line - begin.line + 1);
}

std::string LineNames::beside(std::uint64_t line) const {
  return begins_.size() > 1 ? (*this)(line) : fmt::format("line {}", line + 1);
}

}  // namespace postroom::cli
