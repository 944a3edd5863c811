#include "octavo/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

#include "octavo/base/error.h"

namespace octavo {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(path), target_(path) {
  if (path.empty() || !path.has_filename())
    throw FileError(path, "the name of the file is missing");

  // Renaming would replace whatever stands there: a device or a folder must not vanish, and a link
  // keeps pointing at the file.
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status)) {
    if (!fs::is_regular_file(status)) throw FileError(path, "it is not a regular file");
    if (fs::is_symlink(path, error)) target_ = fs::canonical(path, error);
    if (error) throw FileError(path, error.message());
  }
  pending_.reserve(buffer_bytes);
  open_temporary();
}

AtomicFile::~AtomicFile() { discard(); }

// The name holds the process and a counter, so that two writers never share a temporary file.
void AtomicFile::open_temporary() {
  static std::atomic<unsigned> counter{0};
  do {
    temporary_ = target_;
    temporary_ += fmt::format(".tmp-{}-{}", getpid(), counter++);
    descriptor_ = retry(
        [&] { return open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) throw FileError(path_, errno);
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  OCTAVO_CHECK(descriptor_ >= 0);
  const char* from = static_cast<const char*>(data);
  if (pending_.size() + bytes > buffer_bytes) flush();
  if (bytes >= buffer_bytes) return put({from, bytes});
  pending_.insert(pending_.end(), from, from + bytes);
}

void AtomicFile::flush() {
  put({pending_.data(), pending_.size()});
  pending_.clear();
}

void AtomicFile::put(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) fail(errno);
}

void AtomicFile::commit() {
  OCTAVO_CHECK(descriptor_ >= 0);
  flush();
  if (retry([&] { return fsync(descriptor_); }) < 0) fail(errno);
  if (close(std::exchange(descriptor_, -1)) < 0) fail(errno);
  if (rename(temporary_.c_str(), target_.c_str()) < 0) fail(errno);
  temporary_.clear();
  sync_folder();
}

// The new name is on disk only when its folder is. Some file systems have nothing to sync there.
void AtomicFile::sync_folder() const {
  const fs::path folder = folder_of(target_);
  const int descriptor =
      retry([&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor < 0) {
    if (errno == EACCES) return;  // a folder that may be written but not read
    throw FileError(path_, errno);
  }
  const int result = retry([&] { return fsync(descriptor); });
  const int error = errno;
  close(descriptor);
  if (result < 0 && error != EINVAL && error != EROFS) throw FileError(path_, error);
}

void AtomicFile::fail(int error) {
  discard();
  throw FileError(path_, error);
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

void write_file(const fs::path& path, std::string_view contents) {
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace octavo
