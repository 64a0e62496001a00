#include "runtime/errors.h"

#include <string>

namespace postroom {
namespace {

std::string words_of(const std::exception_ptr& cause) {
  try {
    std::rethrow_exception(cause);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "threw something that is not a std::exception";
  }
}

}  // namespace

ProcessorError::ProcessorError(int processor, std::exception_ptr cause)
    : std::runtime_error("processor " + std::to_string(processor) + ": " + words_of(cause)),
      processor_(processor),
      cause_(std::move(cause)) {}

}  // namespace postroom
