#include "collectives/models/profile.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

#include "numa/once.h"

namespace postroom {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? "" : value;
}

Profile find_profile() {
  const std::string path = profile_path();
  std::error_code unreadable;
  if (path.empty() || !std::filesystem::exists(path, unreadable)) return built_in_profile();
  try {
    return read_profile(path);
  } catch (const std::exception& error) {
    Profile profile = built_in_profile();
    profile.note = error.what();
    return profile;
  }
}

}  // namespace

TimeModel Profile::model(int processors) const {
  const auto fits = [&](const Level& level) { return processors <= level.leaves; };
  const auto found = std::ranges::find_if(levels, fits);
  const Level& level = found == levels.end() ? levels.back() : *found;
  return {.latency_ns = std::max(level.latency_ns, level.busy_ns),
          .busy_ns = level.busy_ns,
          .per_byte_ns = level.per_byte_ns,
          .shares_memory = true,
          .copy_per_byte_ns = copy_per_byte_ns};
}

// An AMD EPYC (Zen 5), two cores that share an L3 cache.
Profile built_in_profile() {
  return {
      .box = "built in",
      .levels = {{"machine", 2, 120, 60, 0.03}},
      .copy_per_byte_ns = 0.03,
      .barrier_ns = 100,
      .barrier_processors = 2,
  };
}

std::string profile_path() {
  if (std::string path = variable("POSTROOM_PROFILE"); !path.empty()) return path;
  std::string folder = variable("XDG_CONFIG_HOME");
  if (folder.empty()) {
    const std::string home = variable("HOME");
    if (home.empty()) return "";
    folder = home + "/.config";
  }
  return folder + "/postroom/profile.json";
}

Profile read_profile(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text, '\0');
  if (!file.is_open() || file.bad()) {
    throw std::runtime_error("profile " + path + ": cannot be read");
  }
  return parse_profile(text, path);
}

const Profile& box_profile() {
  static constinit MadeOnce<const Profile> profile;
  return profile.get([] { return std::make_unique<const Profile>(find_profile()); });
}

}  // namespace postroom
