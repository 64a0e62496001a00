// Grades the collectives of labs/: all of them, or those that are named. Exit code 1 where one is
// not right, 2 for a name that there is not.
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include "labs/grade.h"

int main(int count, char** words) try {
  using namespace postroom::labs;
  std::vector<std::string_view> names(words + 1, words + count);
  if (names.empty()) names.assign(exercises().begin(), exercises().end());
  std::vector<Grade> grades;
  for (const std::string_view name : names) grades.push_back(grade(name));
  bool all_right = true;
  for (const Grade& each : grades) {
    if (&each != &grades.front()) std::cout << '\n';
    write(std::cout, each);
    for (const Case& one : each.cases) all_right = all_right && one.is_right();
  }
  return all_right ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "grade: " << error.what() << '\n';
  return 2;
}
