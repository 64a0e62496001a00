#include "sort/field_key.h"

#include <stdexcept>
#include <string>

namespace postroom::sorting {

void check_field(std::size_t bytes, std::size_t record_bytes, std::size_t key_offset, KeyType key) {
  if (record_bytes < 1 || record_bytes > kMostRecordBytes) {
    throw std::invalid_argument("record_bytes: " + std::to_string(record_bytes) +
                                " is not allowed; 1 to " + std::to_string(kMostRecordBytes));
  }
  if (key_bytes(key) > record_bytes) {
    throw std::invalid_argument("key: a " + to_string(key) + " is not allowed in records of " +
                                std::to_string(record_bytes) + " bytes");
  }
  if (key_offset > record_bytes - key_bytes(key)) {
    throw std::invalid_argument("key_offset: " + std::to_string(key_offset) +
                                " is not allowed; a " + to_string(key) + " in records of " +
                                std::to_string(record_bytes) + " bytes begins at 0 to " +
                                std::to_string(record_bytes - key_bytes(key)));
  }
  if (bytes % record_bytes != 0) {
    throw std::invalid_argument("data: " + std::to_string(bytes) +
                                " bytes are not allowed; a multiple of record_bytes, " +
                                std::to_string(record_bytes));
  }
}

}  // namespace postroom::sorting
