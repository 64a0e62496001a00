// `postroom bench`, from the command line to its figures, files and mistakes (what is left out:
// bench_left_out_test.cc; beside an MPI: bench_beside_mpi_test.cc). No test depends on how fast the
// box is: times are those of virtual time, or only have to be there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/cli/bench/bench_figures.h"
#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

using nlohmann::json;

json row(const json& all, const std::string& algorithm) {
  for (const json& row : all["rows"]) {
    if (row["algorithm"] == algorithm) return row;
  }
  ADD_FAILURE() << "no " << algorithm << " in " << all;
  return {};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Bench, WithinACellItIsSeenHowFarItIs) {
  EXPECT_TRUE(shows_on_terminal({"bench", "broadcast", "--lambda", "2", "--t0", "20ms", "-p", "8"},
                                "broadcast: linear"));
}

TEST(Bench, AllThatAreBestAreMarked) {
  const json all = figures("allgather -p 2 --lambda 9/5");
  double least = std::numeric_limits<double>::max();
  for (const json& row : all["rows"]) least = std::min(least, row["median"].get<double>());
  int best = 0;
  for (const json& row : all["rows"]) {
    EXPECT_EQ(row["best"].get<bool>(), row["median"].get<double>() == least) << row;
    best += row["best"].get<bool>() ? 1 : 0;
  }
  EXPECT_GT(best, 1);
}

TEST(Bench, AutomaticCutsListsOfThreeUnits) {
  const json all = figures("broadcast -p 16 --lambda 9/5 --unit 1K -b 3K -e 3K");
  double chosen = 0;
  for (const json& row : all["rows"]) {
    if (row["chosen"]) chosen = row["median"];
  }
  EXPECT_GT(chosen, 0);
  EXPECT_LE(chosen, 10.8);  // 15.2 in one block, along the binomial tree
}

TEST(Bench, InVirtualTimeIsExactAndPredicted) {
  const json all = figures("broadcast -p 64 --lambda 9/5");
  EXPECT_EQ(all["clock"], "virtual");
  EXPECT_EQ(all["time_unit"], "units");
  EXPECT_EQ(all["lambda"], "9/5");
  const json tree = row(all, "lambda_tree(lambda=9/5)");
  EXPECT_EQ(tree["exact"], "46/5");
  EXPECT_EQ(tree["bytes"], 8);
  EXPECT_EQ(tree["best"], true);
  const json binomial = row(all, "binomial");
  EXPECT_EQ(binomial["exact"], "54/5");
  EXPECT_EQ(binomial["rounds"], 6);
  EXPECT_EQ(binomial["volume"], 48);
  EXPECT_DOUBLE_EQ(binomial["median"], 10.8);
  EXPECT_EQ(binomial["best"], false);
  for (const json& row : all["rows"]) EXPECT_NEAR(row["error_percent"], 0, 1e-6) << row;
  EXPECT_NEAR(all["prediction_error_percent"], 0, 1e-6);
}

TEST(Bench, SaysWhatTheChoiceIsWorth) {
  const json all = figures("all -p 13 --lambda 5/2");
  std::vector<double> ratios;
  std::set<std::string> operations;
  for (const json& row : all["rows"]) operations.insert(row["operation"]);
  for (const std::string& operation : operations) {
    double best = 0;
    double chosen = 0;
    for (const json& row : all["rows"]) {
      if (row["operation"] != operation) continue;
      if (row["best"]) best = row["median"];
      if (row["chosen"]) chosen = row["median"];
    }
    if (best > 0) ratios.push_back(chosen / best);
  }
  EXPECT_GE(operations.size(), 15u);
  ASSERT_FALSE(ratios.empty());
  double product = 1;
  for (const double ratio : ratios) product *= ratio;
  EXPECT_NEAR(all["regret"], std::pow(product, 1.0 / static_cast<double>(ratios.size())), 1e-9);
}

