#include <hdf5.h>

#include <algorithm>
#include <fstream>
#include <new>

#include "octavo/base/error.h"
#include "octavo/io/archive.h"
#include "octavo/io/archive_format.h"
#include "octavo/io/files.h"

namespace octavo {
namespace {

void reserve(Hdf5Image& image, std::size_t bytes) {
  if (!image.resize(bytes)) throw std::bad_alloc();
}

// What does not begin like an archive is refused before memory is taken for all of it.
void read_file(const std::filesystem::path& path, Hdf5Image& image) {
  require_file(path, "archive");
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  auto read_until = [&](std::size_t end) {
    const std::size_t begin = image.size();
    reserve(image, end);
    void* to = image.data() + begin;
    file.read(static_cast<char*>(to), static_cast<std::streamsize>(end - begin));
    if (error || !file) throw InputError("the archive '{}' cannot be read", path.string());
  };
  read_until(std::min(bytes, archive_format::header_bytes));
  archive_format::check_beginning(path.string(), {image.data(), image.size()}, bytes);
  read_until(bytes);
}

}  // namespace

struct ArchiveReader::File {
  std::string path;
  Hdf5Image image;
  Hdf5Handle file;

  explicit File(std::string p) : path(std::move(p)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    const Hdf5Turn turn;
    file.close();
  }

  void open();
  bool has(const std::string& name) const;
  Hdf5Handle dataset(const std::string& name) const;
  void check_claim(const std::string& name, const Hdf5Handle& set, hsize_t count,
                   std::size_t value_bytes) const;
  void read(const std::string& name, const Hdf5Handle& set, std::int64_t type, void* to) const;
};

void ArchiveReader::File::open() {
  archive_format::check_whole(path, {image.data(), image.size()});
  const Hdf5Turn turn;
  file = image.open();
  if (!file) throw InputError("'{}' is not an archive: it is no HDF5 file", path);
}

// Other kinds of links may lead to other files.
bool ArchiveReader::File::has(const std::string& name) const {
  H5L_info_t link{};
  return archive_format::is_name(name) &&
         H5Lget_info(file.id(), name.c_str(), &link, H5P_DEFAULT) >= 0 &&
         link.type == H5L_TYPE_HARD;
}

Hdf5Handle ArchiveReader::File::dataset(const std::string& name) const {
  if (!has(name)) throw InputError("there is no '{}' in the archive '{}'", name, path);
  Hdf5Handle set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set) throw InputError("'{}' in the archive '{}' is no data", name, path);
  return set;
}

// A dataset may claim any size, but then the file must have the bytes for it.
void ArchiveReader::File::check_claim(const std::string& name, const Hdf5Handle& set, hsize_t count,
                                      std::size_t value_bytes) const {
  const Hdf5Handle list(H5Dget_create_plist(set.id()), H5Pclose);
  const hsize_t stored = H5Dget_storage_size(set.id());
  const H5D_layout_t layout = H5Pget_layout(list.id());
  hsize_t chunk = 1;
  bool good = count <= stored / value_bytes && stored <= image.size() && layout != H5D_VIRTUAL &&
              H5Pget_external_count(list.id()) == 0;
  if (good && layout == H5D_CHUNKED)
    good = H5Pget_chunk(list.id(), 1, &chunk) == 1 && chunk <= image.size() / value_bytes;
  if (!good)
    throw InputError("'{}' claims to be larger than the archive '{}' that it is in", name, path);
}

