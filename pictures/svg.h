// What all pictures in SVG share: text that is safe inside them, and colours.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace postroom {

/// `text` with &, < and > as entities and without control characters.
std::string svg_text(std::string_view text);

/// Colours that can be told apart, also by the colour-blind (Okabe and Ito).
inline constexpr std::array kSvgColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                        "#e69f00", "#56b4e9", "#7f6000", "#000000"};

/// The i-th of them; from the first again after the last.
constexpr const char* svg_colour(std::size_t i) { return kSvgColours[i % kSvgColours.size()]; }

}  // namespace postroom
