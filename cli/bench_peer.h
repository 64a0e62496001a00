// What another library of collectives took for the same cells.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace postroom::cli {

struct BenchPeer {
  std::string name;                                                      ///< "Open MPI"
  std::map<std::pair<std::string, std::size_t>, double> median_ns = {};  ///< by operation and bytes
};

}  // namespace postroom::cli