TEST(Bench, SizesAndUnits) {
  const json all =
      figures("broadcast --algorithm binomial -p 8 --lambda 2 --unit 1K -b 1K -e 4K -f 2");
  ASSERT_EQ(all["rows"].size(), 3u);
  // Three messages one after another, of u units: 3 (lambda + u - 1).
  EXPECT_EQ(all["rows"][0]["bytes"], 1024);
  EXPECT_EQ(all["rows"][0]["exact"], "6");
  EXPECT_EQ(all["rows"][1]["bytes"], 2048);
  EXPECT_EQ(all["rows"][1]["exact"], "9");
  EXPECT_EQ(all["rows"][2]["bytes"], 4096);
  EXPECT_EQ(all["rows"][2]["exact"], "15");
  EXPECT_TRUE(all["regret"].is_null());  // nothing to choose from
}

TEST(Bench, SeveralNumbersOfProcessorsInOneSweep) {
  const json all = figures("broadcast barrier allgatherv -p 2,5,64 --lambda 9/5");
  EXPECT_EQ(all["processors"], json({2, 5, 64}));
  ASSERT_EQ(all["machines"].size(), 3u);
  EXPECT_EQ(all["machines"][1]["processors"], 5);
  std::set<int> seen;
  for (const json& row : all["rows"]) {
    seen.insert(row["processors"].get<int>());
    if (row["error_percent"].is_null()) continue;
    EXPECT_NEAR(row["error_percent"], 0, 1e-6) << row;
  }
  EXPECT_EQ(seen, (std::set<int>{2, 5, 64}));
  int chosen = 0;
  for (const json& row : all["rows"]) chosen += row["chosen"].get<bool>() ? 1 : 0;
  EXPECT_EQ(chosen, 9);  // one in each cell
  EXPECT_GE(all["regret"], 1);
  const Ran text = bench("broadcast -p 2,5 --lambda 2");
  EXPECT_NE(text.out.find("# 2, 5 processors; clock: virtual"), std::string::npos) << text;
  const json rules = figures("scan allgather -p 2,4 --lambda 2 --guidelines");
  EXPECT_EQ(rules["machines"].size(), 2u);
  EXPECT_EQ(rules["rules"].back()["processors"], 4);
}

TEST(Bench, EveryOperationRunsOnTheWallClock) {
  const json all = figures("all -p 2 -n 2 -w 1 -b 8 -e 5000 -f 600 --root 1");
  EXPECT_EQ(all["clock"], "wall");
  std::set<std::string> operations;
  for (const json& row : all["rows"]) {
    operations.insert(row["operation"]);
    EXPECT_GE(row["samples"], 1) << row;
    EXPECT_GT(row["min"], 0) << row;
    EXPECT_LE(row["min"], row["median"]) << row;
    EXPECT_LE(row["median"], row["p99"]) << row;
    const bool has_data = row["operation"] != "barrier";
    EXPECT_EQ(row.contains("algorithm_bandwidth"), has_data) << row;
  }
  EXPECT_EQ(operations.size(), 15u);
  EXPECT_GE(all["regret"], 1);
}

TEST(Bench, MoreProcessorsThanCpusIsSaid) {
  const Ran ran = bench("broadcast -p 700 -n 1 -w 0 -b 8 -e 8 --algorithm binomial");
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_NE(ran.out.find("# note: more processors than CPUs"), std::string::npos) << ran;
}

