// What messages take on a box, as `postroom measure` found it, and saves it.
//
// For each level of the box the λ t0, t0 and τ of two processors that meet there, from the inside
// (the hardware threads of a core) to the outside (the packages); the speed of copying, and what a
// barrier costs. There is always a profile: where none was saved, or it cannot be read, a built-in
// one, and Algorithm::automatic then goes by sizes alone.
//
// Where it is looked for: $POSTROOM_PROFILE, else $XDG_CONFIG_HOME/postroom/profile.json, else
// ~/.config/postroom/profile.json. The file is JSON with a version (docs/measure.md). Errors of
// read_profile and parse_profile: std::runtime_error with one line that names the file and what is
// wrong.
//
//   const TimeModel model = box_profile().model(8);
//   allreduce_time(8, 1024, Algorithm::recursive_doubling, model);   // nanoseconds
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectives/models/time_model.h"

namespace postroom {

struct Profile {
  /// Of the file format.
  static constexpr int kVersion = 1;

  struct Level {
    std::string name;        ///< "core", "L3", "NUMA", "package", "machine"
    int leaves = 1;          ///< how many hardware threads one such part of the box has
    double latency_ns = 0;   ///< λ t0
    double busy_ns = 0;      ///< t0
    double per_byte_ns = 0;  ///< τ
    friend bool operator==(const Level&, const Level&) = default;
  };

  std::string box = {};            ///< which machine
  std::string measured_at = {};    ///< when, as 2026-01-31T12:00:00Z
  std::vector<Level> levels = {};  ///< from the inside to the outside; at least one
  double copy_per_byte_ns = 0;
  double barrier_ns = 0;
  int barrier_processors = 1;
  bool measured = false;  ///< read from a file, not built in
  std::string note = {};  ///< why it is not the one that was asked for; usually empty

  /// Whether so many processors have a leaf each.
  bool has_room_for(int processors) const { return processors <= levels.back().leaves; }
  /// Of the innermost level that has a leaf for each of `processors`, or of the outermost.
  TimeModel model(int processors) const;

  friend bool operator==(const Profile&, const Profile&) = default;
};

Profile built_in_profile();

/// Where the profile of this box is looked for, and should be saved; empty where neither variable
/// nor home is set.
std::string profile_path();

Profile parse_profile(std::string_view json, std::string_view name);
Profile read_profile(const std::string& path);
/// What parse_profile reads back.
std::string to_json(const Profile& profile);

/// That of profile_path() when it was first asked for, which reads it; built_in_profile() with a
/// note where that fails. Threads that ask first at the same time may all read; none waits for
/// another, nor does a forked child for a thread of its parent.
const Profile& box_profile();

}  // namespace postroom
