// The program that measures an MPI: benchmarks/collectives/mpi.cc with its headers, as one source.
//
// Carried in the command, so that it can be compiled wherever there is an MPI; it knows nothing of
// Postroom.
#pragma once

namespace postroom::cli {

extern const char* const kMpiSource;

}  // namespace postroom::cli
