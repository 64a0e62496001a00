#include "cli/common/units.h"

#include <fmt/core.h>

#include <array>

namespace postroom::cli {

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, 1, ',');
  }
  return digits;
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return counted(static_cast<std::int64_t>(bytes), "byte");
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (amount >= 999.5 && unit + 1 < kUnits.size()) {
    amount /= 1024;
    ++unit;
  }
  const int decimals = amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", amount, decimals, kUnits[unit]);
}

std::string readable_seconds(double seconds) {
  const int decimals = seconds < 0.00995 ? 4 : seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} s", seconds, decimals);
}

}  // namespace postroom::cli
