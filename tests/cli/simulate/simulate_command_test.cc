// `postroom simulate`, from the command line to its figures and files; its mistakes, and those of
// `postroom table`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"
#include "tests/cli/simulate/printed_json.h"

namespace postroom::cli {
namespace {

using nlohmann::json;

json simulated(const std::string& line) { return printed_json("simulate " + line); }

/// A time, which may be a fraction.
double number(const json& time) {
  const auto text = time.get<std::string>();
  const auto slash = text.find('/');
  return std::stod(text) / (slash == std::string::npos ? 1 : std::stod(text.substr(slash + 1)));
}

TEST(Simulate, TheTreeMadeForTheLatencyTakesTheLeastTime) {
  const json tree = simulated("broadcast --algorithm lambda_tree -p 64 --lambda 9/5");
  EXPECT_EQ(tree["operation"], "broadcast");
  EXPECT_EQ(tree["algorithm"], "lambda_tree");
  EXPECT_EQ(tree["variant"], "lambda_tree(lambda=9/5)");
  EXPECT_EQ(tree["processors"], 64);
  EXPECT_EQ(tree["lambda"], "9/5");
  EXPECT_EQ(tree["ports"], 1);
  EXPECT_EQ(tree["time"], "46/5");
  EXPECT_EQ(tree["optimum"], "46/5");
  EXPECT_EQ(tree["lower_bound"], "46/5");
  const json binomial = simulated("broadcast --algorithm binomial -p 64 --lambda 1.8 --root 63");
  EXPECT_EQ(binomial["time"], "54/5");
  EXPECT_EQ(binomial["rounds"], 6);
  EXPECT_EQ(binomial["volume"], 6);
}

TEST(Simulate, TheCombineTakesItsRounds) {
  const json combine = simulated("allreduce --algorithm postal_combine -p 14 --lambda 2 --block 8");
  EXPECT_EQ(combine["time"], "7");
  EXPECT_EQ(combine["optimum"], "7");
  EXPECT_TRUE(
      simulated("allreduce --algorithm postal_combine -p 14 --lambda 5/2")["optimum"].is_null());
}

TEST(Simulate, IndexAndConcatenationCostWhatTheirPaperSays) {
  const json index = simulated("alltoall --algorithm bruck -p 5 --radix 3 --ports 2 --block 1");
  EXPECT_EQ(index["rounds"], 2);
  EXPECT_EQ(index["volume"], 4);
  EXPECT_EQ(index["time"], "2");
  EXPECT_EQ(index["rounds_lower_bound"], 2);
  EXPECT_EQ(index["volume_lower_bound"], 2);
  const json concat = simulated("allgather --algorithm circulant -p 7 --ports 2 --block 8");
  EXPECT_EQ(concat["rounds"], 2);
  EXPECT_EQ(concat["volume"], 24);
}

TEST(Simulate, BoundsAreForAsManyPortsAsAnAlgorithmHas) {
  const Ran all = run({"simulate", "allgather", "-p", "31", "--lambda", "3", "--block", "8"});
  EXPECT_NE(all.out.find("# with 1 port no algorithm has fewer than 5 rounds, nor a volume below "
                         "240\n"
                         "# with 16 ports, which queueless has, no algorithm has fewer than 2 "
                         "rounds, nor a volume below 15\n"
                         "# with 30 ports, which flooding has, no algorithm has fewer than 1 "
                         "round, nor a volume below 8\n"),
            std::string::npos)
      << all;
  const Ran one = run({"simulate", "alltoall", "-p", "5", "--algorithm", "bruck(radix=5,ports=4)"});
  EXPECT_NE(one.out.find("# with 4 ports, which bruck has, no algorithm has fewer than 1 round, "
                         "nor a volume below 1\n"),
            std::string::npos)
      << one;
  for (const char* operation : {"broadcast", "reduce", "allreduce", "scan", "scatter", "gather",
                                "allgather", "alltoall", "barrier"}) {
    for (const char* machine : {" -p 1", " -p 2", " -p 5 --ports 2 --lambda 3", " -p 31 --lambda 3",
                                " -p 16", " -p 9 --lambda 5/2 --ports 9"}) {
      for (const json& row : simulated(std::string(operation) + machine)) {
        if (!row["lower_bound"].is_null()) {
          EXPECT_GE(number(row["time"]), number(row["lower_bound"])) << row;
        }
        if (!row.contains("rounds_lower_bound")) continue;
        EXPECT_GE(row["ports_of_lower_bounds"], row["ports"]) << row;
        EXPECT_GE(row["rounds"], row["rounds_lower_bound"]) << row;
        EXPECT_GE(row["volume"], row["volume_lower_bound"]) << row;
      }
    }
  }
}

TEST(Simulate, BruckUsesThePortsOfTheMachine) {
  for (const json& row : simulated("alltoall -p 64 --ports 3")) {
    if (row["algorithm"] != "bruck") continue;
    EXPECT_EQ(row["variant"], "bruck(radix=4, ports=3)");
    EXPECT_EQ(row["rounds"], 3);
  }
  const std::string one = "alltoall -p 64 --ports 3 --algorithm bruck";
  EXPECT_EQ(simulated(one)["rounds"], 3);
  EXPECT_EQ(simulated(one + " --radix 2")["rounds"], 6);
}

TEST(Simulate, ListsAreCutAlikeWithAndWithoutAName) {
  for (const std::string line :
       {" -p 4 --block 64", " -p 2 --lambda 9/5", " -p 8 --block 3 --unit 2"}) {
    for (const json& row : simulated("broadcast" + line)) {
      const std::string name = row["algorithm"];
      EXPECT_EQ(simulated("broadcast --algorithm " + name + line), row) << line;
    }
  }
  const auto variant = [](const std::string& line) {
    return simulated("broadcast --algorithm block_circulant" + line)["variant"];
  };
  EXPECT_EQ(variant(" --block 64"), "block_circulant(blocks=4)");
  EXPECT_EQ(variant(" --block 3"), "block_circulant(blocks=3)");
  EXPECT_EQ(variant(" --block 3 --unit 2"), "block_circulant(blocks=2)");
  EXPECT_EQ(variant(""), "block_circulant");
  EXPECT_EQ(variant(" --blocks 7"), "block_circulant(blocks=7)");
}

TEST(Simulate, AllAlgorithmsSideBySide) {
  for (const char* operation :
       {"broadcast", "reduce", "allreduce", "scan", "scatter", "gather", "allgather", "alltoall"}) {
    const json all = simulated(std::string(operation) + " -p 6 --lambda 3/2 --block 4");
    ASSERT_GE(all.size(), 1u);
    std::set<std::string> variants;
    for (const json& one : all) {
      EXPECT_EQ(one["operation"], operation);
      EXPECT_TRUE(variants.insert(one["variant"]).second) << one;
    }
  }
}

TEST(Simulate, WhatTakesLongShowsHowFarItIs) {
  EXPECT_TRUE(shows_on_terminal({"simulate", "broadcast", "--lambda", "2", "--t0", "100ms"},
                                "1 of 10: binomial"));
  EXPECT_TRUE(
      shows_on_terminal({"simulate", "alltoall", "--fat-tree", "constant", "-p", "2048"}, "1 of "));
}

TEST(Simulate, TheTitleSaysWhatTheTimesDependOn) {
  const ScratchFolder folder;
  const Ran ran = run({"simulate", "broadcast", "--algorithm", "binomial", "-p", "4", "--lambda",
                       "2", "--unit", "8", "--t0", "1ms", "--svg", folder("run.svg")});
  const std::string title =
      "broadcast, 4 processors, lambda 2, t0 1000 us, 1 port, 1 byte, units "
      "of 8 bytes";
  EXPECT_TRUE(ran.out.starts_with("# " + title + "\n")) << ran;
  EXPECT_NE(content_of(folder("run.svg")).find(title), std::string::npos);
  EXPECT_TRUE(run({"simulate", "broadcast", "-p", "4"})
                  .out.starts_with("# broadcast, 4 processors, lambda 1, 1 port, 1 byte\n"));
}

TEST(Simulate, OneProcessorHasNoCapacities) {
  EXPECT_TRUE(run({"simulate", "alltoall", "-p", "1", "--fat-tree", "constant"})
                  .out.starts_with("# alltoall, 1 processor\n"));
}

TEST(Simulate, ABarrierHasNoBytes) {
  EXPECT_TRUE(
      run({"simulate", "barrier"}).out.starts_with("# barrier, 8 processors, lambda 1, 1 port\n"));
}

TEST(Simulate, ABarrierTakesTheTimeOfItsMessages) {
  const json rows = simulated("barrier -p 8 --lambda 5");
  ASSERT_EQ(rows.size(), 1u) << rows;
  EXPECT_EQ(rows[0]["algorithm"], "dissemination");
  EXPECT_EQ(rows[0]["time"], "15");
  EXPECT_EQ(rows[0]["lower_bound"], "10");
  EXPECT_EQ(simulated("barrier -p 8 --lambda 5 --algorithm automatic")["time"], "15");
}

TEST(Simulate, AutomaticIsNamedByWhatItTakesOnATree) {
  const json row = simulated("allreduce --algorithm automatic -p 8 --fat-tree constant");
  EXPECT_EQ(row["variant"], simulated("allreduce --algorithm automatic -p 8")["variant"]);
}

TEST(Simulate, AFatTreeOfHalfDuplexOrOtherArity) {
  const auto steps = [](const std::string& more) {
    return simulated("alltoall --algorithm fat_tree -p 16 --fat-tree constant" + more)["steps"]
        .get<int>();
  };
  const int full = steps("");
  EXPECT_GT(steps(" --half-duplex"), full);
  EXPECT_LE(steps(" --half-duplex"), 3 * full);
  // From one side of the root to the other go 8 * 8 packets, of four branches 4 * 12.
  EXPECT_LT(steps(" --arity 4"), full);
  const json row = simulated("broadcast --algorithm binomial -p 9 --fat-tree constant --arity 3");
  EXPECT_EQ(row["capacities"], (json{1, 1}));
  EXPECT_EQ(row["duplex"], "full");
  const Ran half =
      run({"simulate", "alltoall", "-p", "8", "--fat-tree", "constant", "--half-duplex"});
  EXPECT_TRUE(half.out.starts_with("# alltoall, 8 processors, capacities 1,1,1, half duplex\n"));
}

TEST(Simulate, ATimeThatNothingOfferedReachesIsABoundOnly) {
  for (const char* line :
       {"scatter -p 17 --lambda 5", "gather -p 17 --lambda 3", "allgather -p 31 --lambda 3",
        "broadcast -p 31 --lambda 5/2 --ports 3 --block 3",
        "reduce -p 16 --lambda-per-level 1,1,3,3"}) {
    const json rows = simulated(line);
    for (const json& row : rows) {
      EXPECT_TRUE(row["optimum"].is_null()) << row;
      EXPECT_GT(number(row["time"]), number(row["lower_bound"])) << row;
    }
  }
  // Where one reaches it, it is that of all.
  for (const char* line : {"scatter -p 8", "broadcast -p 16 --lambda 2 --ports 15",
                           "broadcast -p 31 --lambda 5/2", "allreduce -p 31 --lambda 4"}) {
    double least = 1e9;
    const json rows = simulated(line);
    for (const json& row : rows) least = std::min(least, number(row["time"]));
    for (const json& row : rows) EXPECT_EQ(number(row["optimum"]), least) << row;
  }
}

TEST(Simulate, OfSizesOnlyABroadcastNeedsLittleMemory) {
  const Ran ran = run({"simulate", "broadcast", "--algorithm", "binomial", "-p", "65536", "--block",
                       "1M", "--sizes-only"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_LT(ran.peak_bytes, std::uint64_t{500} << 20U);
}

TEST(Simulate, ATreeThatIsTooLargeIsRefusedBeforeItIsMade) {
  const Ran ran = run({"simulate", "broadcast", "--algorithm", "binomial", "-p", "16777216",
                       "--fat-tree", "constant"});
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_NE(ran.err.find("16777216 processors: needs "), std::string::npos) << ran;
  EXPECT_LT(ran.peak_bytes, std::uint64_t{100} << 20U);
}

TEST(Simulate, ManyProcessors) {
  EXPECT_EQ(simulated("broadcast --algorithm lambda_tree -p 10000 --lambda 2")["time"], "20");
  EXPECT_EQ(simulated("broadcast --algorithm binomial -p 1048576 --lambda 2")["time"], "40");
  EXPECT_EQ(simulated("allreduce --algorithm postal_combine -p 10000 --lambda 2")["time"], "20");
}

TEST(Simulate, MessagesWithoutBytes) {
  const std::string line = "alltoall --algorithm pairwise -p 200 --lambda 2 --block ";
  const json sizes_only = simulated(line + "100000 --sizes-only");
  EXPECT_EQ(sizes_only["sizes_only"], true);
  EXPECT_EQ(sizes_only["time"], simulated(line + "1")["time"]);
}

TEST(Simulate, DrawsAndTraces) {
  const ScratchFolder folder;
  const std::string files = " --svg '" + folder("a.svg") + "' --trace '" + folder("a.json") +
                            "' --html '" + folder("a.html") + "'";
  simulated("broadcast --algorithm lambda_tree -p 14 --lambda 5/2" + files);
  EXPECT_EQ(content_of(folder("a.svg")).substr(0, 4), "<svg");
  const std::string page = content_of(folder("a.html"));
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_NE(page.find("const run = {\"times\":[\"0\",\"1\",\"2\",\"5/2\""), std::string::npos);
  EXPECT_NE(page.find(" id=\"m12\""), std::string::npos);  // thirteen messages
  EXPECT_GE(json::parse(content_of(folder("a.json")))["traceEvents"].size(), 13u);
}

TEST(Simulate, OneFileThatFailsLeavesTheOthersAsTheyWere) {
  const ScratchFolder folder;
  write_file(folder("a.svg"), "old");
  const Ran ran = shell("'" + postroom() + "' simulate broadcast --algorithm binomial --svg '" +
                        folder("a.svg") + "' --html /dev/full");
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_NE(ran.err.find("/dev/full"), std::string::npos) << ran;
  EXPECT_EQ(content_of(folder("a.svg")), "old");
}

TEST(Simulate, InRealTimeNothingIsFasterThanTheModel) {
  const json tree = simulated("broadcast --algorithm lambda_tree -p 8 --lambda 2 --t0 1ms");
  EXPECT_EQ(tree["t0_ns"], 1'000'000);
  EXPECT_EQ(tree["optimum"], "5");
  EXPECT_GE(number(tree["time"]), 5.0) << tree;  // in whole nanoseconds, so a fraction
}

TEST(PostalCommands, APictureOnStandardOutputIsAlone) {
  for (const char* words :
       {"simulate broadcast --algorithm binomial --svg -", "table T --lambda 2 --svg -"}) {
    const Ran ran = shell("'" + postroom() + "' " + words);
    EXPECT_EQ(ran.exit_code, 0) << ran;
    EXPECT_TRUE(ran.out.starts_with("<svg")) << words << ran.out.substr(0, 200);
  }
}

TEST(Simulate, SizesMayHaveLetters) {
  const std::string line = "broadcast --algorithm binomial -p 4 --lambda 2 ";
  EXPECT_EQ(simulated(line + "--block 64K --unit 1K"),
            simulated(line + "--block 65536 --unit 1024"));
}

TEST(Simulate, AMeasuredTimeIsNoFraction) {
  const Ran ran = shell("'" + postroom() +
                        "' simulate broadcast --algorithm binomial -p 2 --lambda 1 --t0 100us");
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(ran.out.find("/"), std::string::npos) << ran.out;
}

struct BadLine {
  const char* words;
  const char* says;
};

TEST(PostalCommands, NameOnlyAlgorithmsThatTheyRun) {
  for (const char* line : {"simulate broadcast --algorithm frob", "simulate scan --algorithm frob",
                           "predict allgather --lambda 2 --only frob"}) {
    const Ran ran = shell("'" + postroom() + "' " + line);
    EXPECT_NE(ran.err.find(" is not one of "), std::string::npos) << ran;
    for (const char* name : {"slots", "turns", "teams"}) {
      EXPECT_EQ(ran.err.find(name), std::string::npos) << ran;
    }
  }
}

TEST(PostalCommands, MistakesAreOneLine) {
  const BadLine lines[] = {
      {"simulate", "OPERATION is missing"},
      {"simulate frob", "'frob' is not one of broadcast, reduce"},
      {"simulate broadcast --algorithm frob",
       "--algorithm: for broadcast: 'frob' is not one of binomial, "},
      {"simulate allreduce --algorithm frob",
       "'frob' is not one of recursive_doubling, halving_doubling, "},
      {"simulate broadcast --algorithm bruck",
       "--algorithm: for broadcast: 'bruck' is not one of binomial, "},
      {"simulate alltoall --fat-tree constant --algorithm frob", "'frob' is not one of "},
      {"simulate broadcast --algorithm 'lambda_tree(lambda=1/2)'",
       "--algorithm: 'lambda_tree(lambda=1/2)': lambda 1/2 is not allowed; at least 1"},
      {"predict broadcast --lambda 2 --only 'lambda_tree(lambda=0)'",
       "--only: 'lambda_tree(lambda=0)': lambda 0 is not allowed; at least 1"},
      {"predict scan --lambda 2 -b 0", "-b: '0' is not a size from 1 to 1T"},
      {"predict allgather -p 5 --lambda 2 --t0 1us --per-byte 1e12 -b 64M",
       "circulant takes longer than can be counted"},
      {"predict scan --lambda 2 -b 0 -e 8", "-b: '0' is not a size from 1 to 1T"},
      {"predict reduce --lambda 2 --only shared",
       "reduce: shared is not allowed; only what this model has a time for: binomial, lambda_tree"},
      {"predict scan --lambda 2 --only frob", "--only: for scan: 'frob' is not one of "},
      {"simulate bcast --algorithm slots", "broadcast: slots is not allowed; only where"},
      {"simulate bcast --algorithm teams",
       "broadcast: teams is not allowed; these processors do not share memory"},
      {"simulate scan --algorithm turns --lambda 1 --t0 1ms",
       "scan: turns is not allowed; only where"},
      {"simulate bcast --algorithm turns --fat-tree constant", "broadcast: turns is not allowed"},
      {"simulate broadcast -p 0", "--processors: '0' is not a whole number from 1"},
      {"simulate broadcast --lambda 1/2", "--lambda: 1/2 is not allowed; at least 1"},
      {"simulate broadcast --lambda 100000000000",
       "--lambda: 100000000000 is not allowed; 1 to 1000000000"},
      {"simulate broadcast -p 2 --lambda-per-level 100000000000",
       "--lambda-per-level: 100000000000 is not allowed; 1 to 1000000000"},
      {"simulate broadcast --lambda 3.00000000001", "its denominator is at most 1000000000"},
      {"simulate broadcast --block 64X", "--block: '64X' is not a size from 0 to 1T"},
      {"simulate broadcast --unit 0", "--unit: '0' is not a size from 1 to 1T"},
      {"simulate broadcast --unit nan", "--unit: 'nan' is not a size from 1 to 1T"},
      {"simulate barrier --block 8", "--block: barrier has no blocks"},
      {"simulate alltoall --lambda 999999999.99999999 -p 100 --algorithm pairwise",
       "pairwise takes longer on 100 processors; at most 92233720368 units"},
      {"simulate broadcast --lambda 0/0", "--lambda: 0/0 is not a number; the denominator"},
      {"simulate broadcast --lambda 1234567890123456789012/7",
       "--lambda: '1234567890123456789012/7' has too many digits; at most 18"},
      {"simulate route --algorithm direct -p 4",
       "route: direct is not allowed; these processors do not share memory"},
      {"simulate broadcast --lambda x",
       "--lambda: 'x' is not a number; write it like 2, 1.8 or 9/5"},
      {"simulate broadcast -p 8 --root 8", "--root: '8' is not a whole number from 0 to 7"},
      {"simulate allreduce --root 1", "--root: allreduce takes none"},
      {"simulate gatherv --root 1", "--root: of gatherv and scatterv the root is always 0 here"},
      {"simulate barrier --algorithm machine",
       "--algorithm: machine is not allowed; it sends no messages"},
      {"simulate alltoall --algorithm bruck --radix 1", "--radix: '1' is not a whole number"},
      {"simulate alltoall --algorithm bruck --ports 0", "--ports: '0' is not a whole number"},
      {"simulate alltoall --algorithm pairwise --radix 3", "--radix: pairwise has none"},
      {"simulate scan --radix 3", "--radix: scan has none"},
      {"simulate alltoall --blocks 9", "--blocks: alltoall has none"},
      {"simulate scatter -p 8 --fat-tree constant --ports 5", "--ports: scatter has none"},
      {"simulate scatter -p 8 --fat-tree constant --radix 3", "--radix: scatter has none"},
      {"simulate alltoall --algorithm fat_tree --fat-tree constant --ports 3",
       "--ports: fat_tree has none"},
      {"simulate alltoall --algorithm pairwise --fat-tree constant --ports 3",
       "--ports: pairwise has none"},
      {"simulate alltoall --algorithm 'bruck(radix=4)' --radix 3",
       "--radix 3 and --algorithm 'bruck(radix=4)' contradict each other"},
      {"simulate alltoall --algorithm 'bruck(radix=4, radix=5)'",
       "\"bruck(radix=4, radix=5)\" is not allowed; radix once"},
      {"simulate alltoall --algorithm fat_tree --fat-tree constant --radix 3",
       "--radix: fat_tree has none"},
      {"simulate alltoall --fat-tree constant --block 8", "--block and --fat-tree contradict"},
      {"simulate alltoall --fat-tree constant --unit 8", "--unit and --fat-tree contradict"},
      {"simulate broadcast --algorithm binomial --json - --svg -",
       "--svg - and --json - contradict each other"},
      {"simulate broadcast --svg F/a.svg", "need --algorithm"},
      {"simulate allgather -p 1000000 --algorithm ring --block 1000000000000",
       "1000000 processors: needs 16384 PiB of memory, "},
      {"simulate broadcast -p 8 --lambda-per-level 1,2", "8 processors have 3 levels"},
      // Before there is a tree, which knows how many levels there are.
      {"simulate allgather -p 16777216 --block 1T --lambda-per-level 1",
       "16777216 processors: needs 16384 PiB of memory, "},
      {"simulate broadcast -p 4 --lambda-per-level 2,1",
       "latency: 1 at level 2 is not allowed; at least 2"},
      {"simulate broadcast -p 4 --lambda-per-level 100001/100000,100003/99999",
       "--lambda-per-level: the common denominator is at most 1000000000"},
      {"simulate broadcast -p 4 --lambda-per-level 1,x", "--lambda-per-level: 'x' is not"},
      {"simulate broadcast --t0 1", "--t0: '1' is not a time"},
      {"simulate broadcast --t0 1ms", "--t0 needs --lambda"},
      {"simulate alltoall --fat-tree constant --lambda 2",
       "--lambda and --fat-tree contradict each other"},
      {"simulate alltoall --fat-tree constant --lambda-per-level 1,2,3",
       "--lambda-per-level and --fat-tree contradict each other"},
      {"simulate broadcast --t0 0.1us", "--t0: '0.1us' is not a time"},
      {"simulate broadcast --t0 1ms --fat-tree box", "--t0 and --fat-tree contradict each other"},
      {"simulate alltoall --fat-tree thick",
       "--fat-tree: capacities: thick is not allowed; constant, exponential or a list such as"},
      {"simulate alltoall -p 8 --fat-tree 2,1,1",
       "--fat-tree: capacities: 1 at level 2 is not allowed; at least 2"},
      {"simulate alltoall --fat-tree constant --sizes-only", "--sizes-only and --fat-tree"},
      {"simulate allgather -p 1000 --algorithm ring --block 1000000000000 --sizes-only",
       "1000 processors: needs 3.55 PiB of memory, "},
      {"simulate alltoallv --sizes-only", "--sizes-only: alltoallv is not allowed"},
      {"simulate broadcast --t0 1ms --sizes-only", "--sizes-only and --t0 contradict each other"},
      {"simulate alltoall --fat-tree constant --trace F/t.json",
       "--trace and --fat-tree contradict each other"},
      {"simulate alltoall --html F/t.html", "need --algorithm"},
      {"simulate alltoall --html F/t.html --algorithm pairwise -p 142",
       "--html: 20022 messages are too many to look at; at most 20000"},
      {"simulate broadcast --html F/t.html --algorithm binomial -p 20002",
       "--html: 20002 processors send too many messages to look at; at most 20000"},
      {"simulate broadcast --html F/t.html --algorithm binomial --sizes-only",
       "--sizes-only and --html contradict each other"},
      {"simulate alltoall --html F/t.html --fat-tree constant", "need --algorithm"},
      {"simulate alltoall --html F/t.html --fat-tree constant --algorithm bruck -p 257",
       "a tree of 257 leaves is too large to look at; at most 256"},
      {"simulate alltoall --html F/t.html --fat-tree constant --algorithm fat_tree -p 128",
       "5474 steps are too many to look at; at most 5000"},
      {"simulate alltoall --svg F/t.svg --fat-tree constant --algorithm bruck -p 257",
       "--svg: a tree of 257 leaves is too large to look at; at most 256"},
      {"simulate alltoall --fat-tree constant --topology pu:8", "--topology needs --fat-tree box"},
      {"simulate broadcast -p 8 --lambda-per-level 1,2,3 --topology 'numa:2 core:4 pu:1'",
       "3 values are not allowed; 8 processors have 2 levels"},
      {"simulate reduce --algorithm level_tree -p 8",
       "--algorithm: for reduce: 'level_tree' is not one of binomial"},
      {"simulate alltoall --fat-tree constant --measure", "--measure needs --fat-tree box"},
      {"simulate alltoall --half-duplex", "--half-duplex needs --fat-tree"},
      {"simulate alltoall --arity 3", "--arity needs --fat-tree with capacities"},
      {"simulate alltoall --fat-tree box --arity 3", "--arity needs --fat-tree with capacities"},
      {"simulate alltoall --fat-tree constant --arity 1",
       "--arity: '1' is not a whole number from 2 to 16777216"},
      {"simulate alltoall --fat-tree box --topology nonsense",
       "topology: \"nonsense\" is not understood; allowed is a list from the outside"},
      {"simulate alltoall -p 8 --fat-tree box --topology pu:8 --measure", "this machine alone"},
      {"table", "WHAT is missing"},
      {"table X", "'X' is not one of N, T, gamma"},
      {"table T", "--lambda is missing"},
      {"table T --lambda 2 -p 1", "--processors: '1' is not"},
      {"table break-even --lambda 3", "--lambda: break-even has none"},
      {"table N --lambda 2 -p 10", "--processors: N has none"},
      {"table T --lambda 2 --until 3", "--until: T has none"},
      {"table T --lambda 2 --json - --svg -", "--json - and --svg - contradict each other"},
      {"table N --lambda 2 --until 1000000", "rows are not allowed; at most 100000"},
  };
  const ScratchFolder folder;
  for (const BadLine& line : lines) {
    std::string words = line.words;
    if (const auto at = words.find("F/"); at != std::string::npos) words.replace(at, 1, folder());
    const Ran ran = shell("'" + postroom() + "' " + words);
    EXPECT_EQ(ran.exit_code, 2) << words << '\n' << ran;
    EXPECT_EQ(ran.error_lines(), 1) << words << '\n' << ran;
    EXPECT_NE(ran.err.find(line.says), std::string::npos) << words << '\n' << ran;
    EXPECT_EQ(ran.out, "") << words;
  }
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace postroom::cli
