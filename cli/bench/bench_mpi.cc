#include "cli/bench/bench_mpi.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "cli/bench/buffer_ring.h"
#include "cli/bench/mpi_source.h"
#include "cli/common/failure.h"
#include "cli/common/this_box.h"
#include "cli/files/output.h"
#include "numa/placement.h"
#include "numa/topology.h"

namespace postroom::cli {
namespace {

namespace fs = std::filesystem;

struct Kind {
  const char* name;
  const char* compiler;
  const char* launcher;
};

constexpr std::array<Kind, 2> kKinds = {
    {{"Open MPI", "mpicxx.openmpi", "mpirun.openmpi"}, {"MPICH", "mpicxx.mpich", "mpirun.mpich"}}};
constexpr Kind kUnknown = {"MPI", "mpicxx", "mpirun"};
// For one operation and all its sizes.
constexpr int kMostSeconds = 300;

bool is_installed(std::string_view program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / program;
    if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file)) return true;
  }
  return false;
}

bool is_installed(const Kind& kind) {
  return is_installed(kind.compiler) && is_installed(kind.launcher);
}

std::string for_shell(const std::string& word) {
  std::string quoted = "'";
  for (const char character : word) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) {
    return fs::path(cache) / "postroom";
  }
  if (const std::string home = variable("HOME"); !home.empty()) {
    return fs::path(home) / ".cache" / "postroom";
  }
  throw std::runtime_error(
      "--vs-mpi: neither XDG_CACHE_HOME nor HOME says where to keep a program");
}

