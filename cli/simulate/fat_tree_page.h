// A film of packets on a fat tree (fat_trees/fat_tree_film.h) as a page that plays it
// (pictures/film_page.h).
//
// Links are coloured by how much of their branch is in use; beside each branch stands what goes up
// and down in a step, and in brackets what waits.
#pragma once

#include <string>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_film.h"

namespace postroom::cli {

/// Larger trees and longer films cannot be looked at.
inline constexpr int kMostLeavesShown = 256;
inline constexpr int kMostFilmSteps = 5000;

/// Throws UsageError for a film of more than kMostFilmSteps frames.
std::string fat_tree_page(const FatTree& tree, const FatTreeFilm& film, const std::string& title);

}  // namespace postroom::cli
