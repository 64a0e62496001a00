// The sizes of messages of a sweep, as the benchmarks of this field take them: -b BEGIN -e END
// -f FACTOR.
//
//   message_sizes({"8"}, {"1K"}, {"4"});   // 8, 32, 128, 512
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postroom::cli {

inline constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 40U;
inline constexpr std::uint64_t kMostFactor = 1'000'000;

/// `text` in bytes: "8", "64K", "1M"; not less than `least`. UsageError names `option`.
std::int64_t message_size(std::string_view option, std::string_view text, std::uint64_t least = 0);

/// The same, but not 0.
std::size_t unit_size(std::string_view option, std::string_view text);

/// BEGIN alone is one size; without it, `otherwise`. FACTOR is 2 if it is not given. UsageError for
/// an END below BEGIN, a FACTOR below 2, a BEGIN of 0.
std::vector<std::int64_t> message_sizes(const std::optional<std::string>& begin,
                                        const std::optional<std::string>& end,
                                        const std::optional<std::string>& factor,
                                        std::int64_t otherwise);

}  // namespace postroom::cli
