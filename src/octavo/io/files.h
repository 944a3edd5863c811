#pragma once

// This is what readers and writers of files have in common.

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace octavo {

// It is what the system calls an error number.
std::string system_message(int error);

// A file could not be written, although nothing was wrong with what was asked for.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& path, const std::string& reason)
      : std::runtime_error("cannot write '" + path.string() + "': " + reason) {}
  FileError(const std::filesystem::path& path, int error)
      : FileError(path, system_message(error)) {}
};

// Repeats a system call that a signal has interrupted.
template <class Call>
auto retry(Call&& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// It hands over all bytes, in as many calls as it takes; it is false if it cannot, and errno says
// why.
bool write_all(int descriptor, std::string_view bytes);

// It throws an InputError unless there is such a file: "the mesh file 'a.obj' does not exist".
void require_file(const std::filesystem::path& path, std::string_view what);

// It is how the name of a file ends, in lower case: ".vdb" of "SMOKE.VDB".
std::string lower_extension(const std::filesystem::path& path);

// It throws an InputError if there can be no such folder, or nothing can be put into it. Nothing is
// made yet.
void require_output_folder(const std::filesystem::path& folder);

// It makes a folder and those that it is in, and throws an InputError if that cannot be done.
void make_folder(const std::filesystem::path& folder);

}  // namespace octavo
