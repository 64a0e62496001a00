// A program that waits for its turn, so that all competitors are measured within the same moments.
//
// The driver (benchmarks/collectives/run) starts all of them. Each rank blocks in reading a pipe of
// its own, which takes no core, until a line says what to measure: operation and bytes. It answers
// on standard output and waits for the next. The pipe ends with the driver, and with it the rank; a
// turn that lasts too long ends the process (SIGALRM), so that nothing is left behind whatever
// happens.
//
// Includes nothing of Postroom, because the MPI competitors are built from it, too.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

namespace postroom::benchmarks {

class Turns {
 public:
  struct Turn {
    std::string operation;
    std::size_t bytes = 0;
  };

  /// The pipe is the file `pipes`.`rank`.
  Turns(const std::string& pipes, int rank, unsigned most_seconds)
      : lines_(pipes + "." + std::to_string(rank)), most_seconds_(most_seconds) {}

  /// Ends the turn before and waits for the next one; nothing when there will be none.
  std::optional<Turn> next() {
    alarm(0);
    Turn turn;
    if (!(lines_ >> turn.operation >> turn.bytes)) return std::nullopt;
    alarm(most_seconds_);
    return turn;
  }

 private:
  std::ifstream lines_;
  unsigned most_seconds_;
};

}  // namespace postroom::benchmarks