TEST(Bench, ProcessorsThatShareThreadsHaveRowsOfTheirOwn) {
  const std::string processors =
      " -p " + std::to_string(2 * static_cast<int>(std::thread::hardware_concurrency()));
  const json all = figures("broadcast allgather -n 1 -w 0 -b 8 -e 64K -f 8192" + processors);
  std::map<std::string, std::string> chosen;  // by operation and size
  std::map<std::string, int> rows;            // of an algorithm, likewise
  for (const json& row : all["rows"]) {
    const std::string cell = row["operation"].get<std::string>() + " " + row["bytes"].dump();
    EXPECT_NE(row["algorithm"], "automatic");
    if (row["chosen"] == true) chosen[cell] = row["algorithm"];
    if (row["algorithm"] != "slots" && row["algorithm"] != "turns") continue;
    ++rows[cell + " " + row["algorithm"].get<std::string>()];
    EXPECT_EQ(row["rounds"], 0);
    EXPECT_EQ(row["volume"], 0);
    EXPECT_TRUE(row["predicted"].is_null());
  }
  EXPECT_EQ(chosen, (std::map<std::string, std::string>{{"broadcast 8", "slots"},
                                                        {"broadcast 65536", "turns"},
                                                        {"allgather 8", "turns"},
                                                        {"allgather 65536", "turns"}}));
  EXPECT_EQ(rows, (std::map<std::string, int>{{"broadcast 8 slots", 1},
                                              {"broadcast 8 turns", 1},
                                              {"broadcast 65536 turns", 1},
                                              {"allgather 8 turns", 1},
                                              {"allgather 65536 turns", 1}}));
  for (const json& note : all["notes"]) {
    EXPECT_EQ(note.get<std::string>().find("slots"), std::string::npos) << note;
  }

  const Ran large = bench("broadcast --algorithm slots -b 32K -e 32K" + processors);
  EXPECT_EQ(large.exit_code, 2) << large;
  EXPECT_EQ(large.error_lines(), 1) << large;
  EXPECT_NE(large.err.find("slots of 32768 bytes is not allowed; at most 16384"), std::string::npos)
      << large;
  const json some = figures("broadcast --algorithm slots -n 1 -b 8 -e 64K -f 8192" + processors);
  EXPECT_EQ(some["rows"].size(), 1u);
  EXPECT_NE(some["notes"].dump().find(": broadcast: slots of 65536 bytes"), std::string::npos)
      << some["notes"];
}

TEST(Bench, TeamsCanBeHadByName) {
  const json all = figures("broadcast allgather -p 2 -n 1 -w 0 -b 8 -e 8 --algorithm teams");
  EXPECT_EQ(all["rows"].size(), 2u);
  for (const json& row : all["rows"]) {
    EXPECT_EQ(row["algorithm"], "teams");
    EXPECT_TRUE(row["predicted"].is_null());
  }
}

