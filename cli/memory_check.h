// Whether the memory suffices, asked before anything is touched.
#pragma once

#include <cstdint>
#include <string>

namespace postroom::cli {

/// What this process may still take: what the system calls available (MemAvailable), at most what
/// is left of the limit of its control group and of its addresses. 2^64-1 where the system does not
/// say.
std::uint64_t available_memory_bytes();

/// What is left of the addresses that this process may have (`ulimit -v`), of which also memory
/// that was never touched takes some; 2^64-1 without a limit.
std::uint64_t address_space_left();

/// To be called before there are threads: where addresses are limited, all get their small memory
/// from one place; otherwise malloc reserves 64 MiB of addresses for each.
void spare_addresses();

/// Throws std::runtime_error, "keys.u64: needs 12.0 GiB of memory, 7.45 GiB available", when
/// `needed` bytes are more than `available`.
void check_memory(const std::string& what, std::uint64_t needed,
                  std::uint64_t available = available_memory_bytes());

}  // namespace postroom::cli
