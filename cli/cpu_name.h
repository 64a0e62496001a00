// What the CPU of this box calls itself.
#pragma once

#include <istream>
#include <string>

namespace postroom::cli {

/// "AMD EPYC 7543 32-Core Processor", as /proc/cpuinfo has it; "unknown CPU" where it does not say.
std::string cpu_name();
/// The same from what is read instead.
std::string cpu_name(std::istream& cpuinfo);

}  // namespace postroom::cli
