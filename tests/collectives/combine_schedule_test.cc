// The schedule of the global combine: every processor ends with every element once, in the time of
// a broadcast.
#include "collectives/models/combine_schedule.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "collectives/algorithms/allreduce_postal.h"
#include "collectives/models/postal_model.h"
#include "tests/collectives/golden.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

/// How many neighbours processor 0 has combined after the run, checking on the way that each
/// message begins where the window ends; all processors do the same.
int simulated(const CombineSchedule& schedule) {
  int held = 1;
  std::map<std::size_t, int> sent;  // how much each message shows
  schedule.for_each_step(
      [&](std::size_t m) { sent[m] = held - (schedule.messages()[m].without_own ? 1 : 0); },
      [&](std::size_t m) {
        const CombineSchedule::Message& message = schedule.messages()[m];
        EXPECT_EQ(message.distance + (message.without_own ? 1 : 0), held);
        EXPECT_GT(sent[m], 0);
        held += sent[m];
      });
  return held;
}

TEST(CombineSchedule, GathersEveryElementOnce) {
  for (int latency = 1; latency <= 7; ++latency) {
    for (int p = 1; p <= 130; ++p) {
      const CombineSchedule schedule(latency, p);
      EXPECT_EQ(simulated(schedule), p) << "latency " << latency;
      EXPECT_EQ(schedule.time(latency), PostalModel(latency).time(p));
      EXPECT_EQ(Rational(schedule.rounds()), PostalModel(latency).time(p));
    }
  }
}

TEST(CombineSchedule, OfAnyLatencyIsTheBetterOfBothRoundings) {
  int sending = 0;
  int receiving = 0;
  for (const Rational latency :
       {Rational(6, 5), Rational(7, 5), Rational(3, 2), Rational(9, 5), Rational(12, 5),
        Rational(13, 5), Rational(22, 7), Rational(499, 100)}) {
    for (int p = 2; p <= 130; ++p) {
      const CombineSchedule send = CombineSchedule::delay_send(latency, p);
      const CombineSchedule receive = CombineSchedule::delay_receive(latency, p);
      EXPECT_EQ(simulated(send), p);
      EXPECT_EQ(simulated(receive), p);
      // The paper's times, and that nobody idles makes them no longer.
      EXPECT_EQ(send.time_with_idling(latency),
                latency / latency.floor() * PostalModel(latency.floor()).time(p));
      EXPECT_EQ(receive.time_with_idling(latency), PostalModel(latency.ceil()).time(p));
      EXPECT_LE(send.time(latency), send.time_with_idling(latency));
      EXPECT_LE(receive.time(latency),
                receive.time_with_idling(latency) - latency.ceil() + latency);
      const Rational best = CombineSchedule::fastest(latency, p).time(latency);
      EXPECT_EQ(best, std::min(send.time(latency), receive.time(latency)));
      EXPECT_GE(best, PostalModel(latency).time(p));
      (send.time(latency) < receive.time(latency) ? sending : receiving) += 1;
    }
  }
  EXPECT_GT(sending, 100);
  EXPECT_GT(receiving, 100);
}

TEST(CombineSchedule, FollowsTheBreakEvenPointInTheLongRun) {
  constexpr int kMany = 1'000'000'000;
  for (int whole = 1; whole <= 4; ++whole) {
    const Rational less(static_cast<std::int64_t>(100 * break_even_latency(whole)) - 6, 100);
    const Rational more = less + Rational(12, 100);
    EXPECT_EQ(CombineSchedule::fastest(less, kMany).latency(), whole) << less;
    EXPECT_EQ(CombineSchedule::fastest(more, kMany).latency(), whole + 1) << more;
  }
}

TEST(CombineSchedule, TakesLongLatencies) {
  const CombineSchedule schedule(1'000'000'000'000, 5);
  EXPECT_EQ(schedule.rounds(), 1'000'000'000'003);
  EXPECT_EQ(simulated(schedule), 5);
}

TEST(CombineSchedule, RefusesWrongArguments) {
  EXPECT_EQ(refusal([] { CombineSchedule(0, 4); }),
            "postal model: latency 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)CombineSchedule::fastest(Rational(1, 2), 4); }),
            "postal model: latency 1/2 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { CombineSchedule(2, 0); }),
            "postal model: processors 0 is not allowed; at least 1");
  machine_of(3).run([](Processor& self) {
    int value = 1;
    const Bytes bytes = std::as_writable_bytes(std::span(&value, 1));
    const std::plus<> plus;
    EXPECT_EQ(refusal([&] {
                allreduce_postal(self, bytes, bytes, Operator::of<int>(plus),
                                 CombineSchedule(2, 4));
              }),
              "allreduce: schedule for 4 processors is not allowed; for 3");
  });
}

TEST(Golden, CombineRounds) {
  for (const std::vector<std::string>& row : golden_rows("combine_rounds.csv")) {
    const CombineSchedule schedule(std::stoi(row[0]), std::stoi(row[1]));
    EXPECT_EQ(schedule.rounds(), std::stoi(row[2]));
    EXPECT_EQ(schedule.time(schedule.latency()), std::stoi(row[2]));
  }
}

}  // namespace
}  // namespace postroom
