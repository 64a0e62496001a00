// What lines are called in messages: by their input and their number in it.
//
// The lines of several inputs, one after the other, are numbered through from 0; the user counts
// the lines of each file from 1.
//
//   LineNames names;
//   names.add("a.txt", 0);
//   names.add("b.txt", 120);
//   names(121);   // "b.txt: line 2"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace postroom::cli {

class LineNames {
 public:
  /// The lines from `first_line` on are those of `input`. In rising order.
  void add(const std::string& input, std::uint64_t first_line);

  /// "b.txt: line 2"; before any input was added, "line 2".
  std::string operator()(std::uint64_t line) const;
  /// The same in a message that has named a line already: "line 2" where there is but one input.
  std::string beside(std::uint64_t line) const;

 private:
  struct Begin {
    std::string input;
    std::uint64_t line;
  };

  std::vector<Begin> begins_;
};

}  // namespace postroom::cli
