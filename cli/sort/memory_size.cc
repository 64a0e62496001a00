#include "cli/sort/memory_size.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "cli/common/failure.h"
#include "numa/available_memory.h"
#include "numa/quota.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

std::uint64_t whole_memory_bytes() {
  const std::uint64_t box = physical_memory_bytes();
  return std::min(box, memory_limit().value_or(box));
}

/// What a number with `unit` behind it counts; nothing when there is no such unit.
std::optional<std::uint64_t> unit_bytes(std::string_view unit) {
  // As sort(1) has them: bytes are b alone, the others of either case.
  constexpr std::string_view kUnits = "bkmgtpe";
  constexpr std::string_view kUpper = "bKMGTPE";
  if (unit.empty()) return 1024;
  const std::size_t power = std::min(kUnits.find(unit.front()), kUpper.find(unit.front()));
  if (unit.size() > 1 || power == std::string_view::npos) return std::nullopt;
  return std::uint64_t{1} << (10 * power);
}

[[noreturn]] void refuse(std::string_view option, std::string_view text) {
  throw UsageError(fmt::format("{}: {} is not a size such as 800M or 2G, nor one of 1% to 100%",
                               option, in_quotes(text)));
}

}  // namespace

std::uint64_t memory_size(std::string_view option, std::string_view text) {
  return memory_size(option, text, whole_memory_bytes());
}

std::uint64_t memory_size(std::string_view option, std::string_view text,
                          std::uint64_t whole_bytes) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (error == std::errc::result_out_of_range) number = kMost;
  if (error == std::errc::invalid_argument || number == 0) refuse(option, text);
  if (unit == "%") {
    if (number > 100) refuse(option, text);
    return whole_bytes / 100 * number;
  }
  const std::optional<std::uint64_t> bytes = unit_bytes(unit);
  if (!bytes) refuse(option, text);
  // More than there can be is no limit.
  return number > kMost / *bytes ? kMost : number * *bytes;
}

}  // namespace postroom::cli
