#include "numa/draw.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "numa/words.h"

namespace postroom {
namespace {

/// Up to so many leaves everything is drawn, however alike.
constexpr int kDrawAllLeaves = 16;
constexpr int kUnnumbered = -1;

/// A chain of objects of which only the last branches: one line of the picture.
struct Line {
  std::string label;
  std::string shape;  // the label without its numbers, and those of the lines below
  int first = 0;
  int last = 0;
  int cpu = -1;  // of a leaf
  bool is_core = false;
  std::vector<Line> below = {};
};

/// " (32 MiB)", or nothing for nothing.
std::string in_brackets(std::uint64_t bytes) {
  std::string text;
  if (bytes > 0) text.append(" (").append(size_in_words(bytes)).append(")");
  return text;
}

class Picture {
 public:
  explicit Picture(const Tree& tree) : tree_(tree) {}

  std::string draw() {
    const Line root = line(tree_.root);
    all_ = leaves_ <= kDrawAllLeaves;
    text_ = words(root) + "\n";
    draw_below(root, "");
    return std::move(text_);
  }

 private:
  Line line(const TreeObject& top) {
    Line line;
    const TreeObject* object = &top;
    append(*object, line);
    while (object->children.size() == 1) {
      object = &object->children.front();
      append(*object, line);
    }
    line.first = leaves_;
    if (object->children.empty()) {
      ++leaves_;
      line.cpu = object->os_index;
    }
    line.is_core = object->kind == ObjectKind::kCore;
    for (const TreeObject& child : object->children) line.below.push_back(this->line(child));
    line.last = leaves_;
    line.shape.append("[").append(shape_below(line)).append("]");
    return line;
  }

  void append(const TreeObject& object, Line& line) {
    const auto add = [&](const std::string& name, int number, const std::string& rest) {
      if (!line.label.empty()) line.label += ", ";
      line.label += name;
      if (number != kUnnumbered) line.label.append(" ").append(std::to_string(number));
      line.label += rest;
      line.shape.append(name).append(rest).append(";");
    };
    const std::string size = in_brackets(object.cache_bytes);
    switch (object.kind) {
      case ObjectKind::kPu:
        break;  // the leaf itself is named by its number
      case ObjectKind::kMachine:
        add("machine", kUnnumbered, "");
        break;
      case ObjectKind::kGroup:
        if (!object.nodes.empty()) break;  // it only stands for its memory nodes, named below
        [[fallthrough]];
      case ObjectKind::kPackage:
      case ObjectKind::kDie:
      case ObjectKind::kCore:
        add(kind_name(object.kind), seen_[object.kind]++, size);
        break;
      default:
        add(kind_name(object.kind), kUnnumbered, size);
    }
    for (const int index : object.nodes) {
      const MemoryNode& node = tree_.nodes[index];
      add(node.has_cpus ? "NUMA" : "NUMA without CPUs", index, in_brackets(node.memory_bytes));
    }
  }

  static std::string shape_below(const Line& line) {
    if (alike(line, 0) == line.below.size() && !line.below.empty()) {
      return std::to_string(line.below.size()) + "*" + line.below.front().shape;
    }
    std::string shape;
    for (const Line& below : line.below) shape += below.shape;
    return shape;
  }

  /// How many of the lines below, from `from` on, have the same shape.
  static std::size_t alike(const Line& line, std::size_t from) {
    const auto begin = line.below.begin() + static_cast<std::ptrdiff_t>(from);
    const auto other = std::find_if(begin, line.below.end(),
                                    [&](const Line& below) { return below.shape != begin->shape; });
    return static_cast<std::size_t>(other - begin);
  }

  static bool on_one_line(const Line& line) {
    return line.is_core && std::all_of(line.below.begin(), line.below.end(), [](const Line& below) {
             return below.below.empty() && below.label.empty();
           });
  }

  static std::string leaf_words(const Line& leaf) {
    std::string words = "leaf " + std::to_string(leaf.first);
    if (leaf.cpu >= 0) words += " = CPU " + std::to_string(leaf.cpu);
    return words;
  }

  static std::string words(const Line& line) {
    std::string leaves;
    if (line.below.empty()) {
      leaves = leaf_words(line);
    } else if (on_one_line(line)) {
      for (const Line& leaf : line.below) {
        leaves += (leaves.empty() ? "" : ", ") + leaf_words(leaf);
      }
    } else {
      leaves = leaves_in_words(line.first, line.last);
    }
    return line.label.empty() ? leaves : line.label + ": " + leaves;
  }

  void draw_below(const Line& line, const std::string& indent) {
    if (on_one_line(line)) return;
    for (std::size_t i = 0; i < line.below.size();) {
      const std::size_t same = alike(line, i);
      const std::size_t drawn = all_ || same < 3 ? same : 1;
      for (std::size_t j = i; j < i + drawn; ++j) {
        const bool is_last = j + 1 == line.below.size();
        text_ += indent + (is_last ? "└─ " : "├─ ") + words(line.below[j]) + "\n";
        draw_below(line.below[j], indent + (is_last ? "   " : "│  "));
      }
      if (drawn < same) {
        const bool is_last = i + same == line.below.size();
        text_ += indent + (is_last ? "└─ " : "├─ ") + "and " + std::to_string(same - drawn) +
                 " more like it: " +
                 leaves_in_words(line.below[i + drawn].first, line.below[i + same - 1].last) + "\n";
      }
      i += same;
    }
  }

  const Tree& tree_;
  std::map<ObjectKind, int> seen_;
  int leaves_ = 0;
  bool all_ = true;
  std::string text_;
};

}  // namespace

std::string draw_tree(const Tree& tree) { return Picture(tree).draw(); }

std::string size_in_words(std::uint64_t bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  double size = static_cast<double>(bytes);
  while (size >= 1024 && unit + 1 < kUnits.size()) {
    size /= 1024;
    ++unit;
  }
  const bool whole = size == static_cast<double>(static_cast<std::uint64_t>(size));
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), whole || size >= 100 ? "%.0f %s" : "%.1f %s", size,
                kUnits[unit]);
  return text.data();
}

}  // namespace postroom
