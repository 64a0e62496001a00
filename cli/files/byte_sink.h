// Where bytes go, in order: an output, or the file that runs are spilled to.
//
// Who may call: one thread at a time. Errors: std::system_error that names the place.
#pragma once

#include <cstddef>
#include <span>

namespace postroom::cli {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
};

}  // namespace postroom::cli
