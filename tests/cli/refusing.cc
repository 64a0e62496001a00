// Runs a command in whose process the kernel refuses some calls, as containers' filters do and
// systems that are short of something.
//
//   refusing EPERM fallocate,tmpfile postroom sort …
//
// `tmpfile` is open and openat with O_TMPFILE. Ends with 77 where there are no such filters.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int kNoFilters = 77;

const std::map<std::string, int> kErrors = {
    {"EAGAIN", EAGAIN}, {"EINVAL", EINVAL}, {"ENOSYS", ENOSYS}, {"EPERM", EPERM}};
const std::map<std::string, long> kCalls = {{"clone", SYS_clone},
                                            {"clone3", SYS_clone3},
                                            {"faccessat2", SYS_faccessat2},
                                            {"fallocate", SYS_fallocate},
                                            {"fremovexattr", SYS_fremovexattr},
                                            {"getxattr", SYS_getxattr}};

using Filter = std::vector<sock_filter>;

void refuse(Filter& filter, int error) {
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)));
}

void load(Filter& filter, std::size_t offset) {
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
}

void add_call(Filter& filter, long number, int error) {
  load(filter, offsetof(seccomp_data, nr));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
  refuse(filter, error);
}

// Of openat, whose third argument has the flags; the lower half of it comes first.
void add_tmpfile(Filter& filter, int error) {
  load(filter, offsetof(seccomp_data, nr));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4));
  load(filter, offsetof(seccomp_data, args) + 2 * sizeof(__u64));
  filter.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TMPFILE));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TMPFILE, 0, 1));
  refuse(filter, error);
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "refusing ERROR CALL,… COMMAND …\n");
    return 2;
  }
  Filter filter;
  const int error = kErrors.at(words[1]);
  std::istringstream calls(words[2]);
  for (std::string call; std::getline(calls, call, ',');) {
    if (call == "tmpfile") {
      add_tmpfile(filter, error);
    } else {
      add_call(filter, kCalls.at(call), error);
    }
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    return kNoFilters;
  }
  execvp(words[3], words + 3);
  std::perror(words[3]);
  return 1;
}
