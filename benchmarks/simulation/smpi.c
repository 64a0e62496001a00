/* smpi broadcast|alltoall BYTES: the operation once, for SimGrid's SMPI; see the script `run`. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char** words) {
  MPI_Init(&count, &words);
  if (count != 3) {
    fprintf(stderr, "smpi broadcast|alltoall BYTES\n");
    return 2;
  }
  int processors;
  MPI_Comm_size(MPI_COMM_WORLD, &processors);
  const long bytes = atol(words[2]);
  if (strcmp(words[1], "broadcast") == 0) {
    char* data = calloc(bytes, 1);
    MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    free(data);
  } else {
    char* out = calloc(bytes * processors, 1);
    char* in = calloc(bytes * processors, 1);
    MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
    free(out);
    free(in);
  }
  MPI_Finalize();
  return 0;
}
