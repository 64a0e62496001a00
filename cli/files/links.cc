#include "cli/files/links.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <filesystem>
#include <system_error>

#include "cli/common/failure.h"

namespace postroom::cli {
namespace {

constexpr int kMostLinks = 40;  // as the kernel

/// What the symbolic link `path` says; nothing if it is none.
std::optional<std::string> link_text(const std::string& path) {
  std::array<char, PATH_MAX> text;
  const ssize_t length = readlink(path.c_str(), text.data(), text.size());
  if (length < 0) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(length));
}

/// Calls visit(place) for `path` and for each place that a link leads to, until that returns true
/// or there is no further link; returns the last place.
template <class Visit>
std::string follow(const std::string& path, const Visit& visit) {
  std::string place = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (visit(place)) return place;
    const std::optional<std::string> text = link_text(place);
    if (!text) return place;
    place = text->starts_with('/') ? *text : split_path(place).first + "/" + *text;
  }
  throw_error(ELOOP, path);
}

/// The descriptor whose name in the folder of all of them `place` is.
std::optional<int> descriptor_at(const std::string& place) {
  const auto [folder, name] = split_path(place);
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end || number < 0) return std::nullopt;
  std::error_code unknown;
  const std::filesystem::path real = std::filesystem::canonical(folder, unknown);
  const bool own = !unknown && real == fmt::format("/proc/{}/fd", getpid());
  return own ? std::optional(number) : std::nullopt;
}

}  // namespace

std::pair<std::string, std::string> split_path(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

std::string follow_links(const std::string& path) {
  return follow(path, [](const std::string&) { return false; });
}

std::optional<int> own_descriptor(const std::string& path) {
  std::optional<int> found;
  follow(path, [&](const std::string& place) {
    found = descriptor_at(place);
    return found.has_value();
  });
  return found;
}

}  // namespace postroom::cli
