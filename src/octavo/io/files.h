#pragma once

// What readers and writers of files have in common.

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace octavo {

// What the system calls an error number.
std::string system_message(int error);

// A file that could not be written, although nothing was wrong with what was asked for.
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

// Hands over all bytes, in as many calls as it takes; false if it cannot, and errno says why.
bool write_all(int descriptor, std::string_view bytes);

// An InputError unless there is such a file: "the mesh file 'a.obj' does not exist".
void require_file(const std::filesystem::path& path, std::string_view what);

// How the name of a file ends, in lower case: ".vdb" of "SMOKE.VDB".
std::string lower_extension(const std::filesystem::path& path);

// An InputError if there can be no such folder, or nothing can be put into it. Nothing is made yet.
void require_output_folder(const std::filesystem::path& folder);

// Makes a folder and those that it is in; an InputError if that cannot be done.
void make_folder(const std::filesystem::path& folder);

}  // namespace octavo
