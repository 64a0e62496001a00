// The file of a Profile.
#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "collectives/models/profile.h"

namespace postroom {
namespace {

using Json = nlohmann::ordered_json;

// Two weeks: longer ones are no measurements, and could not be counted in a clock's ticks.
constexpr double kMostNanoseconds = 1e15;

/// Reads members, and knows what to say when there is none, or a wrong one.
class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error(fmt::format("profile {}: {}", name_, what));
  }
  const Json& member(const Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) refuse(fmt::format("\"{}\" is missing", key));
    return object[key];
  }
  std::string text(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    if (!value.is_string()) refuse(fmt::format("\"{}\" is not a text", key));
    return value;
  }
  /// A number of nanoseconds.
  double time(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    const double time = value.is_number() ? value.get<double>() : -1;
    if (!(time >= 0 && time <= kMostNanoseconds)) {
      refuse(fmt::format("\"{}\": {} is not allowed; 0 to {} ns", key, value.dump(),
                         kMostNanoseconds));
    }
    return time;
  }
  int count(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    if (!value.is_number_integer() || value < 1 || value > 1'000'000) {
      refuse(fmt::format("\"{}\": {} is not allowed; 1 to 1000000", key, value.dump()));
    }
    return value;
  }

 private:
  std::string_view name_;
};

}  // namespace

Profile parse_profile(std::string_view json, std::string_view name) {
  const Reader reader(name);
  const Json file = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (file.is_discarded()) reader.refuse("not JSON");
  const Json& version = reader.member(file, "postroom_profile");
  if (version != Profile::kVersion) {
    reader.refuse(fmt::format("version {} is not allowed; {}", version.dump(), Profile::kVersion));
  }
  Profile profile{.box = reader.text(file, "box"),
                  .measured_at = reader.text(file, "measured_at"),
                  .copy_per_byte_ns = reader.time(file, "copy_per_byte_ns"),
                  .barrier_ns = reader.time(file, "barrier_ns"),
                  .barrier_processors = reader.count(file, "barrier_processors"),
                  .measured = true};
  const Json& levels = reader.member(file, "levels");
  if (!levels.is_array() || levels.empty()) reader.refuse("\"levels\" is not a list of levels");
  for (const Json& level : levels) {
    profile.levels.push_back({.name = reader.text(level, "name"),
                              .leaves = reader.count(level, "leaves"),
                              .latency_ns = reader.time(level, "latency_ns"),
                              .busy_ns = reader.time(level, "busy_ns"),
                              .per_byte_ns = reader.time(level, "per_byte_ns")});
  }
  return profile;
}

std::string to_json(const Profile& profile) {
  Json file = {{"postroom_profile", Profile::kVersion},
               {"box", profile.box},
               {"measured_at", profile.measured_at},
               {"copy_per_byte_ns", profile.copy_per_byte_ns},
               {"barrier_ns", profile.barrier_ns},
               {"barrier_processors", profile.barrier_processors},
               {"levels", Json::array()}};
  for (const Profile::Level& level : profile.levels) {
    file["levels"].push_back({{"name", level.name},
                              {"leaves", level.leaves},
                              {"latency_ns", level.latency_ns},
                              {"busy_ns", level.busy_ns},
                              {"per_byte_ns", level.per_byte_ns}});
  }
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace postroom
