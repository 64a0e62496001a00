// Big-endian numbers, which are keys of bytes, as numbers of this box, and turned back.
//
//   if (const std::optional<KeyType> number = number_of(format.key)) {
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

/// What the key is once it has been turned: a number itself, of 1, 2, 4 or 8 bytes an unsigned one,
/// else nothing.
std::optional<KeyType> number_of(const FileKey& key);

/// Whether turn_keys() has anything to do.
bool is_turned(const FileKey& key);

/// Turns the bytes of each key round, where that is a number of 2, 4 or 8 of them.
void turn_keys(std::span<std::byte> records, const KeyFormat& format);

}  // namespace postroom::cli
