#include "cli/simulate/fat_tree_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/common/failure.h"
#include "fat_trees/fat_tree_picture.h"
#include "numa/svg.h"

namespace postroom::cli {
namespace {

constexpr const char* kStyle = R"(
body { font-family: sans-serif; margin: 1em; color: #223; }
#controls { display: flex; gap: .6em; align-items: center; flex-wrap: wrap; }
#step { min-width: 9em; }
#at { flex: 1; min-width: 12em; }
#tree { overflow: auto; }
.legend { color: #667; font-size: 90%; }
)";

constexpr const char* kBody = R"(
<div id="controls">
<button id="back">◀ step</button>
<button id="play">play</button>
<button id="next">step ▶</button>
<span id="step"></span>
<input id="at" type="range" min="0" value="0">
<label>steps a second <input id="speed" type="number" min="1" max="60" value="3"></label>
</div>
<p class="legend">↑ and ↓: packets over the branch in this step, in brackets what waits for it after
the step. Colour: the share of its links in use, from blue to red.</p>
)";

// `film` is what film_as_json makes.
constexpr const char* kScript = R"(
const get = id => document.getElementById(id);
let now = 0, timer = null;

function colour(share) {
  const mix = (from, to) => Math.round(from + (to - from) * Math.min(1, share));
  return `rgb(${mix(60, 220)},${mix(110, 40)},${mix(200, 40)})`;
}
function label(id, arrow, carried, waiting) {
  get(id).textContent = carried + waiting === 0 ? ""
      : arrow + carried + (waiting > 0 ? ` (${waiting})` : "");
}
function show(frame) {
  now = Math.max(0, Math.min(film.frames.length, frame));
  const seen = new Map((film.frames[now - 1] || {branches: []}).branches.map(b => [b[0], b]));
  film.links.forEach((links, node) => {
    const [, up, down, upWaits, downWaits] = seen.get(node) || [node, 0, 0, 0, 0];
    const used = Math.max(up, down) / links;
    get("b" + node).setAttribute("stroke", used > 0 ? colour(used) : "#c3c8da");
    label("u" + node, "↑", up, upWaits);
    label("d" + node, "↓", down, downWaits);
  });
  const last = film.frames.length ? film.frames[film.frames.length - 1].step : 0;
  get("step").textContent = `step ${now ? film.frames[now - 1].step : 0} of ${last}`;
  get("at").value = now;
}
function stop() {
  clearInterval(timer);
  timer = null;
  get("play").textContent = "play";
}
function play() {
  if (timer) return stop();
  if (now === film.frames.length) show(0);
  get("play").textContent = "pause";
  timer = setInterval(() => now < film.frames.length ? show(now + 1) : stop(),
                      1000 / Math.max(1, get("speed").value));
}
get("at").max = film.frames.length;
get("at").oninput = () => { stop(); show(+get("at").value); };
get("play").onclick = play;
get("back").onclick = () => { stop(); show(now - 1); };
get("next").onclick = () => { stop(); show(now + 1); };
get("speed").onchange = () => { if (timer) { stop(); play(); } };
document.onkeydown = event => {
  if (event.target.id === "speed") return;
  const does = {" ": play, ArrowLeft: get("back").onclick, ArrowRight: get("next").onclick};
  if (!does[event.key]) return;
  event.preventDefault();
  does[event.key]();
};
show(0);
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
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page +=
      "<title>" + svg_text(title) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n";
  page += "<h1>" + svg_text(title) + "</h1>" + kBody;
  page += "<div id=\"tree\">\n" + picture(tree, film) + "</div>\n";
  page += "<script>\nconst film = " + film_as_json(tree, film).dump() + ";" + kScript;
  return page + "</script>\n</body>\n</html>\n";
}

}  // namespace postroom::cli
