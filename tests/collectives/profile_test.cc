// Profiles: what is written is read back, what is wrong is told in one line.
#include "collectives/models/profile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/thrown.h"

namespace postroom {
namespace {

Profile some_profile() {
  return {.box = "a box of 8",
          .measured_at = "2026-01-31T12:00:00Z",
          .levels = {{"core", 2, 100.5, 30, 0.05}, {"machine", 8, 400, 60, 0.125}},
          .copy_per_byte_ns = 0.25,
          .barrier_ns = 900,
          .barrier_processors = 8,
          .measured = true};
}

std::string refusal(const std::string& json) {
  return thrown<std::runtime_error>([&] { parse_profile(json, "p.json"); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Profile, IsReadBack) {
  EXPECT_EQ(parse_profile(to_json(some_profile()), "p.json"), some_profile());
}

TEST(Profile, GivesTheModelOfTheInnermostLevelWithRoom) {
  const Profile profile = some_profile();
  EXPECT_EQ(profile.model(2).latency_ns, 100.5);
  EXPECT_EQ(profile.model(3).latency_ns, 400);
  EXPECT_EQ(profile.model(100).busy_ns, 60);
  EXPECT_TRUE(profile.model(2).shares_memory);
  EXPECT_EQ(profile.model(2).copy_per_byte_ns, 0.25);
  EXPECT_TRUE(profile.has_room_for(8));
  EXPECT_FALSE(profile.has_room_for(9));
  profile.model(8).check();
  built_in_profile().model(2).check();
  EXPECT_FALSE(built_in_profile().measured);
}

TEST(Profile, SaysWhatIsWrong) {
  const std::string good = to_json(some_profile());
  EXPECT_EQ(refusal("{"), "profile p.json: not JSON");
  EXPECT_EQ(refusal("[]"), "profile p.json: \"postroom_profile\" is missing");
  EXPECT_EQ(refusal(replaced(good, "\"postroom_profile\": 1", "\"postroom_profile\": 9")),
            "profile p.json: version 9 is not allowed; 1");
  EXPECT_EQ(refusal(replaced(good, "\"box\"", "\"bax\"")), "profile p.json: \"box\" is missing");
  EXPECT_EQ(refusal(replaced(good, "100.5", "-1")),
            "profile p.json: \"latency_ns\": -1 is not allowed; 0 to 1000000000000000 ns");
  EXPECT_EQ(refusal(replaced(good, "100.5", "1e18")),
            "profile p.json: \"latency_ns\": 1e+18 is not allowed; 0 to 1000000000000000 ns");
  EXPECT_EQ(refusal(replaced(good, "100.5", "\"soon\"")),
            "profile p.json: \"latency_ns\": \"soon\" is not allowed; 0 to 1000000000000000 ns");
  EXPECT_EQ(refusal(replaced(good, "\"leaves\": 2", "\"leaves\": 0")),
            "profile p.json: \"leaves\": 0 is not allowed; 1 to 1000000");
  EXPECT_EQ(refusal(replaced(good, "\"a box of 8\"", "8")),
            "profile p.json: \"box\" is not a text");
  const std::size_t levels = good.find("\"levels\"");
  EXPECT_EQ(refusal(good.substr(0, levels) + "\"levels\": []}"),
            "profile p.json: \"levels\" is not a list of levels");
}

TEST(Profile, ThatIsNotThereIsOneLine) {
  EXPECT_THROW(read_profile("/nowhere/profile.json"), std::runtime_error);
}

TEST(Profile, HasAPlace) {
  setenv("HOME", "/home/me", 1);
  unsetenv("XDG_CONFIG_HOME");
  unsetenv("POSTROOM_PROFILE");
  EXPECT_EQ(profile_path(), "/home/me/.config/postroom/profile.json");
  setenv("XDG_CONFIG_HOME", "/etc/me", 1);
  EXPECT_EQ(profile_path(), "/etc/me/postroom/profile.json");
  setenv("POSTROOM_PROFILE", "/tmp/other.json", 1);
  EXPECT_EQ(profile_path(), "/tmp/other.json");
  setenv("POSTROOM_PROFILE", "/nowhere/profile.json", 1);
  EXPECT_EQ(box_profile(), built_in_profile());
}

}  // namespace
}  // namespace postroom
