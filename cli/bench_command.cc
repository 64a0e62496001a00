#include "cli/bench_command.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/bench_arguments.h"
#include "cli/bench_chart.h"
#include "cli/bench_guidelines.h"
#include "cli/bench_mpi.h"
#include "cli/bench_report.h"
#include "cli/bench_run.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace postroom::cli {
namespace {

/// The files that were asked for, opened before anything is run.
struct Files {
  explicit Files(const BenchArguments& arguments) {
    if (arguments.json) json.emplace(*arguments.json);
    if (arguments.csv) csv.emplace(*arguments.csv);
    if (arguments.svg) svg.emplace(*arguments.svg);
  }

  std::optional<Output> json, csv, svg;
};

void check_guidelines(const BenchArguments& arguments, Files& files) {
  Progress progress(true);
  const GuidelineReport report = check_guidelines(arguments, progress);
  if (!arguments.no_table) print(to_text(arguments, report));
  if (files.json) files.json->write_and_finish(to_json(arguments, report).dump(2) + "\n");
}

void sweep(const BenchArguments& arguments, Files& files) {
  // First what may be missing.
  std::vector<MpiProgram> programs;
  if (arguments.vs_mpi) programs = build_mpi_programs();
  Progress progress(true);
  const BenchResult result = run_bench(arguments, progress);
  std::vector<BenchPeer> peers;
  for (const MpiProgram& program : programs) peers.push_back(run_mpi(program, arguments, progress));
  if (!arguments.no_table) print(to_text(arguments, result, peers));
  if (files.json) files.json->write_and_finish(to_json(arguments, result, peers).dump(2) + "\n");
  if (files.csv) files.csv->write_and_finish(to_csv(arguments, result));
  if (files.svg) files.svg->write_and_finish(bench_svg(arguments, result));
}

}  // namespace

int run_bench_command(std::span<const std::string> words) {
  const BenchArguments arguments = parse_bench(words);
  Files files(arguments);
  if (arguments.guidelines) {
    check_guidelines(arguments, files);
  } else {
    sweep(arguments, files);
  }
  return 0;
}

}  // namespace postroom::cli
