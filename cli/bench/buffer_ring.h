// How many sets of lists take turns, so that a call does not find in the caches what the calls
// before it left there.
//
// As many as fill the last cache of the box twice, at most kMostBufferSets: of lists so small that
// this is not enough, those of the last calls stay in the caches, but none is used twice in a row.
// Lists larger than that need no second set.
//
//   std::vector<OperationData> ring(buffer_sets(bytes_of_one_set));
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom::cli {

inline constexpr std::uint64_t kMostBufferSets = 16;

/// Twice the last cache of this box, 64 MiB where the system does not say how large that is; but no
/// more than a quarter of the memory that is available, so that another program may have as much.
/// The same from the first call on.
std::uint64_t ring_bytes();
std::size_t buffer_sets(std::uint64_t bytes_of_set);

}  // namespace postroom::cli
