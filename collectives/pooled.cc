#include "collectives/pooled.h"

#include <string>

#include "runtime/errors.h"

namespace postroom {
namespace {

template <class List>
List of_size(List list, int processor, std::size_t bytes, Where where) {
  if (list.size() == bytes) [[likely]] {
    return list;
  }
  throw SizeMismatchError("the list of processor " + std::to_string(processor) + " has " +
                          std::to_string(list.size()) + " bytes, but " + std::to_string(bytes) +
                          " are needed (" + where.file_name() + ":" + std::to_string(where.line()) +
                          ")");
}

}  // namespace

ConstBytes pooled_in(const Pool& pool, int processor, std::size_t bytes, Where where) {
  return of_size(pool.in(processor), processor, bytes, where);
}

Bytes pooled_out(const Pool& pool, int processor, std::size_t bytes, Where where) {
  return of_size(pool.out(processor), processor, bytes, where);
}

}  // namespace postroom
