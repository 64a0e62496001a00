// A fresh folder for one test, removed with all that is in it; and small helpers around files.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

namespace postroom::cli {

class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& parent = ::testing::TempDir()) {
    std::string name = parent + "/postroom-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = std::filesystem::canonical(name);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// The path of `name` in it; of the folder itself without one.
  std::string operator()(const std::string& name = "") const {
    return name.empty() ? path_ : path_ + "/" + name;
  }

  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.insert(entry.path().filename());
    }
    return found;
  }

 private:
  std::string path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

inline struct stat status_of(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) ADD_FAILURE() << "no " << path;
  return status;
}

}  // namespace postroom::cli
