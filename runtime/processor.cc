#include "runtime/processor.h"

#include <stdexcept>
#include <string>

#include "runtime/errors.h"

namespace postroom {
namespace {

[[noreturn]] void throw_shares_no_memory(const char* call) {
  throw std::logic_error(std::string(call) + ": these processors share no memory");
}

}  // namespace

void Processor::read_bytes(int source, std::size_t bytes, Reader reader, Where where) {
  const Borrowed message = borrow_bytes(source, where);
  if (message.bytes().size() != bytes) {
    throw_size_mismatch(operation(), "read", source, message.bytes().size(), bytes, where);
  }
  reader.call(reader.context, message.bytes());
}

Pending Processor::lend_both_bytes(int, ConstBytes, Bytes, Where) {
  throw_shares_no_memory("lend_both");
}

}  // namespace postroom
