#include "runtime/processor.h"

#include <stdexcept>
#include <string>

#include "runtime/errors.h"

namespace postroom {
namespace {

[[noreturn]] void throw_takes_no_turns(const char* call) {
  throw std::logic_error(std::string(call) + ": these processors do not take turns");
}

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

void Processor::work_together(Pool::Call call, const Pool::Lists&, PoolWork, const void*, Where) {
  throw_takes_no_turns(call.name);
}

void Processor::hand_out(const RootedCall& call, ConstBytes, std::size_t, std::size_t, Bytes,
                         Where) {
  throw_takes_no_turns(call.name());
}

void Processor::hand_in(const RootedCall& call, ConstBytes, Bytes, Fold, Where) {
  throw_takes_no_turns(call.name());
}

}  // namespace postroom
