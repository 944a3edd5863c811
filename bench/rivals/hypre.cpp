#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "rivals.h"

namespace octavo::bench {
namespace {

// A file that is gone when it is no longer needed.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(std::filesystem::temp_directory_path() / fmt::format("octavo-bench-{}", getpid())),
        file_(std::fopen(path_.c_str(), "wb")) {
    if (file_ == nullptr) throw std::runtime_error("cannot write " + path_.string());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (file_ != nullptr) std::fclose(file_);
    std::filesystem::remove(path_);
  }

  template <class T>
  void write(const T* data, std::size_t count) {
    if (std::fwrite(data, sizeof(T), count, file_) != count)
      throw std::runtime_error("cannot write all of " + path_.string());
  }
  void close() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0)
      throw std::runtime_error("cannot write all of " + path_.string());
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
  std::FILE* file_;
};

// Where in the entries of all rows it is.
std::size_t diagonal(const LinearSystem& system, std::size_t row) {
  const View<const int> columns = system.columns(row);
  const int* at = std::lower_bound(columns.begin(), columns.end(), static_cast<int>(row));
  return static_cast<std::size_t>(at - system.column.data());
}

void write_system(const LinearSystem& system, TemporaryFile& file) {
  Buffer<double> value = system.value;
  for (const std::size_t i : system.first_of_closed_components()) value[diagonal(system, i)] *= 2;
  const SystemHeader header{static_cast<std::int64_t>(system.size()),
                            static_cast<std::int64_t>(system.entries())};
  file.write(&header, 1);
  file.write(system.row_begin.data(), system.row_begin.size());
  file.write(system.column.data(), system.entries());
  file.write(value.data(), system.entries());
  file.write(system.rhs.data(), system.size());
  file.close();
}

// What a command prints.
std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) output.append(part, n);
  if (pclose(pipe) != 0) throw std::runtime_error("this failed: " + command);
  return output;
}

// Open MPI runs as root, on more processes than cores, on any core, and does not insist on a core
// while it waits, only when told so.
constexpr const char* environment =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
    "OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1";

}  // namespace

MeasuredSolve run_hypre(const LinearSystem& system, int threads, int repeats) {
  TemporaryFile file;
  write_system(system, file);
  return nlohmann::json::parse(
      output_of(fmt::format("{} '{}' -n {} '{}' '{}' {}", environment, OCTAVO_BENCH_MPIEXEC,
                            threads, OCTAVO_BENCH_HYPRE, file.path(), repeats)));
}

}  // namespace octavo::bench
