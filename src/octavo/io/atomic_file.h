#pragma once

// These files are either complete or not there. Everything is written under a temporary name beside
// the target, forced to disk and then renamed, so that a full disk, a crash or a signal leaves the
// file of that name as it was before.
//
//   AtomicFile file("grid/smoke.0001.htg");
//   file.write(header);
//   file.write(values.data(), values.size() * sizeof(float));
//   file.commit();                          // without it the target never appears

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "octavo/io/files.h"

namespace octavo {

class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }

  // Another program may write here instead, before commit() is called.
  const std::filesystem::path& temporary() const { return temporary_; }

  // Makes the file appear under its name. Nothing can be written afterwards.
  void commit();

 private:
  void open_temporary();
  void flush();
  void put(std::string_view bytes);
  void sync_folder() const;
  [[noreturn]] void fail(int error);
  void discard() noexcept;

  std::filesystem::path path_, target_, temporary_;  // as asked for, links resolved, while writing
  std::vector<char> pending_;                        // at most buffer_bytes not yet handed over
  int descriptor_ = -1;
};

// It writes the whole contents at once.
void write_file(const std::filesystem::path& path, std::string_view contents);

}  // namespace octavo
