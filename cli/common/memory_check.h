// Whether the memory suffices, asked before anything is touched.
#pragma once

#include <cstdint>
#include <string>

#include "numa/available_memory.h"

namespace postroom::cli {

/// To be called before there are threads: where addresses are limited, all get their small memory
/// from one place; otherwise malloc reserves 64 MiB of addresses for each.
void spare_addresses();

/// Throws std::runtime_error, "keys.u64: needs 12.0 GiB of memory, 7.45 GiB available", when
/// `needed` bytes are more than `available`.
void check_memory(const std::string& what, std::uint64_t needed,
                  std::uint64_t available = available_memory_bytes());

}  // namespace postroom::cli
