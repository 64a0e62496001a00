#include "cli/cpu_name.h"

#include <fstream>

namespace postroom::cli {

std::string cpu_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  return cpu_name(cpuinfo);
}

std::string cpu_name(std::istream& cpuinfo) {
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

}  // namespace postroom::cli
