// Predictions side by side, and where one algorithm overtakes another.
#include "cli/bench/prediction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cli/simulate/message_sizes.h"
#include "cli/simulate/simulated_operations.h"

namespace postroom::cli {
namespace {

using Text = std::optional<std::string>;

TEST(Prediction, PutsTheFastestFirst) {
  const Prediction question{simulated_operation("broadcast"), 64,
                            TimeModel::postal(Rational(9, 5), 1e6)};
  const std::vector<Predicted> list = question.of_each(8);
  EXPECT_EQ(list.front().algorithm, Algorithm::lambda_tree(Rational(9, 5)));
  EXPECT_NEAR(list.front().ns, 9.2e6, 10);
  EXPECT_TRUE(std::ranges::is_sorted(list, {}, &Predicted::ns));
  for (const Predicted& each : list) {
    EXPECT_EQ(std::ranges::count(list, each.algorithm.name,
                                 [](const Predicted& p) { return p.algorithm.name; }),
              1);
  }
}

TEST(Prediction, LooksAtEachSizeOnce) {
  Prediction question{simulated_operation("alltoall"), 16, TimeModel::postal(2, 1e6)};
  std::vector<double> told;
  question.on_next = [&](const Algorithm&, std::int64_t bytes, double done) {
    EXPECT_EQ(bytes, 8);
    told.push_back(done);
  };
  const std::vector<Predicted> list = question.of_all(8);
  const std::size_t all = told.size();
  EXPECT_GE(all, list.size());
  EXPECT_EQ(told.front(), 0);
  EXPECT_LT(told.back(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(question.of_all(8).size(), list.size());
  EXPECT_EQ(told.size(), all);
}

TEST(Prediction, LeavesOutWhatDoesNotRun) {
  const Prediction question{simulated_operation("allgather"), 5, TimeModel::postal(2, 1e6)};
  for (const Predicted& each : question.of_all(8)) {
    EXPECT_NE(each.algorithm, Algorithm::recursive_doubling);
  }
  const Prediction reduction{simulated_operation("reduce"), 5, TimeModel::postal(2, 1e6)};
  for (const Predicted& each : reduction.of_all(8)) EXPECT_NE(each.algorithm, Algorithm::shared);
}

// No model knows what takes no messages, not even that of a box.
TEST(Prediction, LeavesOutWhatSendsNoMessages) {
  TimeModel box{.latency_ns = 1000, .busy_ns = 1000, .per_byte_ns = 1, .shares_memory = true};
  for (const SimulatedOperation& operation : simulated_operations()) {
    for (const Predicted& each : Prediction{operation, 16, box}.of_all(512)) {
      EXPECT_NE(each.algorithm, Algorithm::slots) << operation.name;
      EXPECT_NE(each.algorithm, Algorithm::turns) << operation.name;
    }
  }
}

// Where sizes matter, of routers only the one whose time has a bound for every pattern, and nothing
// where only the root knows them: none knows what the others will send.
bool may_be_chosen(const SimulatedOperation& operation, const Algorithm& algorithm,
                   const TimeModel& model) {
  using enum Algorithm::Name;
  const bool sizes_matter = model.unit_bytes != 0 || model.per_byte_ns > 0;
  if (operation.name == "route") return algorithm.name == kTwoTranspose || !sizes_matter;
  if (operation.name == "scatterv" || operation.name == "gatherv") return !sizes_matter;
  return true;
}

// What automatic stands for takes no longer than anything that could be predicted.
TEST(Prediction, HasNothingFasterThanAutomatic) {
  for (const TimeModel& model :
       {TimeModel::postal(Rational(9, 5), 1e6), TimeModel::postal(4, 1e6, 64, 2),
        TimeModel{.latency_ns = 5000, .busy_ns = 1000, .per_byte_ns = 2}}) {
    for (const SimulatedOperation& operation : simulated_operations()) {
      for (const int p : {2, 5, 16, 33}) {
        for (const std::int64_t bytes : {1, 512, 10'000}) {
          const Prediction question{operation, p, model};
          const double chosen = operation.time(p, bytes, operation.chosen(p, bytes, &model), model);
          for (const Predicted& each : question.of_all(bytes)) {
            if (!may_be_chosen(operation, each.algorithm, model)) continue;
            EXPECT_LE(chosen, each.ns * 1.00001)
                << operation.name << ' ' << each.algorithm << ", p = " << p << ", " << bytes;
          }
        }
      }
    }
  }
}

// Nor does the first row take longer than what automatic stands for, with whatever parameters.
TEST(Prediction, HasNothingSlowerThanAutomaticInItsFirstRow) {
  std::mt19937 random(20261126);
  const auto from_to = [&](int least, int most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  for (int turn = 0; turn < 30; ++turn) {
    const int p = from_to(2, 20);
    const auto unit = static_cast<std::size_t>(from_to(1, 16));
    const TimeModel model = TimeModel::postal(Rational(from_to(5, 30), 5), 1e6, unit);
    const std::int64_t bytes = from_to(1, 1000);
    for (const SimulatedOperation& operation : simulated_operations()) {
      const Algorithm chosen = operation.chosen(p, bytes, &model);
      const double ns = operation.time(p, bytes, chosen, model);
      const Predicted first = Prediction{operation, p, model}.of_all(bytes).front();
      EXPECT_LE(first.ns, ns * 1.00001) << operation.name << ' ' << chosen << ", p = " << p << ", "
                                        << bytes << " bytes in units of " << unit;
    }
  }
}

// [I], section 3.5: with few bytes the fewest rounds, with many the least data. On the machine of
// the paper, 64 processors, start-up 29 us, 0.12 us a byte: 6 rounds of 32 blocks against 63 of
// one.
TEST(Prediction, FindsTheBreakEvenOfTwoRadices) {
  const TimeModel sp1{.latency_ns = 29'000, .busy_ns = 29'000, .per_byte_ns = 120};
  const Prediction question{
      simulated_operation("alltoall"), 64, sp1, {Algorithm::bruck(2), Algorithm::bruck(64)}};
  const std::vector<BreakEven> found =
      question.winners(std::vector<std::int64_t>{8, 1024}, 1024).break_evens;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].before, Algorithm::bruck(2));
  EXPECT_EQ(found[0].after, Algorithm::bruck(64));
  // (63 - 6) 29 us = (192 - 63) b 0.12 us.
  EXPECT_EQ(found[0].bytes, 107);
  EXPECT_TRUE(question.winners(std::vector<std::int64_t>{8, 16, 32}, 32).break_evens.empty());
}

/// Times that rise with the size, by steps and evenly.
std::vector<TimeModel> networks() {
  return {TimeModel::postal(4, 1e6, 256, 2),
          TimeModel{.latency_ns = 5000, .busy_ns = 1000, .per_byte_ns = 2, .shares_memory = true}};
}

TEST(Prediction, BreakEvensDoNotDependOnTheSteps) {
  std::size_t with_some = 0;
  for (const TimeModel& model : networks()) {
    for (const SimulatedOperation& operation : simulated_operations()) {
      const Prediction question{operation, 5, model};
      std::vector<std::string> said;
      for (const char* factor : {"2", "8", "512"}) {
        const auto sizes = message_sizes(Text("8"), Text("16K"), Text(factor), 1);
        said.emplace_back();
        for (const auto& [bytes, before, after] : question.winners(sizes, 1 << 14).break_evens) {
          said.back() += std::to_string(bytes) + ' ' + to_string(before) + ' ' + to_string(after);
          said.back() += '\n';
        }
      }
      for (const std::string& each : said) EXPECT_EQ(each, said.front()) << operation.name;
      if (!said.front().empty()) ++with_some;
    }
  }
  EXPECT_GE(with_some, 5u);
}

// The winner of each row is that which the break-evens name for it, and none is faster.
TEST(Prediction, BreakEvensAgreeWithTheRows) {
  for (const TimeModel& model : networks()) {
    for (const SimulatedOperation& operation : simulated_operations()) {
      const Prediction question{operation, 5, model};
      for (const char* factor : {"3", "8"}) {
        const auto sizes = message_sizes(Text("5"), Text("20000"), Text(factor), 1);
        const Winners winners = question.winners(sizes, sizes.back());
        ASSERT_EQ(winners.of_size.size(), sizes.size());
        std::optional<Algorithm> named;
        auto next = winners.break_evens.begin();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          Algorithm row = winners.of_size[i].algorithm;
          row.latency = 0;
          row.blocks = 0;
          if (!named) named = row;
          for (; next != winners.break_evens.end() && next->bytes <= sizes[i]; ++next) {
            EXPECT_EQ(next->before, *named) << operation.name << ", " << next->bytes;
            EXPECT_NE(next->before, next->after) << operation.name << ", " << next->bytes;
            named = next->after;
          }
          EXPECT_EQ(row, *named) << operation.name << ", " << sizes[i];
          EXPECT_LE(winners.of_size[i].ns, question.of_all(sizes[i]).front().ns * 1.00001)
              << operation.name << ", " << sizes[i];
        }
      }
    }
  }
}

TEST(MessageSizes, AreReadAsASweep) {
  EXPECT_EQ(message_sizes(Text("8"), Text("1K"), Text("4"), 1),
            (std::vector<std::int64_t>{8, 32, 128, 512}));
  EXPECT_EQ(message_sizes(Text("2K"), {}, {}, 1), std::vector<std::int64_t>{2048});
  EXPECT_EQ(message_sizes({}, Text("4"), {}, 1), (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_EQ(message_size("-b", "1T"), std::int64_t{1} << 40);
  EXPECT_THROW(message_size("-b", "2T"), std::exception);
  EXPECT_THROW(message_size("-b", "-1"), std::exception);
  EXPECT_THROW(message_size("-b", "K"), std::exception);
  EXPECT_THROW(message_sizes(Text("8"), {}, Text("2"), 1), std::exception);
  EXPECT_THROW(message_sizes(Text("8"), Text("4"), {}, 1), std::exception);
  EXPECT_THROW(message_sizes(Text("0"), Text("4"), {}, 1), std::exception);
  EXPECT_THROW(message_sizes(Text("1"), Text("4"), Text("1"), 1), std::exception);
}

}  // namespace
}  // namespace postroom::cli
