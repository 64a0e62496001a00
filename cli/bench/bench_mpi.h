// The same collectives through an MPI that is installed.
//
// The command carries a small MPI program. It is compiled with each MPI that is found
// (mpicxx.openmpi and mpicxx.mpich, as Debian names them, otherwise mpicxx) into
// $XDG_CACHE_HOME/postroom or ~/.cache/postroom, once for each source, CPU and version of the MPI,
// and started with the mpirun beside, pinned where each process has a core of its own. Which MPI a
// plain mpirun belongs to, it says itself. The program times a call as cli/bench/call_timer.h does.
//
// Errors: UsageError where there is no MPI, std::runtime_error where its compiler fails; a program
// that fails, or needs more than five minutes for an operation, is a line on standard error.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/bench_arguments.h"
#include "cli/bench/bench_peer.h"
#include "cli/common/progress.h"

namespace postroom::cli {

struct MpiProgram {
  std::string name;      ///< "Open MPI"
  std::string launcher;  ///< "mpirun.openmpi"
  std::string path;      ///< of the compiled program
};

/// At least one.
std::vector<MpiProgram> build_mpi_programs();

/// Which operations and sizes are passed over, and why.
std::vector<std::string> notes_about_mpi(const BenchArguments& arguments);

BenchPeer run_mpi(const MpiProgram& program, const BenchArguments& arguments, Progress& progress);

}  // namespace postroom::cli
