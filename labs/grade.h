// How good the collectives of labs/labs.h are: right or not, and how far from the least that any
// program needs.
//
// Each is run in virtual time for several numbers of processors, and its result compared. What is
// counted is the time of the postal model ([P]), or rounds and bytes ([I]): with λ = 1 and one port
// a round is a unit of time, whatever calls a program makes, and the bytes are those of the largest
// message that is sent in each. Beside it stands the bound of the paper. A case brings a point
// where the result is right, and another where the bound is reached. A program that waits for ever
// or throws is not right, nor one whose result cannot have come by messages (labs/heard.h); what is
// said of it stands in the report. The same programs get the same points on every box.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "labs/labs.h"
#include "runtime/processor.h"
#include "runtime/rational.h"
#include "runtime/trace.h"

namespace postroom::labs {

/// The programs to grade.
struct Programs {
  std::function<void(Processor&, const Rational&, int&)> broadcast = labs::broadcast;
  std::function<long(Processor&, const Rational&, long)> allreduce = labs::allreduce;
  std::function<std::vector<int>(Processor&, int)> allgather = labs::allgather;
  std::function<std::vector<std::vector<int>>(Processor&, const std::vector<std::vector<int>>&)>
      alltoall = labs::alltoall;
  std::function<long(Processor&, long)> scan = labs::scan;
};

/// One run, or one figure of a run.
struct Case {
  std::string what;     ///< "14 processors, lambda 5/2: time"
  std::string problem;  ///< why it is not right; empty where it is
  Rational taken;
  Rational least;

  bool is_right() const { return problem.empty(); }
  bool is_best() const { return is_right() && taken == least; }
};

struct Grade {
  std::string exercise;
  std::vector<Case> cases;

  std::ptrdiff_t right() const { return std::ranges::count_if(cases, &Case::is_right); }
  std::ptrdiff_t best() const { return std::ranges::count_if(cases, &Case::is_best); }
  /// Of most(): two for each case.
  int points() const { return static_cast<int>(right() + best()); }
  int most() const { return 2 * static_cast<int>(cases.size()); }
};

/// "broadcast", "allreduce", "allgather", "alltoall", "scan".
std::vector<std::string_view> exercises();

/// std::invalid_argument: there is no such exercise.
void check_exercise(std::string_view exercise);
/// Checks that, too.
Grade grade(std::string_view exercise, const Programs& programs = {});

/// A run of one exercise, as far as it went.
struct Run {
  Rational time;
  Trace trace;
  std::string problem;  ///< as in Case
};
/// std::invalid_argument: no such exercise, more processors than are graded, or a λ other than 1
/// for an exercise that goes by rounds.
Run run(std::string_view exercise, int processors, const Rational& lambda,
        const Programs& programs = {});

/// A line for each case, and one for the points. Why it is not right stands beside the first that
/// is not.
void write(std::ostream& out, const Grade& grade);
/// A line for each exercise, below their names: exercise,cases,right,at the bound,points,most.
void write_csv(std::ostream& out, std::span<const Grade> grades);

}  // namespace postroom::labs
