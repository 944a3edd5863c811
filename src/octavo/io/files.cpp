#include "octavo/io/files.h"

#include <unistd.h>

#include <system_error>

#include "octavo/base/error.h"

namespace octavo {

namespace fs = std::filesystem;

std::string system_message(int error) { return std::generic_category().message(error); }

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = retry([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void require_file(const fs::path& path, std::string_view what) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw InputError("the {} '{}' cannot be read: {}", what, path.string(), error.message());
  if (!fs::exists(status)) throw InputError("the {} '{}' does not exist", what, path.string());
  if (!fs::is_regular_file(status))
    throw InputError("the {} '{}' is not a file", what, path.string());
}

std::string lower_extension(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return ending;
}

void require_output_folder(const fs::path& folder) {
  std::error_code error;
  fs::path place = fs::absolute(folder);  // the part of it that is there
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  if (!fs::is_directory(place, error))
    throw InputError("the output folder '{}' cannot be made: '{}' is not a folder", folder.string(),
                     place.string());
  if (access(place.c_str(), W_OK | X_OK) != 0)
    throw InputError("nothing can be written to '{}': {}", place.string(), system_message(errno));
}

void make_folder(const fs::path& folder) {
  std::error_code error, ignored;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, ignored))
    throw InputError("the output folder '{}' cannot be made: {}", folder.string(),
                     error ? error.message() : "it is not a folder");
}

}  // namespace octavo
