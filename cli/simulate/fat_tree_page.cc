#include "cli/simulate/fat_tree_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/common/failure.h"
#include "fat_trees/fat_tree_picture.h"
#include "pictures/film_page.h"

namespace postroom::cli {
namespace {

constexpr const char* kLegend =
    "↑ and ↓: packets over the branch in this step, in brackets what waits for it after the step. "
    "Colour: the share of its links in use, from blue to red.";

// `film` is what film_as_json makes.
constexpr const char* kScript = R"(
const last = film.frames.length;

function colour(share) {
  const mix = (from, to) => Math.round(from + (to - from) * Math.min(1, share));
  return `rgb(${mix(60, 220)},${mix(110, 40)},${mix(200, 40)})`;
}
function label(id, arrow, carried, waiting) {
  get(id).textContent = carried + waiting === 0 ? ""
      : arrow + carried + (waiting > 0 ? ` (${waiting})` : "");
}
function draw(now) {
  const frame = film.frames[now - 1] || {step: 0, branches: []};
  const seen = new Map(frame.branches.map(b => [b[0], b]));
  film.links.forEach((links, node) => {
    const [, up, down, upWaits, downWaits] = seen.get(node) || [node, 0, 0, 0, 0];
    const used = Math.max(up, down) / links;
    get("b" + node).setAttribute("stroke", used > 0 ? colour(used) : "#c3c8da");
    label("u" + node, "↑", up, upWaits);
    label("d" + node, "↓", down, downWaits);
  });
  return `step ${frame.step} of ${last ? film.frames[last - 1].step : 0}`;
}
)";

/// {"links": by node, "frames": [{"step", "branches": [[node, up, down, up waiting, down
/// waiting]]}]}
nlohmann::json film_as_json(const FatTree& tree, const FatTreeFilm& film) {
  auto links = nlohmann::json::array();
  for (int node = 0; node < tree.root(); ++node) links.push_back(tree.capacity_above(node));
  auto frames = nlohmann::json::array();
  for (const FatTreeFilm::Frame& frame : film.frames()) {
    auto branches = nlohmann::json::array();
    for (const FatTreeFilm::Branch& branch : frame.branches) {
      branches.push_back({branch.node, branch.carried.up, branch.carried.down, branch.waiting.up,
                          branch.waiting.down});
    }
    frames.push_back({{"step", frame.step}, {"branches", branches}});
  }
  return {{"links", links}, {"frames", frames}};
}

/// The tree with empty labels for the script to fill, as wide as the longest that it will write.
std::string picture(const FatTree& tree, const FatTreeFilm& film) {
  FatTreePanel panel{tree};
  panel.has_ids = true;
  std::size_t longest = 1;
  const auto digits = [](std::int64_t number) { return std::to_string(number).size(); };
  for (const FatTreeFilm::Frame& frame : film.frames()) {
    for (const FatTreeFilm::Branch& branch : frame.branches) {
      for (const auto way : {&UpDown::up, &UpDown::down}) {
        const std::int64_t waiting = branch.waiting.*way;
        const std::size_t brackets = waiting > 0 ? digits(waiting) + 3 : 0;
        longest = std::max(longest, 1 + digits(branch.carried.*way) + brackets);
      }
    }
  }
  for (int node = 0; node < tree.root(); ++node) {
    panel.up[node] = panel.down[node] = std::string(longest, ' ');
  }
  return fat_tree_svg({panel});
}

}  // namespace

std::string fat_tree_page(const FatTree& tree, const FatTreeFilm& film, const std::string& title) {
  if (film.frames().size() > kMostFilmSteps) {
    throw UsageError(fmt::format("--html: {} steps are too many to look at; at most {}",
                                 film.frames().size(), kMostFilmSteps));
  }
  return film_page({.title = title,
                    .legend = kLegend,
                    .picture = picture(tree, film),
                    .script = "const film = " + film_as_json(tree, film).dump() + ";" + kScript});
}

}  // namespace postroom::cli
