/* cost SECONDS TIMES COMMAND…: what a process takes, in one line: median wall time of TIMES runs, and the largest
   memory of them. Its output goes nowhere. Of one that ends with an error, or by using more than SECONDS of
   CPU time, what it took until then, and it is not run again. Exit code 1 where a program cannot be started. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void become(char** command, rlim_t seconds) {
  const struct rlimit limit = {seconds, seconds};
  const int nowhere = open("/dev/null", O_WRONLY);
  if (setrlimit(RLIMIT_CPU, &limit) == 0 && dup2(nowhere, 1) == 1 && dup2(nowhere, 2) == 2) {
    execvp(command[0], command);
  }
  _exit(127);
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int count, char** words) {
  if (count < 4) {
    fprintf(stderr, "cost SECONDS TIMES COMMAND...\n");
    return 2;
  }
  const rlim_t seconds = strtoul(words[1], NULL, 10);
  const int times = atoi(words[2]);
  double* took = calloc((size_t)times, sizeof *took);
  double megabytes = 0;
  for (int i = 0; i < times; ++i) {
    const double begin = now();
    const pid_t child = vfork();
    if (child == 0) become(words + 3, seconds);
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
      perror("cost");
      return 1;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
      fprintf(stderr, "cost: %s, or a program that it starts, cannot be started\n", words[3]);
      return 1;
    }
    took[i] = now() - begin;
    if ((double)usage.ru_maxrss * 1024 / 1e6 > megabytes) megabytes = (double)usage.ru_maxrss * 1024 / 1e6;
    if (status != 0) {
      printf("%s %.3f s %.1f MB\n", took[i] >= (double)seconds ? "more than" : "fails after", took[i], megabytes);
      return 0;
    }
  }
  qsort(took, (size_t)times, sizeof *took, by_size);
  printf("%.4f s %.1f MB\n", took[times / 2], megabytes);
  return 0;
}
