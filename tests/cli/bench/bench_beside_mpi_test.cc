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

TEST(BenchBesideMpi, APlainMpirunSaysWhichMpiItIsAndLeavesTheInput) {
  const ScratchFolder folder;
  for (const std::string program : {"env", "setpriv", "timeout", "cat", "sh"}) {
    std::filesystem::create_symlink("/usr/bin/" + program, folder(program));
  }
  // The compiler's last word is the program to make.
  write_program(folder("mpicxx"), "for program; do :; done\n: > \"$program\"\n");
  const auto bench_with = [&](const std::string& version) {
    write_program(folder("mpirun"), "if [ \"$1\" = --version ]; then echo '" + version +
                                        "'; exit; fi\ncat\necho \"$*\" >> '" + folder("called") +
                                        "'\necho 'barrier 0 650.0 640.1 700.9'\n");
    return shell("printf 'one\\ntwo\\n' | (PATH='" + folder() + "' XDG_CACHE_HOME='" +
                 folder("cache") + "' '" + postroom() +
                 "' bench barrier -p 2 --vs-mpi > /dev/null; cat)");
  };
  const Ran ran = bench_with("mpirun (Open MPI) 4.1.4");
  EXPECT_EQ(ran.out, "one\ntwo\n") << ran;
  EXPECT_TRUE(content_of(folder("called")).starts_with("-n 2 --")) << content_of(folder("called"));
  const auto programs = [&] {
    const std::filesystem::directory_iterator cache(folder("cache/postroom"));
    return std::count_if(begin(cache), end(cache),
                         [](const auto& entry) { return entry.path().extension() != ".cc"; });
  };
  EXPECT_EQ(programs(), 1);
  bench_with("mpirun (Open MPI) 4.1.4");
  EXPECT_EQ(programs(), 1);
  bench_with("mpirun (Open MPI) 5.0.0");
  EXPECT_EQ(programs(), 2);
}

TEST(BenchBesideMpi, WhatAnMpiTakesIsInAllFiles) {
  const ScratchFolder folder;
  write_program(folder("mpicxx"), "for program; do :; done\n: > \"$program\"\n");
  write_program(folder("mpirun"),
                "if [ \"$1\" = --version ]; then echo 'mpirun (Open MPI) 4.1.4'; exit; fi\n"
                "echo 'scan 8 650.0 640.1 700.9'\necho 'scan 16 750.0 640.1 700.9'\n");
  for (const std::string program : {"env", "setpriv", "timeout", "sh"}) {
    std::filesystem::create_symlink("/usr/bin/" + program, folder(program));
  }
  const Ran ran = shell("PATH='" + folder() + "' XDG_CACHE_HOME='" + folder("cache") + "' '" +
                        postroom() + "' bench scan -p 2 -n 3 -b 8 -e 16 -f 2 --vs-mpi --csv '" +
                        folder("csv") + "' --svg '" + folder("svg") + "'");
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_NE(content_of(folder("csv")).find("\nscan,2,8,\"Open MPI\",,,median,650,ns\n"),
            std::string::npos)
      << content_of(folder("csv"));
  EXPECT_NE(content_of(folder("svg")).find(">Open MPI<"), std::string::npos);
}

TEST(BenchBesideMpi, ANoteSaysWhereAnMpiHasNoFigure) {
  const ScratchFolder folder;
  write_program(folder("mpicxx"), "for program; do :; done\n: > \"$program\"\n");
  write_program(folder("mpirun"),
                "if [ \"$1\" = --version ]; then echo 'mpirun (Open MPI) 4.1.4'; exit; fi\n"
                "echo \"$*\" >> '" +
                    folder("called") + "'\n");
  for (const std::string program : {"env", "setpriv", "timeout", "sh"}) {
    std::filesystem::create_symlink("/usr/bin/" + program, folder(program));
  }
  const auto said = [&](const std::string& operations) {
    const Ran ran = shell("PATH='" + folder() + "' XDG_CACHE_HOME='" + folder("cache") + "' '" +
                          postroom() + "' bench " + operations + " -p 2 -n 3 --vs-mpi");
    EXPECT_EQ(ran.exit_code, 0) << ran;
    return ran.out;
  };
  const std::string of_size = "# note: no figure of an MPI for sizes that are no multiples of 8: ";
  const std::string of_route = "# note: no figure of an MPI for route: ";
  const std::string some = said("scan barrier -b 12 -e 24 -f 2");
  EXPECT_NE(some.find(of_size), std::string::npos) << some;
  EXPECT_EQ(some.find(of_route), std::string::npos) << some;
  EXPECT_NE(content_of(folder("called")).find("--operations=scan --bytes=24\n"), std::string::npos)
      << content_of(folder("called"));
  const std::string route = said("route -b 12 -e 24 -f 2");
  EXPECT_EQ(route.find(of_size), std::string::npos) << route;
  EXPECT_NE(route.find(of_route), std::string::npos) << route;
  const std::string all = said("scan -b 8 -e 16 -f 2");
  EXPECT_EQ(all.find("no figure of an MPI"), std::string::npos) << all;
}

