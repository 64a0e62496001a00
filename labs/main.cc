// Grades the collectives of labs/: all of them, or those that are named. Exit code 1 where one is
// not right, 2 for what cannot be done.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/grade.h"
#include "runtime/rational.h"
#include "runtime/trace_html.h"

namespace postroom::labs {
namespace {

struct Arguments {
  std::vector<std::string> exercises;
  bool csv = false;
  std::string page;
  int processors = 14;
  Rational lambda = 1;
};

bool all_right(const Grade& grade) { return std::ranges::all_of(grade.cases, &Case::is_right); }

void check_output() {
  if (!std::cout.flush()) throw std::runtime_error("standard output: cannot be written");
}

int grade_all(const Arguments& arguments) {
  for (const std::string& name : arguments.exercises) check_exercise(name);
  std::vector<Grade> grades;
  for (const std::string& name : arguments.exercises) {
    grades.push_back(grade(name));
    if (arguments.csv) continue;
    if (grades.size() > 1) std::cout << '\n';
    write(std::cout, grades.back());
    std::cout.flush();  // a crash of the next one takes no marks along
  }
  if (arguments.csv) write_csv(std::cout, grades);
  check_output();
  return std::ranges::all_of(grades, all_right) ? 0 : 1;
}

int draw(const Arguments& arguments) {
  if (arguments.exercises.size() != 1) {
    throw std::invalid_argument(
        fmt::format("--html is for one exercise, not {}", arguments.exercises.size()));
  }
  const std::string& exercise = arguments.exercises.front();
  const Run done = run(exercise, arguments.processors, arguments.lambda);
  std::ostringstream page;  // it may be refused
  write_html(page, done.trace,
             {.title = fmt::format("{}, {} processors, lambda {}", exercise, arguments.processors,
                                   to_string(arguments.lambda))});
  std::ofstream file(arguments.page);
  file << page.str();
  if (!file.flush()) throw std::runtime_error(arguments.page + ": cannot be written");
  const bool right = done.problem.empty();
  std::cout << fmt::format("{}: {}\n", exercise,
                           right ? "time " + to_string(done.time) : "not right: " + done.problem);
  check_output();
  return right ? 0 : 1;
}

int run_program(int count, char** words) {
  Arguments arguments;
  CLI::App app("Grades the exercises of labs/.", "tools/grade");
  app.add_option("EXERCISE", arguments.exercises,
                 fmt::format("{}; all where none is named", fmt::join(exercises(), ", ")));
  CLI::Option* const csv = app.add_flag("--csv", arguments.csv, "a line for each exercise");
  CLI::Option* const page = app.add_option(
      "--html", arguments.page, "instead of marks, a page that plays one run of an exercise");
  csv->excludes(page);
  app.add_option("-p", arguments.processors, "its processors")->needs(page)->capture_default_str();
  std::string lambda;
  app.add_option("--lambda", lambda, "its latency, like 2, 1.8 or 9/5")
      ->needs(page)
      ->default_str("1");
  try {
    app.parse(count, words);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(error.what());
  }
  if (!lambda.empty()) arguments.lambda = Rational::parse(lambda);
  if (page->count() > 0) return draw(arguments);
  if (arguments.exercises.empty()) {
    const auto names = exercises();
    arguments.exercises.assign(names.begin(), names.end());
  }
  return grade_all(arguments);
}

}  // namespace
}  // namespace postroom::labs

int main(int count, char** words) try {
  return postroom::labs::run_program(count, words);
} catch (const std::exception& error) {
  std::cerr << "grade: " << error.what() << '\n';
  return 2;
}
