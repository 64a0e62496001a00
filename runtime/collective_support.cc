#include "runtime/collective_support.h"

#include <stdexcept>
#include <string>

namespace postroom {
namespace {

[[noreturn]] void throw_takes_no_turns(const char* call) {
  throw std::logic_error(std::string(call) + ": these processors do not take turns");
}

}  // namespace

void CollectiveSupport::work_together(Pool::Call call, const Pool::Lists&, PoolWork, const void*,
                                      Where) {
  throw_takes_no_turns(call.name);
}

void CollectiveSupport::hand_out(const RootedCall& call, ConstBytes, std::size_t, std::size_t,
                                 Bytes, Where) {
  throw_takes_no_turns(call.name());
}

void CollectiveSupport::hand_in(const RootedCall& call, ConstBytes, Bytes, Fold, Where) {
  throw_takes_no_turns(call.name());
}

}  // namespace postroom
