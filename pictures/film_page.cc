#include "pictures/film_page.h"

#include "pictures/svg.h"

namespace postroom {
namespace {

constexpr const char* kStyle = R"(
body { font-family: sans-serif; margin: 1em; color: #223; }
h1 { font-size: 140%; }
#controls { display: flex; gap: .6em; align-items: center; flex-wrap: wrap; }
#words { min-width: 9em; }
#at { flex: 1; min-width: 12em; }
#picture { overflow: auto; }
.legend { color: #667; font-size: 90%; }
)";

constexpr const char* kControls = R"(
<div id="controls">
<button id="back">◀ step</button>
<button id="play">play</button>
<button id="next">step ▶</button>
<span id="words"></span>
<input id="at" type="range" min="0" value="0">
<label>steps a second <input id="speed" type="number" min="1" max="60" value="3"></label>
</div>
)";

constexpr const char* kFirstScript = R"(
const get = id => document.getElementById(id);
)";

constexpr const char* kLastScript = R"(
let now = 0, timer = null;

function show(frame) {
  now = Math.max(0, Math.min(last, frame));
  get("words").textContent = draw(now);
  get("at").value = now;
}
function stop() {
  clearInterval(timer);
  timer = null;
  get("play").textContent = "play";
}
function play() {
  if (timer) return stop();
  if (now === last) show(0);
  get("play").textContent = "pause";
  timer = setInterval(() => now < last ? show(now + 1) : stop(),
                      1000 / Math.max(1, get("speed").value));
}
get("at").max = last;
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
)";

}  // namespace

std::string film_page(const FilmPage& film) {
  const std::string title = svg_text(film.title);
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<title>" + title + "</title>\n<style>" + kStyle + film.style + "</style>\n</head>\n";
  page += "<body>\n<h1>" + title + "</h1>" + kControls;
  page += "<p class=\"legend\">" + film.legend + "</p>\n";
  page += "<div id=\"picture\">\n" + film.picture + "</div>\n";
  page += "<script>" + std::string(kFirstScript) + film.script + kLastScript;
  page += film.from_the_end ? "show(last);\n" : "show(0);\n";
  return page + "</script>\n</body>\n</html>\n";
}

}  // namespace postroom
