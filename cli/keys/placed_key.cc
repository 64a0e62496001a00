#include "cli/keys/placed_key.h"

namespace postroom::cli {

OrderKey PlacedKey::kept() const {
  OrderKey key{first};
  key.rest.assign(reinterpret_cast<const char*>(rest), rest_bytes);
  if (descending) {
    for (char& each : key.rest) each = static_cast<char>(~each);
  }
  return key;
}

}  // namespace postroom::cli
