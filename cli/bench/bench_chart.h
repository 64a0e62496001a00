// A sweep as pictures: for each operation and number of processors the time by size, a line for
// each algorithm, what was predicted dashed in its colour.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/bench_arguments.h"
#include "cli/bench/bench_peer.h"
#include "cli/bench/bench_run.h"

namespace postroom::cli {

/// One SVG, the operations one below the other.
std::string bench_svg(const BenchArguments& arguments, const BenchResult& result,
                      const std::vector<BenchPeer>& peers);

}  // namespace postroom::cli
