#include "cli/bench/bench_command.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/bench/bench_arguments.h"
#include "cli/bench/bench_chart.h"
#include "cli/bench/bench_guidelines.h"
#include "cli/bench/bench_mpi.h"
#include "cli/bench/bench_report.h"
#include "cli/bench/bench_run.h"
#include "cli/common/json_text.h"
#include "cli/common/progress.h"
#include "cli/files/outputs.h"
#include "collectives/models/profile.h"

namespace postroom::cli {
namespace {

void check_guidelines(const BenchArguments& arguments, Outputs& outputs) {
  Progress progress(true);
  const GuidelineReport report = check_guidelines(arguments, progress);
  outputs.write("--json", json_text(to_json(arguments, report)));
  outputs.finish(to_text(arguments, report));
}

void sweep(const BenchArguments& arguments, Outputs& outputs) {
  // First what may be missing.
  std::vector<MpiProgram> programs;
  if (arguments.vs_mpi) programs = build_mpi_programs();
  Progress progress(true);
  BenchResult result = run_bench(arguments, progress);
  if (arguments.vs_mpi) add_notes(result.notes, notes_about_mpi(arguments));
  std::vector<BenchPeer> peers;
  for (const MpiProgram& program : programs) peers.push_back(run_mpi(program, arguments, progress));
  outputs.write("--json", json_text(to_json(arguments, result, peers)));
  outputs.write("--csv", to_csv(arguments, result, peers));
  if (outputs.has("--svg")) outputs.write("--svg", bench_svg(arguments, result, peers));
  outputs.finish(to_text(arguments, result, peers));
}

}  // namespace

int run_bench_command(std::span<const std::string> words) {
  const BenchArguments arguments = parse_bench(words);
  Outputs outputs({{"--json", arguments.json}, {"--csv", arguments.csv}, {"--svg", arguments.svg}});
  outputs.spare("the choice of algorithms", profile_path());
  if (arguments.guidelines) {
    check_guidelines(arguments, outputs);
  } else {
    sweep(arguments, outputs);
  }
  return 0;
}

}  // namespace postroom::cli
