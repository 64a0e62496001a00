#include "cli/named_algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/failure.h"

namespace postroom::cli {

Algorithm named_algorithm(std::string_view option, const std::string& text) {
  const Algorithm algorithm = parse_algorithm(text);
  std::string parameters = text.substr(std::min(text.find('('), text.size() - 1) + 1);
  std::erase(parameters, ' ');
  std::set<std::string> given;
  std::stringstream rest(parameters);
  for (std::string word; std::getline(rest, word, ',');) {
    const std::string name = word.substr(0, word.find('='));
    if (given.insert(name).second) continue;
    throw UsageError(
        fmt::format("{}: {} is given twice in {}; once is allowed", option, name, in_quotes(text)));
  }
  return algorithm;
}

}  // namespace postroom::cli
