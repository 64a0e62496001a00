// What a sweep found: as a table, as JSON, as lines of samples.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/bench/bench_arguments.h"
#include "cli/bench/bench_peer.h"
#include "cli/bench/bench_run.h"

namespace postroom::cli {

/// "wall", or the clock of the model with its parameters.
std::string clock_in_words(const BenchArguments& arguments);

/// The lines with # that stand above all that the command prints: box, version, machines, clock,
/// pinning.
std::string bench_header(const BenchArguments& arguments,
                         const std::vector<BenchedMachine>& machines);
/// Each machine with its number of threads and its pinning.
nlohmann::ordered_json to_json(const std::vector<BenchedMachine>& machines);
/// Each as a line with #.
std::string notes_in_words(const std::vector<std::string>& notes);

/// A row for each algorithm and size, a column for each of `peers`, and what the choice is worth.
std::string to_text(const BenchArguments& arguments, const BenchResult& result,
                    const std::vector<BenchPeer>& peers);

/// Times are in nanoseconds, in virtual time in units, with the exact fraction beside.
nlohmann::ordered_json to_json(const BenchArguments& arguments, const BenchResult& result,
                               const std::vector<BenchPeer>& peers);

/// operation,processors,bytes,algorithm,rounds,volume,sample,time,unit: a line for each sample,
/// below the header. Of `peers`, named in the place of the algorithm, there is the median alone.
std::string to_csv(const BenchArguments& arguments, const BenchResult& result,
                   const std::vector<BenchPeer>& peers);

}  // namespace postroom::cli