TEST(BenchBesideMpi, WhatIsMissingIsToldWithItsReason) {
  const ScratchFolder folder;
  write_program(folder("mpicxx"), "for program; do :; done\n: > \"$program\"\n");
  for (const std::string program : {"env", "setpriv", "timeout", "sh"}) {
    std::filesystem::create_symlink("/usr/bin/" + program, folder(program));
  }
  struct Mpi {
    const char* does;
    const char* told;  // of the second size
  };
  const Mpi mpis[] = {
      {"exit 124", "it took longer than 300 s"},
      {"exit 3", "it ended with exit code 3 and said nothing"},
      {"echo 'wrong result on processor 1'; exit 1", "wrong result on processor 1"},
      {"echo -----; echo 'not enough slots'; exit 1", "not enough slots"},
      {"echo 'no call of scan began at the same moment everywhere'",
       "no call of scan began at the same moment everywhere"},
  };
  for (const auto& [does, told] : mpis) {
    write_program(folder("mpirun"),
                  "if [ \"$1\" = --version ]; then echo 'mpirun (Open MPI) 4.1.4'; exit; fi\n"
                  "echo 'scan 8 650.0 640.1 700.9'\n" +
                      std::string(does) + "\n");
    const Ran ran = shell("PATH='" + folder() + "' XDG_CACHE_HOME='" + folder("cache") + "' '" +
                          postroom() + "' bench scan -p 2 -n 3 -b 8 -e 16 -f 2 --vs-mpi --csv -");
    EXPECT_EQ(ran.exit_code, 0) << ran;
    EXPECT_EQ(ran.err, std::string("postroom bench: left out: scan of 16 bytes with Open MPI: ") +
                           told + "\n");
    EXPECT_NE(ran.out.find("\nscan,2,8,\"Open MPI\",,,median,650,ns\n"), std::string::npos);
    EXPECT_EQ(ran.out.find("\nscan,2,16,\"Open MPI\""), std::string::npos);
  }
}

TEST(BenchBesideMpi, ASignalEndsTheMpiToo) {
  const ScratchFolder folder;
  write_program(folder("mpicxx"), "for program; do :; done\n: > \"$program\"\n");
  write_program(folder("mpirun"),
                "if [ \"$1\" = --version ]; then echo 'mpirun (Open MPI) 4.1.4'; exit; fi\n"
                "echo $$ > '" +
                    folder("process") + "'\nexec /usr/bin/sleep 200\n");
  for (const std::string program : {"env", "setpriv", "timeout", "sh"}) {
    std::filesystem::create_symlink("/usr/bin/" + program, folder(program));
  }
  const Ran ran = shell("(PATH='" + folder() + "' XDG_CACHE_HOME='" + folder("cache") + "' exec '" +
                        postroom() +
                        "' bench scan -p 2 -n 3 -b 8 -e 8 --vs-mpi > /dev/null) & "
                        "while [ ! -s '" +
                        folder("process") +
                        "' ]; do sleep 0.05; done; "
                        "kill $!; wait $!; mpi=$(cat '" +
                        folder("process") +
                        "'); "
                        "for i in $(seq 200); do kill -0 $mpi 2> /dev/null || exit 7; sleep 0.05; "
                        "done; kill $mpi");
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
