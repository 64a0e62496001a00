#include "collectives/parts/pooled.h"

#include <string>

#include "numa/rounding.h"
#include "runtime/errors.h"
#include "runtime/put_in.h"

namespace postroom {

bool copies_when_put_in(int processors, int threads, std::int64_t bytes) {
  const auto carried = static_cast<std::size_t>(ceil_divide(processors, threads));
  return bytes <= static_cast<std::int64_t>(PutIn<>::most_bytes(carried));
}

void require_listed_bytes(const char* operation, int processor, std::size_t found,
                          std::size_t bytes, Where where) {
  if (found == bytes) [[likely]] {
    return;
  }
  throw SizeMismatchError(std::string(operation) + ": the list of processor " +
                          std::to_string(processor) + " has " + std::to_string(found) +
                          " bytes, but " + std::to_string(bytes) + " are needed (" +
                          where.file_name() + ":" + std::to_string(where.line()) + ")");
}

void require_pooled_bytes(const Pool& pool, int processor, std::size_t found, std::size_t bytes,
                          Where where) {
  require_listed_bytes(pool.name(), processor, found, bytes, where);
}

ConstBytes pooled_in(const Pool& pool, int processor, std::size_t bytes, Where where) {
  require_pooled_bytes(pool, processor, pool.in(processor).size(), bytes, where);
  return pool.in(processor);
}

Bytes pooled_out(const Pool& pool, int processor, std::size_t bytes, Where where) {
  require_pooled_bytes(pool, processor, pool.out(processor).size(), bytes, where);
  return pool.out(processor);
}

}  // namespace postroom
