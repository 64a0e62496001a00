#include "sort/key_type.h"

#include <stdexcept>
#include <string_view>

namespace postroom {
namespace {

struct Row {
  std::string_view name;
  std::size_t bytes;
  char kind;
};

// In the order of KeyType.
constexpr std::array<Row, kKeyTypes.size()> kRows{{{"u8", 1, 'u'},
                                                   {"u16", 2, 'u'},
                                                   {"u32", 4, 'u'},
                                                   {"u64", 8, 'u'},
                                                   {"i8", 1, 'i'},
                                                   {"i16", 2, 'i'},
                                                   {"i32", 4, 'i'},
                                                   {"i64", 8, 'i'},
                                                   {"f32", 4, 'f'},
                                                   {"f64", 8, 'f'}}};

const Row& row(KeyType type) {
  const auto number = static_cast<std::size_t>(type);
  if (number >= kRows.size()) {
    throw std::invalid_argument("key type: number " + std::to_string(number) +
                                " is not allowed; 0 to " + std::to_string(kRows.size() - 1));
  }
  return kRows[number];
}

}  // namespace

std::size_t key_bytes(KeyType type) { return row(type).bytes; }
bool is_signed(KeyType type) { return row(type).kind != 'u'; }
bool is_floating(KeyType type) { return row(type).kind == 'f'; }
std::string to_string(KeyType type) { return std::string(row(type).name); }

}  // namespace postroom
