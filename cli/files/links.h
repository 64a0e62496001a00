// Where a path leads that is a symbolic link, or a name of a descriptor of this process.
//
// Errors: std::system_error (ELOOP) for links that go round.
//
//   follow_links("latest");        // "runs/2026-11-24.u64", whether it exists or not
//   own_descriptor("/dev/stdout"); // 1
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace postroom::cli {

/// {"a/b", "c"} of "a/b/c"; the folder of a bare name is ".".
std::pair<std::string, std::string> split_path(const std::string& path);

/// `path` with the symbolic links of its last part followed, also where they lead to a file that
/// does not exist yet.
std::string follow_links(const std::string& path);

/// The number that `path` names a descriptor of this process by: /dev/stdout, /dev/fd/3,
/// /proc/self/fd/3. Nothing for all else.
std::optional<int> own_descriptor(const std::string& path);

}  // namespace postroom::cli
