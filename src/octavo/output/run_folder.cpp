#include "octavo/output/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <system_error>

#include "octavo/base/error.h"
#include "octavo/base/text.h"
#include "octavo/io/files.h"
#include "octavo/output/checkpoint.h"
#include "octavo/output/frame_names.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {

namespace fs = std::filesystem;

namespace {

// A run writes into these folders, and the names in them end like this.
constexpr std::array<std::pair<const char*, const char*>, 8> written{{{"volume", ".vdb"},
                                                                      {"grid", ".htg"},
                                                                      {"grid", ".pvd"},
                                                                      {"mesh", ".ply"},
                                                                      {"image", ".png"},
                                                                      {"image", ".exr"},
                                                                      {"probe", ".csv"},
                                                                      {"checkpoint", ".h5"}}};

// AtomicFile calls what it has not finished NAME.tmp-PROCESS-COUNT; this tells which process it was.
std::optional<int> unfinished_by(const std::string& name) {
  const auto ending = name.rfind(".tmp-");
  if (ending == std::string::npos || ending == 0) return {};
  const std::string_view numbers = std::string_view(name).substr(ending + 5);
  const auto dash = numbers.find('-');
  if (dash == std::string_view::npos || !whole_number(numbers.substr(dash + 1))) return {};
  return whole_number(numbers.substr(0, dash));
}

// Another program may be rendering what is there, and not have finished yet. One with the number of this process
// is gone: this one has not begun to write.
bool is_at_work(int process) {
  return process != getpid() && (kill(process, 0) == 0 || errno == EPERM);
}

// The name is NAME.FRAME.h5 or NAME.FRAME+SUBSTEP.h5.
std::optional<Moment> moment_of(const fs::path& file) {
  if (file.extension() != ".h5") return {};
  const std::string stem = file.stem().string();
  const auto dot = stem.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string_view numbers = std::string_view(stem).substr(dot + 1);
  const auto plus = numbers.find('+');
  const auto frame = whole_number(numbers.substr(0, plus));
  const auto substep = plus == std::string_view::npos ? std::optional<int>(0)
                                                      : whole_number(numbers.substr(plus + 1));
  if (!frame || !substep) return {};
  return Moment{*frame, *substep};
}

// The name is like NAME.0001.vdb, or the file begins as our tables do.
bool is_of_a_run(const fs::path& file) {
  if (file.extension() == ".pvd") return true;
  if (file.extension() == ".csv") {
    std::string begin(10, ' ');
    std::ifstream(file).read(begin.data(), 10);
    return begin == "frame,time";
  }
  const std::string stem = file.stem().string();
  const auto dot = stem.rfind('.');
  return dot != std::string::npos && stem.size() - dot > 4 &&
         stem.find_first_not_of("0123456789+", dot + 1) == std::string::npos;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

bool is_whole(const fs::path& checkpoint) {
  try {
    read_checkpoint_header(ArchiveReader(checkpoint));
    return true;
  } catch (const InputError&) {
    return false;
  }
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

// The log may be lost; other programs have folders of the same names.
bool RunFolder::holds_run() const {
  std::error_code error;
  if (fs::exists(log(), error)) return true;
  const std::vector<CheckpointFile> all = checkpoints();
  return std::any_of(all.begin(), all.end(), [](const auto& c) { return is_whole(c.path); });
}

void RunFolder::open() {
  make_folder(folder_);
  take();
  remove_unfinished();
}

// The lock is gone when the process is, however it ends.
void RunFolder::take() {
  const fs::path file = folder_ / ".lock";
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0)
    throw InputError("the folder '{}' cannot be written to: {}", folder_.string(),
                     system_message(errno));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
    throw InputError("another run is writing to '{}'", folder_.string());
}

void RunFolder::remove_unfinished() const {
  std::vector<fs::path> folders{folder_};
  for (const auto& [kind, ending] : written) folders.push_back(folder_ / kind);
  for (const fs::path& folder : folders)
    for (const fs::path& file : files_in(folder))
      if (const auto process = unfinished_by(file.filename().string());
          process && !is_at_work(*process))
        remove_file(file);
}

void RunFolder::clear() {
  for (const auto& [kind, ending] : written)
    for (const fs::path& file : files_in(folder_ / kind))
      if (file.extension() == ending && is_of_a_run(file) &&
          (kind != std::string_view("image") || file.filename().string().starts_with(name_ + ".")))
        remove_file(file);
  remove_file(folder_ / "image" / ("." + name_ + ".settings.json"));
  remove_file(scene());
  remove_file(log());
}

fs::path RunFolder::numbered(const char* kind, int frame, const char* ending,
                             const std::string& what) const {
  return folder_ / kind / frame_file(name_ + what, frame, ending);
}

fs::path RunFolder::picture(const std::string& what, int frame) const {
  return numbered("image", frame, ".png", is_main_picture(what) ? "" : "." + what);
}

fs::path RunFolder::checkpoint(const Moment& m) const {
  const std::string steps = m.substep == 0 ? "" : fmt::format("+{}", m.substep);
  return folder_ / "checkpoint" / fmt::format("{}.{:04}{}.h5", name_, m.frame, steps);
}

std::string RunFolder::name_in_scene(const fs::path& file) const {
  std::string name = fs::absolute(file).lexically_normal().string();
  if (is_utf8(name)) return name;
  name = fs::relative(file, folder_).string();
  if (is_utf8(name)) return name;
  throw InputError(
      "the path of '{}' is not valid UTF-8, which a scene file must be: rename its folder, or put "
      "the run into that with -o",
      file.string());
}

std::vector<CheckpointFile> RunFolder::checkpoints() const { return checkpoints_in(folder_); }

void RunFolder::prune_checkpoints(const Moment& now, int keep) const {
  int kept = 0;
  for (const CheckpointFile& c : checkpoints())
    if (c.moment > now || (keep > 0 && ++kept > keep)) remove_file(c.path);
}

void RunFolder::make_folder_of(const fs::path& file) {
  std::error_code error;
  fs::create_directory(file.parent_path(), error);
  if (error) throw FileError(file, error.message());
}

std::vector<CheckpointFile> checkpoints_in(const fs::path& folder) {
  std::vector<CheckpointFile> found;
  for (const fs::path& file : files_in(folder / "checkpoint"))
    if (const auto moment = moment_of(file)) found.push_back({*moment, file});
  std::sort(found.begin(), found.end(), [](const CheckpointFile& p, const CheckpointFile& q) {
    return p.moment != q.moment ? q.moment < p.moment : q.path < p.path;
  });
  return found;
}

fs::path scene_of_run(const fs::path& file) {
  const fs::path folder = fs::absolute(file).parent_path().parent_path();
  std::error_code error;
  const RunFolder run(folder, "");
  return fs::is_regular_file(run.scene(), error) && run.holds_run() ? run.scene() : fs::path();
}

}  // namespace octavo
