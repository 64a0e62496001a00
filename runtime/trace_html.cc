#include "runtime/trace_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "pictures/film_page.h"
#include "runtime/clock.h"
#include "runtime/critical_path.h"
#include "runtime/trace_svg.h"
#include "runtime/trace_times.h"

namespace postroom {
namespace {

constexpr const char* kLegend =
    "Processors across, time down. Faint: not sent yet. Dots: messages under way. A click on a "
    "message shows what it waited for, back to the beginning: what its sender had received or sent "
    "last before it. <button id=\"critical\">critical path</button>";

constexpr const char* kStyle = R"(
.aside { opacity: .3; }
.later { opacity: .1; }
.chain { stroke: #000; stroke-width: 2; stroke-opacity: 1; }
#waited { font-size: 90%; }
)";

// `run` is what run_as_json makes. Where things are is read from the picture.
constexpr const char* kScript = R"(
const last = run.times.length - 1;
const svg = get("picture").querySelector("svg");
const messages = run.messages.map(([start, arrival, before], i) => {
  const shape = get("m" + i), busy = get("b" + i);
  const ends = (shape.getAttribute("d") || "").match(/-?[\d.]+/g);
  const [x1, y1, x2, y2] = ends ? ends.map(Number)
      : [0, 1].flatMap(() => [+shape.getAttribute("cx"), +shape.getAttribute("cy")]);
  return {start, arrival, before, shape, busy, x1, y1, x2, y2};
});
const height = new Map(messages.flatMap(m => [[m.start, m.y1], [m.arrival, m.y2]]));

function svgElement(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return svg.appendChild(element);
}
const line = svgElement("line", {x1: 0, x2: svg.getAttribute("width"), stroke: "#d22"});
const dots = svgElement("g", {fill: "#d22"});

function draw(now) {
  const y = height.get(now) || 0;
  line.setAttribute("y1", y);
  line.setAttribute("y2", y);
  dots.replaceChildren();
  let arrived = 0;
  for (const m of messages) {
    for (const part of [m.shape, m.busy]) if (part) part.classList.toggle("later", m.start > now);
    if (m.arrival <= now) ++arrived;
    if (m.start > now || m.arrival <= now) continue;
    const share = m.y2 > m.y1 ? (y - m.y1) / (m.y2 - m.y1) : 0;
    dots.appendChild(svgElement("circle", {cx: m.x1 + share * (m.x2 - m.x1), cy: y, r: 3.5}));
  }
  return `time ${run.times[now]} of ${run.times[last]}: ${dots.childElementCount} under way, ` +
         `${arrived} of ${messages.length} arrived`;
}
function select(i) {
  const chain = new Set();
  for (; i !== null; i = messages[i].before) chain.add(messages[i]);
  for (const m of messages) {
    m.shape.classList.toggle("chain", chain.has(m));
    m.shape.classList.toggle("aside", chain.size > 0 && !chain.has(m));
    if (chain.has(m)) m.shape.parentNode.appendChild(m.shape);  // in front of the others
  }
  get("waited").replaceChildren(...[...chain].reverse().map(m => {
    const item = document.createElement("li");
    item.textContent = m.shape.textContent;
    return item;
  }));
}
function distance(m, x, y) {
  const [dx, dy] = [m.x2 - m.x1, m.y2 - m.y1];
  const along = ((x - m.x1) * dx + (y - m.y1) * dy) / (dx * dx + dy * dy || 1);
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(m.x1 + share * dx - x, m.y1 + share * dy - y);
}
svg.onclick = event => {
  const box = svg.getBoundingClientRect();
  const away = messages.map(m => distance(m, event.clientX - box.left, event.clientY - box.top));
  const least = away.reduce((a, b) => Math.min(a, b), Infinity);
  select(least < 10 ? away.indexOf(least) : null);
};
get("critical").onclick = () => select(run.last);
)";

// {"times": of the frames, as labels, "messages": [[frame of the start, of the arrival, the message
// that it waited for or null]], "last": the end of the critical path}
std::string run_as_json(const Trace& trace) {
  const auto& messages = trace.messages();
  const TraceTimes times(trace);
  std::vector<Time> frames;
  for (const Trace::Message& m : messages) frames.insert(frames.end(), {m.start, m.arrival});
  std::ranges::sort(frames);
  frames.erase(std::ranges::unique(frames).begin(), frames.end());
  if (frames.empty()) frames.push_back(times.begin());
  const auto frame_of = [&](Time time) {
    return std::ranges::lower_bound(frames, time) - frames.begin();
  };
  const auto number = [](std::optional<std::size_t> message) {
    return message ? std::to_string(*message) : "null";
  };
  std::vector<std::string> labels;
  for (const Time frame : frames) labels.push_back('"' + times.label(frame) + '"');
  const std::vector<std::optional<std::size_t>> before = waited_for(trace);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    lines.push_back(fmt::format("[{},{},{}]", frame_of(messages[i].start),
                                frame_of(messages[i].arrival), number(before[i])));
  }
  return fmt::format(R"({{"times":[{}],"messages":[{}],"last":{}}})", fmt::join(labels, ","),
                     fmt::join(lines, ","), number(last_arrival(trace)));
}

}  // namespace

void write_html(std::ostream& out, const Trace& trace, const HtmlOptions& options) {
  if (trace.messages().size() > kMostMessagesOfPage) {
    throw std::invalid_argument(fmt::format("a page of {} messages is not allowed; at most {}",
                                            trace.messages().size(), kMostMessagesOfPage));
  }
  std::ostringstream picture;
  write_svg(picture, trace, {.title = "", .has_ids = true});
  out << film_page({.title = options.title,
                    .legend = kLegend,
                    .picture = picture.str() + "<ol id=\"waited\"></ol>\n",
                    .style = kStyle,
                    .script = "\nconst run = " + run_as_json(trace) + ";" + kScript,
                    .from_the_end = true});
}

}  // namespace postroom
