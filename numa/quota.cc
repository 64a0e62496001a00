#include "numa/quota.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

namespace postroom {
namespace {

/// The folders of one group and of all its parents up to the mount, nearest first.
using Folders = std::vector<std::string>;

Folders folders_upwards(const std::string& mount, std::string group) {
  // A group outside of what this container may see is written with ".."; only the mount is left
  // then.
  if (group.find("/..") != std::string::npos) group.clear();
  while (!group.empty() && group.back() == '/') group.pop_back();
  Folders folders;
  while (!group.empty() && group.front() == '/') {
    folders.push_back(mount + group);
    group.erase(group.rfind('/'));
  }
  folders.push_back(mount);
  return folders;
}

/// A line of /proc/self/cgroup is "number:controllers:group"; version 2 is "0::group".
struct Membership {
  std::string controllers;
  std::string group;
};

std::vector<Membership> memberships(const std::string& path) {
  std::vector<Membership> found;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    if (first == std::string::npos) continue;
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    found.push_back({line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return found;
}

bool lists(const std::string& controllers, const std::string& wanted) {
  return ("," + controllers + ",").find("," + wanted + ",") != std::string::npos;
}

/// All folders whose files may limit `controller`, of both versions.
Folders folders_for(const std::string& controller, const CgroupPaths& paths) {
  Folders all;
  const auto add = [&](const std::string& mount, const std::string& group) {
    const Folders folders = folders_upwards(mount, group);
    all.insert(all.end(), folders.begin(), folders.end());
  };
  for (const Membership& member : memberships(paths.membership)) {
    if (member.controllers.empty()) {
      add(paths.mount, member.group);
      add(paths.mount + "/unified", member.group);
    } else if (lists(member.controllers, controller)) {
      add(paths.mount + "/" + member.controllers, member.group);
      add(paths.mount + "/" + controller, member.group);
    }
  }
  return all;
}

/// The first words of a file that are numbers; "max" is nothing.
std::vector<double> numbers(const std::string& path) {
  std::vector<double> found;
  std::ifstream file(path);
  for (double number; file >> number;) found.push_back(number);
  return found;
}

std::optional<double> quota_in(const std::string& folder) {
  std::vector<double> limit = numbers(folder + "/cpu.max");
  if (limit.size() != 2) {
    const std::vector<double> quota = numbers(folder + "/cpu.cfs_quota_us");
    const std::vector<double> period = numbers(folder + "/cpu.cfs_period_us");
    if (quota.size() != 1 || period.size() != 1) return std::nullopt;
    limit = {quota[0], period[0]};
  }
  if (!(limit[0] > 0) || !(limit[1] > 0)) return std::nullopt;  // version 1 writes -1 for none
  return limit[0] / limit[1];
}

std::optional<std::uint64_t> bytes_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t bytes = 0;
  if (!(file >> bytes)) return std::nullopt;
  // Version 1 writes the largest multiple of a page for none.
  if (bytes >= std::uint64_t{1} << 62) return std::nullopt;
  return bytes;
}

// The names of the files in a folder, and of the lines of the last one that count files in memory.
struct MemoryNames {
  const char* limit;
  const char* used;
  std::array<const char*, 2> files;
};

constexpr const char* kMemoryStatistics = "/memory.stat";
constexpr std::array kMemoryNames{
    MemoryNames{"/memory.max", "/memory.current", {"active_file", "inactive_file"}},
    MemoryNames{"/memory.high", "/memory.current", {"active_file", "inactive_file"}},
    MemoryNames{"/memory.limit_in_bytes",
                "/memory.usage_in_bytes",
                {"total_active_file", "total_inactive_file"}}};

// What files take of the memory of the group in this folder.
std::uint64_t bytes_of_files(const std::string& folder, const MemoryNames& names) {
  std::ifstream file(folder + kMemoryStatistics);
  std::uint64_t sum = 0;
  std::uint64_t bytes = 0;
  for (std::string name; file >> name >> bytes;) {
    if (name == names.files[0] || name == names.files[1]) sum += bytes;
  }
  return sum;
}

std::optional<std::uint64_t> left_in(const std::string& folder, const MemoryNames& names) {
  const std::optional<std::uint64_t> limit = bytes_in(folder + names.limit);
  if (!limit) return std::nullopt;
  const std::uint64_t used = bytes_in(folder + names.used).value_or(0);
  const std::uint64_t kept = used - std::min(used, bytes_of_files(folder, names));
  return *limit - std::min(*limit, kept);
}

template <class T>
void tighten(std::optional<T>& limit, const std::optional<T>& other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

}  // namespace

std::optional<double> cpu_quota(const CgroupPaths& paths) {
  std::optional<double> tightest;
  for (const std::string& folder : folders_for("cpu", paths)) tighten(tightest, quota_in(folder));
  return tightest;
}

std::optional<std::uint64_t> memory_limit(const CgroupPaths& paths) {
  std::optional<std::uint64_t> tightest;
  for (const std::string& folder : folders_for("memory", paths)) {
    for (const MemoryNames& names : kMemoryNames) {
      tighten(tightest, bytes_in(folder + names.limit));
    }
  }
  return tightest;
}

std::optional<std::uint64_t> memory_left(const CgroupPaths& paths) {
  std::optional<std::uint64_t> tightest;
  for (const std::string& folder : folders_for("memory", paths)) {
    for (const MemoryNames& names : kMemoryNames) tighten(tightest, left_in(folder, names));
  }
  return tightest;
}

int whole_cpus(double quota) {
  constexpr double kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp(std::ceil(quota), 1.0, kMost));
}

}  // namespace postroom