void ArchiveReader::File::read(const std::string& name, const Hdf5Handle& set, std::int64_t type,
                               void* to) const {
  if (H5Dread(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
    throw InputError("'{}' in the archive '{}' cannot be read: it is damaged", name, path);
}

namespace {

// It is how many values something has if it has `rank` dimensions; else it is -1.
hssize_t count_of(const Hdf5Handle& set, int rank) {
  const Hdf5Handle space(H5Dget_space(set.id()), H5Sclose);
  const bool simple =
      H5Sget_simple_extent_type(space.id()) == (rank == 0 ? H5S_SCALAR : H5S_SIMPLE);
  if (!simple || H5Sget_simple_extent_ndims(space.id()) != rank) return -1;
  return H5Sget_simple_extent_npoints(space.id());
}

bool has_type(const Hdf5Handle& set, std::int64_t wanted) {
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
  return H5Tequal(type.id(), wanted) > 0;
}

// It is how many bytes a text has with the zero at its end; it is 0 if it is no text of ours.
std::size_t text_bytes(const Hdf5Handle& set) {
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
  if (count_of(set, 0) != 1 || H5Tget_class(type.id()) != H5T_STRING) return 0;
  return H5Tis_variable_str(type.id()) == 0 ? H5Tget_size(type.id()) : 0;
}

}  // namespace

ArchiveReader::ArchiveReader(const std::filesystem::path& path)
    : file_(std::make_unique<File>(path.string())) {
  read_file(path, file_->image);
  file_->open();
}

ArchiveReader::ArchiveReader(View<const unsigned char> bytes, std::string name)
    : file_(std::make_unique<File>(std::move(name))) {
  reserve(file_->image, bytes.size());
  std::copy(bytes.begin(), bytes.end(), file_->image.data());
  file_->open();
}

ArchiveReader::~ArchiveReader() = default;

bool ArchiveReader::has(const std::string& name) const {
  const Hdf5Turn turn;
  return file_->has(name);
}

std::size_t ArchiveReader::size(const std::string& name) const {
  const Hdf5Turn turn;
  const hssize_t count = count_of(file_->dataset(name), 1);
  if (count < 0) throw InputError("'{}' in the archive '{}' is not an array", name, file_->path);
  return static_cast<std::size_t>(count);
}

template <class T>
Buffer<T> ArchiveReader::array(const std::string& name) const {
  const Hdf5Turn turn;
  const auto type = archive_format::type_of(T{});
  const Hdf5Handle set = file_->dataset(name);
  const hssize_t count = count_of(set, 1);
  if (count < 0 || !has_type(set, type.file))
    throw InputError("'{}' in the archive '{}' is not an array of {} numbers", name, file_->path,
                     type.name);
  Buffer<T> values;
  if (count == 0) return values;
  file_->check_claim(name, set, static_cast<hsize_t>(count), sizeof(T));
  values.resize(static_cast<std::size_t>(count));
  file_->read(name, set, type.memory, values.data());
  return values;
}

template <class T>
T ArchiveReader::number(const std::string& name) const {
  const Hdf5Turn turn;
  const auto type = archive_format::type_of(T{});
  const Hdf5Handle set = file_->dataset(name);
  if (count_of(set, 0) != 1 || !has_type(set, type.file))
    throw InputError("'{}' in the archive '{}' is not a single {} number", name, file_->path,
                     type.name);
  file_->check_claim(name, set, 1, sizeof(T));
  T value{};
  file_->read(name, set, type.memory, &value);
  return value;
}

std::string ArchiveReader::text(const std::string& name) const {
  const Hdf5Turn turn;
  const Hdf5Handle set = file_->dataset(name);
  const std::size_t bytes = text_bytes(set);
  const Hdf5Handle type = bytes > 0 ? archive_format::text_type(bytes - 1) : Hdf5Handle();
  if (!type || !has_type(set, type.id()))
    throw InputError("'{}' in the archive '{}' is not a text", name, file_->path);
  file_->check_claim(name, set, 1, bytes);
  std::string text(bytes, '\0');
  file_->read(name, set, type.id(), text.data());
  text.pop_back();
  return text;
}

template Buffer<float> ArchiveReader::array(const std::string&) const;
template Buffer<double> ArchiveReader::array(const std::string&) const;
template Buffer<std::int32_t> ArchiveReader::array(const std::string&) const;
template Buffer<std::int64_t> ArchiveReader::array(const std::string&) const;
template Buffer<std::uint64_t> ArchiveReader::array(const std::string&) const;
template Buffer<std::uint8_t> ArchiveReader::array(const std::string&) const;
template double ArchiveReader::number(const std::string&) const;
template std::int64_t ArchiveReader::number(const std::string&) const;
template std::uint64_t ArchiveReader::number(const std::string&) const;

}  // namespace octavo
