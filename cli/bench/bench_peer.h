// What another library of collectives took for the same cells.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

namespace postroom::cli {

struct BenchPeer {
  std::string name;  ///< "Open MPI"
  /// By operation, processors and bytes.
  std::map<std::tuple<std::string, int, std::size_t>, double> median_ns = {};
};

}  // namespace postroom::cli
