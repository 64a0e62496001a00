// What `postroom measure` found, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/bench/box_measurement.h"

namespace postroom::cli {

std::string to_text(const std::vector<LevelMeasurement>& levels);
/// Copying, the barrier and the warnings.
std::string rest_to_text(const BoxMeasurement& box);

nlohmann::ordered_json to_json(const std::vector<LevelMeasurement>& levels);
nlohmann::ordered_json to_json(const BoxMeasurement& box);

}  // namespace postroom::cli
