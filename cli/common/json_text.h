// JSON as the command writes it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace postroom::cli {

/// On several lines, with an end. What is no UTF-8, as a name of a file may be, becomes U+FFFD.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace postroom::cli
