// Numbers as people read them: 100,000,000; 1.5 GiB; 0.31 s; and counted() of numa/words.h.
#pragma once

#include <cstdint>
#include <string>

#include "numa/words.h"  // IWYU pragma: export

namespace postroom::cli {

/// "100,000,000".
std::string with_commas(std::uint64_t number);

/// "17 bytes", "1.50 GiB": three digits that count, rounded.
std::string readable_bytes(std::uint64_t bytes);

/// "0.31 s", "12.4 s", "183 s"; below 10 ms "0.0042 s".
std::string readable_seconds(double seconds);

}  // namespace postroom::cli