TEST(Bench, WithAScheduleSeedAllProcessorsAreOnOneThread) {
  const json all =
      figures("all -p 2,5 -n 3 -w 1 -b 8 -e 5000 -f 600 --schedule-seed 18446744073709551615");
  EXPECT_EQ(all["schedule_seed"], 18'446'744'073'709'551'615u);
  ASSERT_EQ(all["machines"].size(), 2u);
  for (const json& machine : all["machines"]) {
    EXPECT_EQ(machine["threads"], 1);
    EXPECT_FALSE(machine.contains("pinning"));
  }
  std::set<std::string> operations;
  for (const json& row : all["rows"]) operations.insert(row["operation"]);
  EXPECT_EQ(operations.size(), 15u);
  EXPECT_NE(all["notes"].dump().find("one thread: the times are those of processors that take"),
            std::string::npos);
  const Ran text = bench("scan -p 700 -n 1 -w 0 -b 8 -e 8 --schedule-seed 17");
  EXPECT_EQ(text.exit_code, 0) << text;
  EXPECT_NE(text.out.find("# one thread: processors take turns in the order of --schedule-seed 17"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.out.find("pinned"), std::string::npos) << text;
  EXPECT_EQ(text.out.find("CPUs"), std::string::npos) << text;
  const json without = figures("scan -p 2 -n 3 -b 8 -e 8");
  EXPECT_FALSE(without.contains("schedule_seed"));
}

TEST(Bench, TakesTheWordOfMpiForABroadcast) {
  const json all = figures("bcast broadcast -p 4 --virtual --algorithm linear");
  ASSERT_EQ(all["rows"].size(), 1u);
  EXPECT_EQ(all["rows"][0]["operation"], "broadcast");
}

TEST(Bench, WithTheLatencyPutInNothingIsFasterThanTheModel) {
  const json all = figures("reduce -p 6 --lambda 2 --t0 1ms -n 2 --algorithm binomial");
  EXPECT_EQ(all["clock"], "postal");
  EXPECT_EQ(all["t0_ns"], 1'000'000);
  const json one = row(all, "binomial");
  EXPECT_GE(one["min"], one["predicted"]);
  EXPECT_GT(one["predicted"], 2e6);
}

TEST(Bench, AlgorithmsMayBeNamed) {
  const json all = figures(
      "allgather -p 9 --virtual --algorithm ring --algorithm 'circulant(ports=2)' --ports 2");
  ASSERT_EQ(all["rows"].size(), 2u);
  EXPECT_EQ(row(all, "ring")["rounds"], 8);
  EXPECT_EQ(row(all, "circulant(ports=2)")["rounds"], 2);
}

TEST(Bench, AnAlgorithmWithoutParametersIsTheOneOfTheTable) {
  // Of each machine by itself: no radix is more than there are processors.
  const json table = figures("alltoall broadcast -p 3,64 --lambda 2 --ports 3");
  const json named = figures(
      "alltoall broadcast -p 3,64 --lambda 2 --ports 3 --algorithm bruck --algorithm repeat");
  std::vector<std::string> seen;
  for (const json& one : named["rows"]) {
    seen.push_back(one["algorithm"]);
    EXPECT_EQ(std::ranges::count_if(table["rows"],
                                    [&](const json& each) {
                                      return each["algorithm"] == one["algorithm"] &&
                                             each["processors"] == one["processors"];
                                    }),
              1)
        << one;
  }
  const std::string repeat = "repeat(blocks=4, lambda=2)";
  EXPECT_EQ(seen, (std::vector<std::string>{"bruck(radix=3, ports=3)", repeat,
                                            "bruck(radix=4, ports=3)", repeat}));
}

TEST(Bench, OperationsWithBlocksOfDifferentSizesArePredictedExactly) {
  const json all = figures(
      "reduce_scatter scatterv gatherv allgatherv alltoallv route -p 2,7,16 --lambda 5/2 --unit 16 "
      "-b 24 -e "
      "768 -f 32");
  std::set<std::string> operations;
  for (const json& row : all["rows"]) {
    operations.insert(row["operation"]);
    EXPECT_NEAR(row["error_percent"], 0, 1e-3) << row;
    EXPECT_NE(row["algorithm"], "direct");  // reads memory that a model does not have
  }
  EXPECT_EQ(operations.size(), 6u);
}

TEST(Bench, AllSamplesAsLines) {
  const ScratchFolder folder;
  const Ran ran =
      bench("scan -p 2 -n 3 -w 0 -b 8 -e 64 --limit 100s --csv '" + folder("s.csv") + "'");
  ASSERT_EQ(ran.exit_code, 0) << ran;
  const std::vector<std::string> lines = lines_of(content_of(folder("s.csv")));
  const auto first = std::ranges::find(
      lines, "operation,processors,bytes,algorithm,rounds,volume,sample,time,unit");
  ASSERT_EQ(lines.end() - first, 1 + 2 * 2 * 3);
  for (auto line = lines.begin(); line != first; ++line) EXPECT_EQ(line->substr(0, 2), "# ");
  EXPECT_EQ(first[1].substr(0, first[1].rfind(",0,")), "scan,2,8,\"hillis_steele\",1,8");
  for (auto line = first; line != lines.end(); ++line) {
    EXPECT_EQ(std::ranges::count(*line, ','), 8) << *line;
  }
  const std::string above = content_of(folder("s.csv"));
  EXPECT_NE(above.find("; Postroom "), std::string::npos);
  EXPECT_NE(above.find(" on CPU "), std::string::npos);
  EXPECT_EQ(above.find(" us"), std::string::npos) << "each line has its unit";
}

TEST(Bench, TextHasAHeaderAndARowForEachAlgorithm) {
  const Ran ran = bench("broadcast -p 64 --lambda 9/5");
  ASSERT_EQ(ran.exit_code, 0) << ran;
  const std::vector<std::string> lines = lines_of(ran.out);
  EXPECT_EQ(lines[0].substr(0, 11), "# postroom ");
  EXPECT_NE(ran.out.find("clock: virtual, lambda 9/5"), std::string::npos);
  EXPECT_NE(ran.out.find("# regret of automatic "), std::string::npos);
  EXPECT_NE(ran.out.find("\nbroadcast"), std::string::npos);
}

/// The first tag that is not closed by its partner; "" when all are.
std::string unbalanced_tag(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return text.substr(at);
    const std::string tag = text.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.back() == '/') continue;
    if (tag.front() != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != tag) {
      return tag;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(Bench, DrawsAChartForEachOperation) {
  const ScratchFolder folder;
  const Ran ran =
      bench("broadcast allgather barrier -p 8 --lambda 2 --unit 64 -b 8 -e 4K -f 4 --svg '" +
            folder("b.svg") + "'");
  ASSERT_EQ(ran.exit_code, 0) << ran;
  const std::string svg = content_of(folder("b.svg"));
  EXPECT_EQ(unbalanced_tag(svg), "");
  EXPECT_NE(svg.find("broadcast, 8 processors"), std::string::npos);
  EXPECT_NE(svg.find("allgather, 8 processors"), std::string::npos);
  EXPECT_EQ(svg.find("barrier, 8 processors"), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(svg.find(">predicted<"), std::string::npos);
  EXPECT_NE(svg.find(">clock: virtual, lambda 2, 1 port, units of 64 bytes<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Bench, AlgorithmsThatTakeEquallyLongAreOneLineOfTheChart) {
  const Ran ran = bench("broadcast -p 16 --lambda 9/5 --unit 1K -b 8 -e 4K --svg -");
  std::map<std::string, int> lines;  // by their points
  for (const std::string& line : lines_of(ran.out)) {
    if (!line.starts_with("<polyline") || line.find("dasharray=\"6 4\"") != std::string::npos) {
      continue;
    }
    const auto begin = line.find("points=");
    EXPECT_EQ(++lines[line.substr(begin)], 1) << line;
  }
  EXPECT_GE(lines.size(), 5u) << ran;
  EXPECT_NE(ran.out.find(">binomial<"), std::string::npos);
  EXPECT_NE(ran.out.find(">= pack(blocks=4, lambda=9/5)<"), std::string::npos);
  EXPECT_NE(ran.out.find(">= flooding<"), std::string::npos);
}

TEST(Bench, GuidelinesInVirtualTime) {
  const json all = figures("all --guidelines -p 8 --lambda 2 --unit 64 -b 64 -e 256 -f 2");
  std::set<std::string> rules;
  for (const json& finding : all["rules"]) {
    rules.insert(finding["rule"]);
    const double left = finding["left"];
    const double right = finding["right"];
    EXPECT_EQ(finding["broken"], left > right * (1 + 1e-9)) << finding;
  }
  EXPECT_TRUE(rules.contains("allreduce(m) <= reduce(m) + broadcast(m)"));
  EXPECT_TRUE(rules.contains("broadcast(m) <= scatter(m/p) + allgather(m/p)"));
  EXPECT_TRUE(rules.contains("scan(m) <= scan(2 m)"));
  EXPECT_TRUE(rules.contains("alltoall(2 m) <= 2 alltoall(m)"));
  const Ran text = bench("all --guidelines -p 8 --lambda 2");
  EXPECT_EQ(text.exit_code, 0) << text;
  EXPECT_NE(text.out.find(" rules broken\n"), std::string::npos) << text;
}

TEST(Bench, MistakesAreOneLine) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "OPERATION is missing"},
      {"brodcast", "'brodcast' is not one of broadcast, reduce"},
      {"foo", "allgatherv, alltoallv, route, all"},
      {"scan --json - --svg -", "--json - and --svg - contradict each other"},
      {"alltoall --algorithm 'bruck(radix=4,radix=5)'", "is not allowed; radix once"},
      {"scan -p 0", "--processors: '0'"},
      {"scan -p 2,x", "--processors: 'x'"},
      {"scan -p 2,", "--processors: ''"},
      {"scan -p 4,2", "--processors: 2 after 4 is not allowed; a larger one"},
      {"alltoallv -p 5000 --virtual", "alltoallv: 5000 processors are not allowed; at most 4096"},
      {"scan -b 0", "-b: '0' is not a size from 1 to 1T"},
      {"scan -b -1", "-b: '-1' is not a size from 1 to 1T"},
      {"alltoall --algorithm shared --algorithm shared",
       "--algorithm: shared is given twice; once is allowed"},
      {"alltoall scan --algorithm binomial",
       "--algorithm: for alltoall: 'binomial' is not one of bruck, pairwise"},
      {"scan -b 4X", "-b: '4X'"},
      {"scan -b 64 -e 8", "-e: 8 is not allowed; at least -b, which is 64"},
      {"scan -f 1", "-f: '1'"},
      {"scan -n 0", "--iterations: '0'"},
      {"scan -w -1", "--warm-up"},
      {"scan --lambda 1/2", "--lambda: 1/2 is not allowed; at least 1"},
      {"scan --t0 1", "--t0: '1' is not a time"},
      {"scan --t0 1ms", "--t0 needs --lambda"},
      {"scan --virtual --t0 1ms", "contradict each other"},
      {"scan --unit 8", "--unit: the wall clock has none"},
      {"scan --ports 2", "--ports: the wall clock has none"},
      {"scan --check --no-check", "contradict each other"},
      {"scan -p 2 --schedule-seed 0",
       "--schedule-seed: '0' is not a whole number from 1 to 18446744073709551615"},
      {"scan -p 2 --schedule-seed 18446744073709551616", "--schedule-seed: '18446744073709551616'"},
      {"scan -p 1 --schedule-seed 3", "--schedule-seed: one processor takes no turns; give -p"},
      {"scan -p 2 --schedule-seed 3 --virtual",
       "--schedule-seed and --lambda, --t0, --virtual contradict each other"},
      {"scan -p 2 --schedule-seed 3 --lambda 2", "--schedule-seed and --lambda"},
      {"scan -p 2 --schedule-seed 3 --t0 1ms", "--t0 needs --lambda"},
      {"scan -p 2 --schedule-seed 3 --vs-mpi", "--schedule-seed and --vs-mpi contradict"},
      {"scan -p 2 --schedule-seed 3 --guidelines", "--schedule-seed and --guidelines contradict"},
      {"scan --algorithm ring",
       "--algorithm: for scan: 'ring' is not one of hillis_steele, shared, turns"},
      {"scan --algorithm wring", "wring"},
      {"scan --algorithm slots", "--algorithm: for scan: 'slots' is not one of hillis_steele"},
      {"reduce -p 1 --algorithm slots",
       "reduce: slots is not allowed; only where all processors of a machine share threads"},
      {"allreduce -p 4 --lambda 2 --t0 1ms --algorithm turns",
       "allreduce: turns is not allowed; a model has no time for it"},
      {"allreduce -p 4 --virtual --algorithm turns", "allreduce: turns is not allowed"},
      {"allreduce -p 4 --virtual --algorithm teams", "allreduce: teams is not allowed"},
      {"bcst", "OPERATION: 'bcst' is not one of broadcast, reduce"},
      {"scan --algorithm automatic", "--algorithm: 'automatic' is no algorithm"},
      {"reduce -p 4 --root 4", "--root: '4'"},
      {"scan --guidelines --svg a.svg", "contradict each other"},
      {"barrier --svg a.svg", "--svg: barrier has no sizes"},
      {"barrier -b 8", "-b: barrier has no blocks"},
      {"barrier -e 8", "-e: barrier has no blocks"},
      {"scan --vs-mpi --lambda 2", "contradict each other"},
      {"allgather -p 6 --virtual --algorithm recursive_doubling", "no algorithm runs"},
      {"alltoall -p 1000000 --virtual -b 1G", "needs"},
      {"scan --json /no/such/folder/a.json", "/no/such/folder/a.json"},
  };
  for (const auto& [line, words] : mistakes) {
    const Ran ran = bench(line);
    EXPECT_EQ(ran.exit_code, 2) << line << '\n' << ran;
    EXPECT_EQ(ran.error_lines(), 1) << line << '\n' << ran;
    EXPECT_NE(ran.err.find(words), std::string::npos) << line << '\n' << ran;
    EXPECT_EQ(ran.err.substr(0, 16), "postroom bench: ") << line;
    EXPECT_EQ(ran.out, "") << line;
  }
}

}  // namespace
}  // namespace postroom::cli
