// Records in order or in reverse are found and turned round by several processors, piece by piece:
// disorder, equal keys and the middle may lie on the border of any two pieces.
#include "sort/engine/presort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {
namespace {

struct Record {
  std::uint32_t key;
  std::uint32_t place;  // where it was
  friend bool operator==(const Record&, const Record&) = default;
};

struct RecordKey {
  using Bits = std::uint32_t;
  static constexpr bool kWholeRecord = false;
  Bits thrown = 0xFFFFFFFF;  // the key that is not given

  Bits operator()(const std::byte* at) const {
    Record record;
    std::memcpy(&record, at, sizeof(record));
    if (record.key == thrown) throw std::runtime_error("a key");
    return record.key;
  }
};

using Layout = Rows<sizeof(Record), RecordKey>;
using Records = std::vector<Record>;

// Little more than both ends.
constexpr std::size_t kSample = 2;

Records records_of(std::size_t size, auto key_at) {
  Records records;
  for (std::uint32_t i = 0; i < size; ++i) records.push_back({key_at(i), i});
  return records;
}

Presort<Layout> presort_of(const Machine& machine, Records& records, RecordKey key = {}) {
  const Layout layout(std::as_writable_bytes(std::span(records)).data(), key);
  return {layout, records.size(), kSample, static_cast<std::size_t>(machine.processors())};
}

/// Whether nothing is left to do, on each processor alike.
bool is_done(Machine& machine, Presort<Layout>& presort) {
  Failure failure;
  std::vector<char> done(static_cast<std::size_t>(machine.processors()));
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    done[self.id()] = presort.run(steps) ? 1 : 0;
  });
  failure.rethrow();
  EXPECT_EQ(std::ranges::count(done, done[0]), std::ssize(done));
  return done[0] != 0;
}

bool presorted(Machine& machine, Records& records, RecordKey key = {}) {
  auto presort = presort_of(machine, records, key);
  return is_done(machine, presort);
}

void expect_sorted(Machine& machine, Records records, const std::string& what) {
  Records expected = records;
  std::ranges::stable_sort(expected, {}, &Record::key);
  EXPECT_TRUE(presorted(machine, records)) << what;
  EXPECT_EQ(records, expected) << what;
}

void expect_left_alone(Machine& machine, Records records, const std::string& what) {
  const Records before = records;
  EXPECT_FALSE(presorted(machine, records)) << what;
  EXPECT_EQ(records, before) << what;
}

class PresortByProcessors : public testing::TestWithParam<int> {
 protected:
  Machine machine_{{.processors = GetParam(), .pin = false}};
};

TEST_P(PresortByProcessors, OrderAndReverseOfAnySize) {
  const auto pieces = static_cast<std::size_t>(64 * GetParam());
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, pieces / 2, pieces - 1, pieces,
                                 pieces + 1, 7 * pieces + 3, 40 * pieces + 1}) {
    for (const std::uint32_t alike : {1U, 2U, 3U, 50U, 5000U}) {
      const std::string what = std::to_string(size) + ", " + std::to_string(alike) + " alike";
      expect_sorted(machine_, records_of(size, [&](auto i) { return i / alike; }), what);
      expect_sorted(machine_, records_of(size, [&](auto i) { return 99'999U - i / alike; }),
                    "reverse " + what);
    }
  }
}

TEST_P(PresortByProcessors, OneOutOfOrderAnywhere) {
  const std::size_t size = 64 * GetParam() * 5 + 2;
  // Many processors, for whom each run takes long: every seventh place, which is anywhere in a
  // piece of five.
  const std::size_t step = GetParam() > 2 ? 7 : 1;
  for (std::size_t place = 1; place + 1 < size; place += step) {
    // Ends as they should be, so that the sample sees nothing.
    Records rising = records_of(size, [](auto i) { return 2 * i; });
    rising[place].key = rising[place + 1].key + 1;
    expect_left_alone(machine_, rising, "rising " + std::to_string(place));
    Records falling = records_of(size, [](auto i) { return 9999 - 2 * i; });
    falling[place].key = falling[place - 1].key + 1;
    expect_left_alone(machine_, falling, "falling " + std::to_string(place));
  }
}

/// Of long lists, which grow with the processors.
class PresortByFew : public PresortByProcessors {};

// Long enough that each piece is turned round chunk by chunk.
TEST_P(PresortByFew, OneOutOfOrderInALongReverse) {
  const std::size_t size = 2 * 64 * 5'000 * GetParam() + 1;
  const auto falls = [](auto i) { return 0xF0000000U - i / 3; };
  expect_sorted(machine_, records_of(size, falls), "reverse");
  for (const std::size_t place : {std::size_t{4096}, std::size_t{4'999}, size / 4, size / 2,
                                  size - 4097, size - 5'000, size - 2}) {
    Records falling = records_of(size, falls);
    falling[place].key = falling[place - 1].key + 1;
    expect_left_alone(machine_, falling, "falling " + std::to_string(place));
  }
}

TEST_P(PresortByFew, WhatHasBeenTurnedIsTurnedBackWhenAKeyThrows) {
  const std::size_t size = 2 * 64 * 5'000 * GetParam() + 1;
  const Records before =
      records_of(size, [&](auto i) { return static_cast<std::uint32_t>(size - i); });
  for (const std::size_t place : {std::size_t{4096}, size / 3, size / 2, size - 5000}) {
    Records records = before;
    EXPECT_THROW(presorted(machine_, records, {.thrown = before[place].key}), std::runtime_error);
    EXPECT_EQ(records, before) << place;
  }
}

// As where keys are read into scratch by all (sort/by_index.cc).
TEST_P(PresortByProcessors, WhatIsThereWhenItIsMadeDoesNotCount) {
  Records records = records_of(5000, [](auto i) { return 9999 - i; });
  auto presort = presort_of(machine_, records);
  const Records rising = records_of(5000, [](auto i) { return i; });
  std::ranges::copy(rising, records.begin());
  EXPECT_TRUE(is_done(machine_, presort));
  EXPECT_EQ(records, rising);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
INSTANTIATE_TEST_SUITE_P(Teams, PresortByProcessors, testing::Values(1, 3));
#else
INSTANTIATE_TEST_SUITE_P(Teams, PresortByProcessors, testing::Values(1, 2, 3, 8));
#endif
INSTANTIATE_TEST_SUITE_P(Teams, PresortByFew, testing::Values(1, 2, 3));

}  // namespace
}  // namespace postroom::sorting
