// The line of a program that a report names.
#pragma once

#include <source_location>

namespace postroom {

/// Every call that waits or may fail takes it as its last, defaulted argument.
using Where = std::source_location;

}  // namespace postroom
