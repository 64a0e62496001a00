// Numbers of the postal model on the command line: exact fractions, t0, ports.
#pragma once

#include <chrono>
#include <string_view>

#include "runtime/rational.h"

namespace postroom::cli {

/// What --ports may say at most.
inline constexpr int kMostPorts = 1000;

/// `text` as a latency λ: "2", "1.8" or "9/5", from 1 to Latency::kMost. UsageError names
/// `option`.
Rational latency_of(std::string_view option, std::string_view text);

/// The same for a time: at least 0.
Rational time_of(std::string_view option, std::string_view text);

/// `text` as a time on the clock: "200us", "1ms", "0.5s", from 1 us to 1000 s.
std::chrono::nanoseconds duration_of(std::string_view option, std::string_view text);

}  // namespace postroom::cli
