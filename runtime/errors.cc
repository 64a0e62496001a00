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

std::string unreceived_line(int source, int target, Channel channel, std::size_t messages,
                            std::size_t first_bytes) {
  const std::string of = channel == Channel::kOperation ? " of a collective" : "";
  return "\n  " + std::to_string(messages) + of + " from processor " + std::to_string(source) +
         " to processor " + std::to_string(target) + ", the first of " +
         std::to_string(first_bytes) + " bytes";
}

std::exception_ptr unfinished_cause(const char* call, Where where) noexcept {
  try {
    throw std::runtime_error(std::string("an exception left a message unfinished: ") + call +
                             " at " + where.file_name() + ":" + std::to_string(where.line()));
  } catch (...) {
    return std::current_exception();
  }
}

void throw_size_mismatch(const char* operation, const char* call, int source, std::size_t bytes,
                         std::size_t needed, Where where) {
  const std::string step_of = operation != nullptr ? std::string(operation) + ": " : "";
  throw SizeMismatchError(step_of + call + " from processor " + std::to_string(source) +
                          ": the message has " + std::to_string(bytes) + " bytes, but " +
                          std::to_string(needed) + " are needed (" + where.file_name() + ":" +
                          std::to_string(where.line()) + ")");
}

}  // namespace postroom
