// Grades the collectives of labs/: all of them, or those that are named. Exit code 1 where one is
// not right, 2 for a name that there is not.
#include <cstddef>
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include "labs/grade.h"

int main(int count, char** words) try {
  using namespace postroom::labs;
  std::vector<std::string_view> names(words + 1, words + count);
  if (names.empty()) names.assign(exercises().begin(), exercises().end());
  for (const std::string_view name : names) check_exercise(name);
  bool all_right = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Grade graded = grade(names[i]);
    if (i > 0) std::cout << '\n';
    write(std::cout, graded);
    std::cout.flush();  // a crash of the next one takes no marks along
    for (const Case& one : graded.cases) all_right = all_right && one.is_right();
  }
  return all_right ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "grade: " << error.what() << '\n';
  return 2;
}