/// What a line of the shell writes to standard output and standard error.
struct Said {
  std::string text;
  int status = 0;
};
Said said_by(const std::string& line) {
  // An mpirun hands on what there is to be read, which is not meant for it.
  FILE* const stream = popen((line + " </dev/null 2>&1").c_str(), "r");
  if (stream == nullptr) throw_errno("/bin/sh");
  Said said;
  std::array<char, 4096> part;
  while (const std::size_t count = fread(part.data(), 1, part.size(), stream)) {
    said.text.append(part.data(), count);
  }
  said.status = pclose(stream);
  return said;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string version_of(const Kind& kind) {
  return said_by(fmt::format("{} --version", kind.launcher)).text;
}

/// A plain mpirun says which one it is; its options depend on that.
std::string name_of(const Kind& kind, const std::string& version) {
  if (version.find("Open MPI") != std::string::npos) return "Open MPI";
  if (version.find("HYDRA") != std::string::npos) return "MPICH";
  return kind.name;
}

/// For each source, CPU and version of the MPI a program of its own.
std::string compiled(const Kind& kind, const std::string& version) {
  const fs::path folder = cache_folder();
  make_folder(folder);
  const std::size_t hash =
      std::hash<std::string>()(std::string(kMpiSource) + cpu_in_full() + version);
  const fs::path program = folder / fmt::format("{}-{:016x}", kind.compiler, hash);
  if (fs::exists(program)) return program.string();
  const std::string source = program.string() + ".cc";
  Output(source).write_and_finish(kMpiSource);
  const std::string unfinished = fmt::format("{}.{}", program.string(), getpid());
  const Said said = said_by(fmt::format("{} -std=c++20 -O3 -march=native {} -o {}", kind.compiler,
                                        for_shell(source), for_shell(unfinished)));
  if (said.status != 0) {
    throw std::runtime_error(
        fmt::format("--vs-mpi: {} failed: {}", kind.compiler, first_line(said.text)));
  }
  fs::rename(unfinished, program);
  return program.string();
}

std::string name_in_program(std::string_view operation) {
  return operation == "broadcast" ? "bcast" : std::string(operation);
}

/// Not only dashes, as before and behind messages of Open MPI.
bool has_words(const std::string& line) {
  return std::ranges::any_of(line, [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// Takes the lines "bcast 8 650.0 640.1 700.9": operation, bytes, median and two quantiles. Returns
/// the first of all others.
std::string take_times(const std::string& text, std::string_view operation, int processors,
                       BenchPeer& peer) {
  std::istringstream lines(text);
  std::string other;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t bytes = 0;
    double ns = 0;
    if (words >> name >> bytes >> ns && name == name_in_program(operation)) {
      peer.median_ns[{std::string(operation), processors, bytes}] = ns;
    } else if (other.empty() && has_words(line)) {
      other = line;
    }
  }
  return other;
}

/// Why there are not all figures.
std::string reason_of(const Said& said, const std::string& other_line) {
  constexpr int kTimeOut = 124;  // of timeout
  const int code = WIFEXITED(said.status) ? WEXITSTATUS(said.status) : 128 + WTERMSIG(said.status);
  if (code == kTimeOut) return fmt::format("it took longer than {} s", kMostSeconds);
  if (!other_line.empty()) return one_line(other_line);
  return fmt::format("it ended with exit code {} and said nothing", code);
}

std::string launch(const MpiProgram& program, int processors, bool shared) {
  const bool open_mpi = program.name == "Open MPI";
  // Open MPI refuses root otherwise, which is who one is in a container.
  std::string line =
      open_mpi ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 " : std::string();
  // In the foreground: else an interrupt of the terminal would not reach it. A signal that ends
  // this process ends that one, too.
  line = fmt::format("exec env {}setpriv --pdeathsig TERM timeout --foreground {} {} -n {}", line,
                     kMostSeconds, program.launcher, processors);
  if (open_mpi) line += shared ? " --oversubscribe --mca mpi_yield_when_idle 1" : " --bind-to core";
  if (program.name == "MPICH" && !shared) line += " -bind-to core";
  line += " " + for_shell(program.path);
  return shared ? line + " --shared" : line;
}

bool has(const SimulatedOperation& operation) { return operation.name != "route"; }

/// Its lists are of 64-bit numbers.
bool has_size(std::size_t bytes) { return bytes % 8 == 0; }

void measure(const std::string& launched, const SimulatedOperation& operation, int processors,
             const BenchArguments& arguments, BenchPeer& peer) {
  std::vector<std::size_t> sizes = sizes_for(operation, arguments);
  std::erase_if(sizes, std::not_fn(has_size));
  if (sizes.empty() || !has(operation)) return;
  const Said said =
      said_by(fmt::format("{} --ring-bytes={} --operations={} --bytes={}", launched, ring_bytes(),
                          name_in_program(operation.name), fmt::join(sizes, ",")));
  const std::string other_line = take_times(said.text, operation.name, processors, peer);
  std::erase_if(sizes, [&](std::size_t bytes) {
    return peer.median_ns.contains({std::string(operation.name), processors, bytes});
  });
  if (sizes.empty()) return;
  const bool has_sizes = operation.block != SimulatedOperation::Block::kNone;
  const std::string which = has_sizes ? fmt::format(" of {} bytes", fmt::join(sizes, ", ")) : "";
  tell(fmt::format("postroom bench: left out: {}{} with {}: {}\n", operation.name, which, peer.name,
                   reason_of(said, other_line)));
}

}  // namespace

std::vector<MpiProgram> build_mpi_programs() {
  std::vector<MpiProgram> programs;
  const auto add = [&](const Kind& kind) {
    if (!is_installed(kind)) return;
    const std::string version = version_of(kind);
    programs.push_back({name_of(kind, version), kind.launcher, compiled(kind, version)});
  };
  for (const Kind& kind : kKinds) add(kind);
  if (programs.empty()) add(kUnknown);
  if (!programs.empty()) return programs;
  throw UsageError(
      "--vs-mpi: there is no MPI in PATH; looked for mpicxx.openmpi, mpicxx.mpich and mpicxx, each "
      "with its mpirun");
}

std::vector<std::string> notes_about_mpi(const BenchArguments& arguments) {
  const auto lacks_size = [&](const SimulatedOperation* operation) {
    return has(*operation) && !std::ranges::all_of(sizes_for(*operation, arguments), has_size);
  };
  const auto& operations = arguments.operations;
  std::vector<std::string> notes{
      "an MPI is measured and checked in its own way, whatever -n, -w, --limit and --no-check say: "
      "7 to 1,001 calls a size, each checked; with more processors than cores in up to ten parts, "
      "of which the last call is checked"};
  if (std::ranges::any_of(operations, lacks_size)) {
    notes.emplace_back(
        "no figure of an MPI for sizes that are no multiples of 8: it is measured on 64-bit "
        "numbers");
  }
  if (!std::ranges::all_of(operations, [](const auto* operation) { return has(*operation); })) {
    notes.emplace_back("no figure of an MPI for route: it has no such operation");
  }
  return notes;
}

BenchPeer run_mpi(const MpiProgram& program, const BenchArguments& arguments, Progress& progress) {
  BenchPeer peer{.name = program.name};
  progress.begin("measuring " + program.name,
                 arguments.processors.size() * arguments.operations.size());
  for (const int processors : arguments.processors) {
    const bool shared = place(Topology::this_machine(), processors).oversubscribed;
    const std::string launched = launch(program, processors, shared);
    for (const SimulatedOperation* operation : arguments.operations) {
      measure(launched, *operation, processors, arguments, peer);
      progress.advance(1);
    }
  }
  progress.finish();
  return peer;
}

}  // namespace postroom::cli
