#include "octavo/run/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <regex>
#include <system_error>

#include "octavo/base/error.h"
#include "octavo/io/atomic_file.h"

namespace octavo {

namespace fs = std::filesystem;

namespace {

// What a run writes: the folder, and how the names in it end.
constexpr std::array<std::pair<const char*, const char*>, 5> kinds{{{"volume", ".vdb"},
                                                                    {"grid", ".htg"},
                                                                    {"grid", ".pvd"},
                                                                    {"probe", ".csv"},
                                                                    {"checkpoint", ".h5"}}};

// The files in a folder; none if there is no such folder.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error)) files.push_back(at->path());
  return files;
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw FileError(file, error.message());
}

}  // namespace

RunFolder::~RunFolder() {
  if (lock_ >= 0) close(lock_);
}

bool RunFolder::holds_run() const {
  std::error_code error;
  return fs::exists(log(), error) || fs::exists(scene(), error);
}

void RunFolder::open() {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_))
    throw InputError("the folder '{}' cannot be made: {}", folder_.string(),
                     error ? error.message() : "it is not a folder");
  take();
  remove_unfinished();
}

// The lock is gone when the process is, however it ends.
void RunFolder::take() {
  const fs::path file = folder_ / ".lock";
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0)
    throw InputError("the folder '{}' cannot be written to: {}", folder_.string(),
                     std::generic_category().message(errno));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
    throw InputError("another run is writing to '{}'", folder_.string());
}

void RunFolder::remove_unfinished() const {
  const std::regex unfinished(R"(.+\.tmp-[0-9]+-[0-9]+)");
  std::vector<fs::path> folders{folder_};
  for (const auto& [kind, ending] : kinds) folders.push_back(folder_ / kind);
  for (const fs::path& folder : folders)
    for (const fs::path& file : files_in(folder))
      if (std::regex_match(file.filename().string(), unfinished)) remove_file(file);
}

void RunFolder::clear() {
  for (const auto& [kind, ending] : kinds)
    for (const fs::path& file : files_in(folder_ / kind))
      if (file.extension() == ending) remove_file(file);
  remove_file(scene());
  remove_file(log());
}

fs::path RunFolder::numbered(const char* kind, int frame, const char* ending) const {
  return folder_ / kind / fmt::format("{}.{:04}{}", name_, frame, ending);
}

fs::path RunFolder::checkpoint(const Moment& m) const {
  const std::string steps = m.substep == 0 ? "" : fmt::format("+{}", m.substep);
  return folder_ / "checkpoint" / fmt::format("{}.{:04}{}.h5", name_, m.frame, steps);
}

std::vector<CheckpointFile> RunFolder::checkpoints() const { return checkpoints_in(folder_); }

void RunFolder::prune_checkpoints(int keep) const {
  const std::vector<CheckpointFile> all = checkpoints();
  for (std::size_t i = static_cast<std::size_t>(keep); i < all.size(); ++i)
    remove_file(all[i].path);
}

void RunFolder::make_folder_of(const fs::path& file) {
  std::error_code error;
  fs::create_directory(file.parent_path(), error);
  if (error) throw FileError(file, error.message());
}

std::vector<CheckpointFile> checkpoints_in(const fs::path& folder) {
  const std::regex pattern(R"(.+\.([0-9]{4,9})(\+([0-9]{1,9}))?\.h5)");
  std::vector<CheckpointFile> found;
  for (const fs::path& file : files_in(folder / "checkpoint")) {
    const std::string name = file.filename().string();
    std::smatch match;
    if (!std::regex_match(name, match, pattern)) continue;
    found.push_back({{std::stoi(match[1]), match[3].matched ? std::stoi(match[3]) : 0}, file});
  }
  std::sort(found.begin(), found.end(), [](const CheckpointFile& p, const CheckpointFile& q) {
    return p.moment != q.moment ? q.moment < p.moment : q.path < p.path;
  });
  return found;
}

}  // namespace octavo
