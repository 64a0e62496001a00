// A picture that changes step by step, as one HTML file for a browser that needs nothing else.
//
// The page has buttons, a slider and a speed; keys: space plays, arrows go step by step.
#pragma once

#include <string>

namespace postroom {

struct FilmPage {
  std::string title;
  std::string legend;   ///< HTML below the controls
  std::string picture;  ///< SVG or other HTML
  /// Rules of CSS besides those of the controls.
  std::string style = {};
  /// Sets the constant `last`, the number of the last frame, and declares `draw(now)`, which shows
  /// frame `now` of 0 … last and returns the words beside the slider. `get(id)` is an element.
  std::string script;
  /// What is seen when the page is opened.
  bool from_the_end = false;
};

std::string film_page(const FilmPage& film);

}  // namespace postroom
