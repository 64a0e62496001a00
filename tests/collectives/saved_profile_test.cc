// With a profile that was saved, automatic goes by it on the wall clock where it promises much.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/broadcast.h"
#include "collectives/chosen_algorithm.h"
#include "collectives/models/profile.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

constexpr int kLeaves = 8;

/// A box on which a message is under way for fifty times as long as it occupies a port.
class SavedProfile : public testing::Environment {
 public:
  void SetUp() override {
    const std::string path = testing::TempDir() + "/saved_profile_test.json";
    std::ofstream(path) << to_json({.box = "far apart",
                                    .measured_at = "2026-01-31T12:00:00Z",
                                    .levels = {{"machine", kLeaves, 5000, 100, 0}},
                                    .measured = true});
    setenv("POSTROOM_PROFILE", path.c_str(), 1);
  }
};
const auto* const kSavedProfile = testing::AddGlobalTestEnvironment(new SavedProfile);

TEST(SavedProfile, IsRead) {
  EXPECT_EQ(box_profile().box, "far apart");
  EXPECT_TRUE(box_profile().measured);
  EXPECT_EQ(box_profile().note, "");
}

TEST(SavedProfile, DecidesWhereItPromisesMuch) {
  EXPECT_EQ(choose_broadcast(kLeaves, 8), Algorithm::binomial);
  EXPECT_EQ(chosen_algorithm("broadcast", kLeaves, 8), Algorithm::linear);
  // On two processors they are the same.
  EXPECT_EQ(chosen_algorithm("broadcast", 2, 8), choose_broadcast(2, 8));
  // It does not know what processors take that share a hardware thread.
  EXPECT_EQ(chosen_algorithm("broadcast", kLeaves + 1, 8), choose_broadcast(kLeaves + 1, 8));
}

TEST(SavedProfile, DoesNotChangeResults) {
  for (const int p : {1, 2, 5, kLeaves, kLeaves + 3}) {
    Machine machine({.processors = p});
    machine.run([p](Processor& self) {
      for (const std::size_t count : {1, 100, 5000}) {
        std::vector<int> list(count, self.id() == 0 ? 3 : 0);
        broadcast(self, 0, list);
        EXPECT_EQ(list, std::vector<int>(count, 3));
        const std::vector<int> mine(count, self.id());
        std::vector<int> all(count * static_cast<std::size_t>(p));
        allgather(self, mine, all);
        EXPECT_EQ(all.back(), p - 1);
        std::vector<int> sums(count);
        allreduce(self, mine, sums, std::plus<>());
        EXPECT_EQ(sums, std::vector<int>(count, p * (p - 1) / 2));
      }
    });
  }
}

}  // namespace
}  // namespace postroom
