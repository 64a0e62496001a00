// Big-endian unsigned numbers, which are keys of bytes, as numbers of this box, and turned back.
//
//   if (const std::optional<KeyType> number = number_type_of(format.key)) {
//     turn_keys(records, format);   // now their keys are *number
//     …
//     turn_keys(records, format);   // and are as they were
//   }
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "cli/keys/key_format.h"
#include "sort/key_type.h"

namespace postroom::cli {

/// The type of the key as a number: its own, or the unsigned one of as many bytes; nothing for
/// other lengths.
std::optional<KeyType> number_type_of(const FileKey& key);

/// Whether turn_keys() has anything to do.
bool is_turned(const FileKey& key);

/// Turns the bytes of each key round, where that is a number of 2, 4 or 8 of them.
void turn_keys(std::span<std::byte> records, const KeyFormat& format);

}  // namespace postroom::cli
