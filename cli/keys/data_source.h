// Keys that are made, not read: so many of a distribution, from a seed (sort/datasets.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/common/progress.h"
#include "cli/files/buffer.h"
#include "sort/datasets.h"
#include "sort/key_type.h"

namespace postroom::cli {

struct DataSource {
  std::uint64_t keys = 0;
  Distribution distribution = Distribution::uniform;
  std::uint64_t seed = 1;
};

/// From the texts of the options, those of distribution and seed if given. UsageError.
DataSource parse_data_source(std::string_view count_option, std::string_view count,
                             const std::optional<std::string>& distribution,
                             const std::optional<std::string>& seed);

/// The names of the distributions, for the help: "R, S, C, …".
std::string distribution_names();

/// The bytes of the keys [first, first + bytes / size of a key) of the source.
void make_keys(const DataSource& source, KeyType type, std::uint64_t first,
               std::span<std::byte> bytes);

/// All keys, made in parallel.
Buffer make_all_keys(const DataSource& source, KeyType type, Progress& progress);

}  // namespace postroom::cli
