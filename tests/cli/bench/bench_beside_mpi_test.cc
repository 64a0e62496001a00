// `postroom bench --vs-mpi` with an MPI of the shell, and without one.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

/// A program of the shell.
void write_program(const std::string& path, const std::string& text) {
  write_file(path, "#!/bin/sh\n" + text);
  ASSERT_EQ(chmod(path.c_str(), 0755), 0);
}

/// A folder with an MPI of the shell, which is all that is in PATH but what its commands need.
class FakeMpi {
 public:
  FakeMpi() {
    for (const std::string program : {"cat", "env", "setpriv", "timeout", "sh"}) {
      std::filesystem::create_symlink("/usr/bin/" + program, folder_(program));
    }
    // The compiler's last word is the program to make.
    write_program(folder_("mpicxx"), "for program; do :; done\n: > \"$program\"\n");
  }

  /// What mpirun does when it is not asked for its version.
  void mpirun_does(const std::string& commands, const std::string& version = "4.1.4") {
    write_program(folder_("mpirun"), "if [ \"$1\" = --version ]; then echo 'mpirun (Open MPI) " +
                                         version + "'; exit; fi\n" + commands + "\n");
  }

  std::string path(const std::string& name) const { return folder_(name); }
  /// A line for the shell that runs `postroom bench WORDS --vs-mpi` beside it.
  std::string bench(const std::string& words, const std::string& how = "") const {
    return "PATH='" + folder_() + "' XDG_CACHE_HOME='" + folder_("cache") + "' " + how + "'" +
           postroom() + "' bench " + words + " --vs-mpi";
  }

 private:
  ScratchFolder folder_;
};

TEST(BenchBesideMpi, APlainMpirunSaysWhichMpiItIsAndLeavesTheInput) {
  FakeMpi mpi;
  const auto bench_with = [&](const std::string& version) {
    mpi.mpirun_does(
        "cat\necho \"$*\" >> '" + mpi.path("called") + "'\necho 'barrier 0 650.0 640.1 700.9'",
        version);
    return shell("printf 'one\\ntwo\\n' | (" + mpi.bench("barrier -p 2") + " > /dev/null; cat)");
  };
  const Ran ran = bench_with("4.1.4");
  EXPECT_EQ(ran.out, "one\ntwo\n") << ran;
  EXPECT_TRUE(content_of(mpi.path("called")).starts_with("-n 2 --"))
      << content_of(mpi.path("called"));
  const auto programs = [&] {
    const std::filesystem::directory_iterator cache(mpi.path("cache/postroom"));
    return std::count_if(begin(cache), end(cache),
                         [](const auto& entry) { return entry.path().extension() != ".cc"; });
  };
  EXPECT_EQ(programs(), 1);
  bench_with("4.1.4");
  EXPECT_EQ(programs(), 1);
  bench_with("5.0.0");
  EXPECT_EQ(programs(), 2);
}

TEST(BenchBesideMpi, WhatAnMpiTakesIsInAllFiles) {
  FakeMpi mpi;
  mpi.mpirun_does("echo 'scan 8 650.0 640.1 700.9'\necho 'scan 16 750.0 640.1 700.9'");
  const Ran ran = shell(mpi.bench("scan -p 2 -n 3 -b 8 -e 16 -f 2 --csv '" + mpi.path("csv") +
                                  "' --svg '" + mpi.path("svg") + "'"));
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_NE(content_of(mpi.path("csv")).find("\nscan,2,8,\"Open MPI\",,,median,650,ns\n"),
            std::string::npos)
      << content_of(mpi.path("csv"));
  EXPECT_NE(content_of(mpi.path("svg")).find(">Open MPI<"), std::string::npos);
}

TEST(BenchBesideMpi, ANoteSaysWhereAnMpiHasNoFigure) {
  FakeMpi mpi;
  mpi.mpirun_does("echo \"$*\" >> '" + mpi.path("called") + "'");
  const auto said = [&](const std::string& operations) {
    const Ran ran = shell(mpi.bench(operations + " -p 2 -n 3"));
    EXPECT_EQ(ran.exit_code, 0) << ran;
    return ran.out;
  };
  const std::string of_size = "# note: no figure of an MPI for sizes that are no multiples of 8: ";
  const std::string of_route = "# note: no figure of an MPI for route: ";
  const std::string some = said("scan barrier -b 12 -e 24 -f 2");
  EXPECT_NE(some.find(of_size), std::string::npos) << some;
  EXPECT_EQ(some.find(of_route), std::string::npos) << some;
  EXPECT_NE(content_of(mpi.path("called")).find("--operations=scan --bytes=24\n"),
            std::string::npos)
      << content_of(mpi.path("called"));
  const std::string route = said("route -b 12 -e 24 -f 2");
  EXPECT_EQ(route.find(of_size), std::string::npos) << route;
  EXPECT_NE(route.find(of_route), std::string::npos) << route;
  const std::string all = said("scan -b 8 -e 16 -f 2");
  EXPECT_EQ(all.find("no figure of an MPI"), std::string::npos) << all;
}

TEST(BenchBesideMpi, WhatIsMissingIsToldWithItsReason) {
  FakeMpi mpi;
  struct Failure {
    const char* does;
    const char* told;  // of the second size
  };
  const Failure failures[] = {
      {"exit 124", "it took longer than 300 s"},
      {"exit 3", "it ended with exit code 3 and said nothing"},
      {"echo 'wrong result on processor 1'; exit 1", "wrong result on processor 1"},
      {"echo -----; echo 'not enough slots'; exit 1", "not enough slots"},
      {"echo 'no call of scan began at the same moment everywhere'",
       "no call of scan began at the same moment everywhere"},
  };
  for (const auto& [does, told] : failures) {
    mpi.mpirun_does("echo 'scan 8 650.0 640.1 700.9'\n" + std::string(does));
    const Ran ran = shell(mpi.bench("scan -p 2 -n 3 -b 8 -e 16 -f 2 --csv -"));
    EXPECT_EQ(ran.exit_code, 0) << ran;
    EXPECT_EQ(ran.err, std::string("postroom bench: left out: scan of 16 bytes with Open MPI: ") +
                           told + "\n");
    EXPECT_NE(ran.out.find("\nscan,2,8,\"Open MPI\",,,median,650,ns\n"), std::string::npos);
    EXPECT_EQ(ran.out.find("\nscan,2,16,\"Open MPI\""), std::string::npos);
  }
}

TEST(BenchBesideMpi, ASignalEndsTheMpiToo) {
  FakeMpi mpi;
  const std::string process = "'" + mpi.path("process") + "'";
  mpi.mpirun_does("echo $$ > " + process + "\nexec /usr/bin/sleep 200");
  const Ran ran =
      shell("(" + mpi.bench("scan -p 2 -n 3 -b 8 -e 8", "exec ") + " > /dev/null) & while [ ! -s " +
            process + " ]; do sleep 0.05; done; kill $!; wait $!; mpi=$(cat " + process +
            "); for i in $(seq 200); do kill -0 $mpi 2> /dev/null || exit 7; sleep "
            "0.05; done; kill $mpi");
  EXPECT_EQ(ran.exit_code, 7) << ran;
}

TEST(BenchBesideMpi, WithoutMpiTheLineSaysWhatWasLookedFor) {
  const Ran ran = shell("PATH=/nowhere '" + postroom() + "' bench scan --vs-mpi");
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_EQ(ran.error_lines(), 1) << ran;
  EXPECT_NE(ran.err.find("there is no MPI in PATH; looked for mpicxx.openmpi"), std::string::npos);
}

}  // namespace
}  // namespace postroom::cli
