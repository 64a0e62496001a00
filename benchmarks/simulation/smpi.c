/* smpi broadcast|alltoall BYTES [folded]: the operation once, for SimGrid's SMPI; see the script `run`.
   folded: all processes have the same lists, as SMPI_SHARED_MALLOC lets them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int folded;

static char* list_of(size_t bytes) {
  return folded ? SMPI_SHARED_MALLOC(bytes) : calloc(bytes, 1);
}
static void release(char* list) {
  if (folded) {
    SMPI_SHARED_FREE(list);
  } else {
    free(list);
  }
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  if (count != 3 && count != 4) {
    fprintf(stderr, "smpi broadcast|alltoall BYTES [folded]\n");
    return 2;
  }
  folded = count == 4;
  int processors;
  MPI_Comm_size(MPI_COMM_WORLD, &processors);
  const size_t bytes = strtoul(words[2], NULL, 10);
  if (strcmp(words[1], "broadcast") == 0) {
    char* list = list_of(bytes);
    MPI_Bcast(list, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    release(list);
  } else {
    char* out = list_of(bytes * processors);
    char* in = list_of(bytes * processors);
    MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
    release(out);
    release(in);
  }
  MPI_Finalize();
  return 0;
}
