// The data that operations are run on: right results are recognized, and wrong ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/bench_bandwidth.h"
#include "cli/simulate/simulated_operations.h"

namespace postroom::cli {
namespace {

TEST(OperationData, LettersDifferByPairAndTurn) {
  for (const std::size_t bytes : {1u, 7u, 8u, 9u, 64u, 1001u}) {
    std::vector<std::uint8_t> block(bytes);
    fill_letters(block, 3, 5, 9);
    EXPECT_TRUE(has_letters(block, 3, 5, 9)) << bytes;
    if (bytes < 7) continue;  // one byte may well be the same
    EXPECT_FALSE(has_letters(block, 5, 3, 9)) << bytes;
    EXPECT_FALSE(has_letters(block, 3, 5, 10)) << bytes;
    for (const std::size_t place : {std::size_t{0}, bytes / 2, bytes - 1}) {
      block[place] ^= 1U;
      EXPECT_FALSE(has_letters(block, 3, 5, 9)) << bytes << " at " << place;
      block[place] ^= 1U;
    }
  }
}

TEST(OperationData, SumsOfTermsAreRecognized) {
  constexpr int kProcessors = 300;  // sums of bytes overflow
  for (const bool words : {false, true}) {
    for (const std::size_t bytes : {5u, 16u}) {
      std::vector<std::uint8_t> sum(bytes);
      std::vector<std::uint64_t> word_sum(bytes / 8);
      for (int me = 0; me < kProcessors; ++me) {
        const OperationTurn turn{.me = me, .block_bytes = bytes, .turn = 77, .words = words};
        std::vector<std::uint8_t> list(bytes);
        fill_terms(list, turn);
        for (std::size_t i = 0; i < bytes; ++i) {
          sum[i] = static_cast<std::uint8_t>(sum[i] + list[i]);
        }
        for (std::size_t i = 0; i < word_sum.size(); ++i) {
          word_sum[i] += reinterpret_cast<const std::uint64_t*>(list.data())[i];
        }
      }
      const OperationTurn turn{.block_bytes = bytes, .turn = 77, .words = words};
      if (turn.adds_words()) {
        const auto* const first = reinterpret_cast<const std::uint8_t*>(word_sum.data());
        sum.assign(first, first + bytes);
      }
      EXPECT_TRUE(has_sums(sum, turn, kProcessors)) << bytes << words;
      EXPECT_FALSE(has_sums(sum, turn, kProcessors - 1)) << bytes << words;
      sum.back() ^= 1U;
      EXPECT_FALSE(has_sums(sum, turn, kProcessors)) << bytes << words;
    }
  }
}

TEST(SimulatedOperation, OfOneProcessorIsRightAndAWrongListIsSeen) {
  for (const SimulatedOperation& operation : simulated_operations()) {
    if (operation.block == SimulatedOperation::Block::kNone) continue;
    const OperationTurn turn{.block_bytes = 24, .turn = 1};
    OperationData data;
    operation.prepare(turn, data);
    // What every operation does among one processor.
    if (!data.in.empty()) data.out = data.in;
    EXPECT_TRUE(operation.right(turn, data)) << operation.name;
    data.out[23] ^= 1U;
    EXPECT_FALSE(operation.right(turn, data)) << operation.name;
  }
}

std::string all_that_need_shared_memory(const SimulatedOperation& operation) {
  std::string names;
  for (const Algorithm& each : operation.algorithms()) {
    if (!operation.runs_in_model(each.name)) names += to_string(each) + " ";
  }
  return names;
}

TEST(SimulatedOperation, KnowsWhatRunsInAModel) {
  const auto left_out = [](const char* name) {
    return all_that_need_shared_memory(simulated_operation(name));
  };
  EXPECT_EQ(left_out("broadcast"), "slots turns teams ");
  EXPECT_EQ(left_out("reduce"), "shared slots turns ");
  EXPECT_EQ(left_out("allreduce"), "shared turns teams ");
  EXPECT_EQ(left_out("scan"), "shared turns ");
  EXPECT_EQ(left_out("scatter"), "slots turns ");
  EXPECT_EQ(left_out("gather"), "shared slots turns ");
  EXPECT_EQ(left_out("allgather"), "turns teams ");
  EXPECT_EQ(left_out("alltoall"), "tiled turns ");
  EXPECT_EQ(left_out("reduce_scatter"), "shared turns ");
  EXPECT_EQ(left_out("scatterv"), "slots turns ");
  EXPECT_EQ(left_out("gatherv"), "shared turns ");
  EXPECT_EQ(left_out("allgatherv"), "turns ");
  EXPECT_EQ(left_out("alltoallv"), "turns ");
  EXPECT_EQ(left_out("route"), "direct turns ");
}

TEST(Bandwidth, CountsWhatMovesAndWhatTheBusiestProcessorSends) {
  const auto of = [](const char* name) {
    return bandwidth(simulated_operation(name), 4, 1000, 500);
  };
  EXPECT_DOUBLE_EQ(of("broadcast")->algorithm, 2);
  EXPECT_DOUBLE_EQ(of("broadcast")->bus, 2);
  EXPECT_DOUBLE_EQ(of("allreduce")->algorithm, 2);
  EXPECT_DOUBLE_EQ(of("allreduce")->bus, 3);
  EXPECT_DOUBLE_EQ(of("allgather")->algorithm, 8);
  EXPECT_DOUBLE_EQ(of("allgather")->bus, 6);
  EXPECT_FALSE(of("barrier"));
  EXPECT_FALSE(bandwidth(simulated_operation("scan"), 4, 1000, 0));
}

TEST(ForMachine, SetsOnlyWhatTheAlgorithmHas) {
  EXPECT_EQ(for_machine(Algorithm::binomial, 8, 3, 2), Algorithm::binomial);
  EXPECT_EQ(for_machine(Algorithm::lambda_tree(), 8, 3, 2), Algorithm::lambda_tree(3));
  EXPECT_EQ(for_machine(Algorithm::d_tree(2, 4), 8, 3, 5), Algorithm::d_tree(2, 4));
  EXPECT_EQ(for_machine(Algorithm::circulant(), 8, 3, 2), Algorithm::circulant(2));
}

// With radix 2 there is nothing to send through a second port.
TEST(ForMachine, TakesTheRadixThatUsesThePorts) {
  EXPECT_EQ(for_machine(Algorithm::bruck(2), 64, 3, 1), Algorithm::bruck(2, 1));
  EXPECT_EQ(for_machine(Algorithm::bruck(2), 64, 3, 3), Algorithm::bruck(4, 3));
  EXPECT_EQ(for_machine(Algorithm::bruck(2), 3, 3, 5), Algorithm::bruck(3, 5));
  EXPECT_EQ(for_machine(Algorithm::bruck(2), 1, 3, 5), Algorithm::bruck(2, 5));
}

}  // namespace
}  // namespace postroom::cli
