// MPI, whichever it is compiled and started with:
//   mpicxx.openmpi -std=c++20 -O3 -march=native -I. benchmarks/collectives/mpi.cc -o bench_mpi
//   mpirun.openmpi -n 2 --bind-to core ./bench_mpi
// benchmarks/collectives/run does both. Not part of the Bazel build, which does not need MPI.
#include <mpi.h>

#include <vector>

#include "benchmarks/collectives/measure.h"
#include "benchmarks/collectives/turns.h"

namespace postroom::benchmarks {
namespace {

class MpiPeer final : public Peer {
 public:
  MpiPeer() {
    MPI_Comm_rank(MPI_COMM_WORLD, &id_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }

  int id() const override { return id_; }
  int count() const override { return count_; }

  void send(int target, ConstList data) override {
    MPI_Send(data.data(), size(data), MPI_INT64_T, target, 0, MPI_COMM_WORLD);
  }
  void receive(int source, List data) override {
    MPI_Recv(data.data(), size(data), MPI_INT64_T, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }
  void broadcast(List data) override {
    MPI_Bcast(data.data(), size(data), MPI_INT64_T, 0, MPI_COMM_WORLD);
  }
  void reduce(ConstList in, List out) override {
    MPI_Reduce(in.data(), out.data(), size(in), MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  void allreduce(ConstList in, List out) override {
    MPI_Allreduce(in.data(), out.data(), size(in), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  }
  void scan(ConstList in, List out) override {
    MPI_Scan(in.data(), out.data(), size(in), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  }
  void scatter(ConstList all, List mine) override {
    MPI_Scatter(all.data(), size(mine), MPI_INT64_T, mine.data(), size(mine), MPI_INT64_T, 0,
                MPI_COMM_WORLD);
  }
  void gather(ConstList mine, List all) override {
    MPI_Gather(mine.data(), size(mine), MPI_INT64_T, all.data(), size(mine), MPI_INT64_T, 0,
               MPI_COMM_WORLD);
  }
  void allgather(ConstList mine, List all) override {
    MPI_Allgather(mine.data(), size(mine), MPI_INT64_T, all.data(), size(mine), MPI_INT64_T,
                  MPI_COMM_WORLD);
  }
  void alltoall(ConstList send, List receive) override {
    const int block = size(send) / count_;
    MPI_Alltoall(send.data(), block, MPI_INT64_T, receive.data(), block, MPI_INT64_T,
                 MPI_COMM_WORLD);
  }
  void alltoallv(ConstList send, Counts send_counts, List receive, Counts receive_counts) override {
    const Layout out(send_counts);
    const Layout in(receive_counts);
    MPI_Alltoallv(send.data(), out.counts.data(), out.begins.data(), MPI_INT64_T, receive.data(),
                  in.counts.data(), in.begins.data(), MPI_INT64_T, MPI_COMM_WORLD);
  }
  void reduce_scatter(ConstList in, List out, Counts counts) override {
    MPI_Reduce_scatter(in.data(), out.data(), Layout(counts).counts.data(), MPI_INT64_T, MPI_SUM,
                       MPI_COMM_WORLD);
  }
  void scatterv(ConstList all, Counts counts, List mine) override {
    const Layout layout(counts);
    MPI_Scatterv(all.data(), layout.counts.data(), layout.begins.data(), MPI_INT64_T, mine.data(),
                 size(mine), MPI_INT64_T, 0, MPI_COMM_WORLD);
  }
  void gatherv(ConstList mine, List all, Counts counts) override {
    const Layout layout(counts);
    MPI_Gatherv(mine.data(), size(mine), MPI_INT64_T, all.data(), layout.counts.data(),
                layout.begins.data(), MPI_INT64_T, 0, MPI_COMM_WORLD);
  }
  void allgatherv(ConstList mine, List all, Counts counts) override {
    const Layout layout(counts);
    MPI_Allgatherv(mine.data(), size(mine), MPI_INT64_T, all.data(), layout.counts.data(),
                   layout.begins.data(), MPI_INT64_T, MPI_COMM_WORLD);
  }

 private:
  struct Layout {
    explicit Layout(Counts numbers) {
      int begin = 0;
      for (const std::size_t number : numbers) {
        counts.push_back(static_cast<int>(number));
        begins.push_back(begin);
        begin += counts.back();
      }
    }
    std::vector<int> counts;
    std::vector<int> begins;
  };
  static int size(ConstList list) { return static_cast<int>(list.size()); }

  int id_ = 0;
  int count_ = 0;
};

}  // namespace
}  // namespace postroom::benchmarks

int main(int argc, char** argv) {
  using namespace postroom::benchmarks;
  MPI_Init(&argc, &argv);
  Selection selection;
  for (int i = 1; i < argc; ++i) {
    if (selection.take(argv[i])) continue;
    std::fprintf(stderr, "%s is not an argument\n", argv[i]);
    return 2;
  }
  MpiPeer peer;
  Measurement measurement(peer, selection);
  if (selection.turns.empty()) {
    measurement.run();
  } else {
    Turns turns(selection.turns, peer.id(), selection.turn_seconds);
    while (const auto turn = turns.next()) measurement.take(*turn);
  }
  MPI_Finalize();
}
