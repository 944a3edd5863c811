#include <hdf5.h>

#include <algorithm>
#include <new>

#include "octavo/io/archive.h"
#include "octavo/io/archive_format.h"
#include "octavo/io/atomic_file.h"

namespace octavo {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

// What we ask of HDF5 is right; if it refuses, that is a mistake of ours.
void require(bool good) {
  if (!good) throw InvariantError("HDF5 has refused to make a part of an archive");
}

Hdf5Handle creation_list(H5D_layout_t layout) {
  Hdf5Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  require(list && H5Pset_layout(list.id(), layout) >= 0 &&
          H5Pset_obj_track_times(list.id(), false) >= 0);
  return list;
}

// Chunks have one size that leaves hardly any room unused; a chunk has a checksum of its own. There are no
// chunks of nothing.
Hdf5Handle chunked_list(std::size_t count, std::size_t value_bytes) {
  if (count == 0) return creation_list(H5D_CONTIGUOUS);
  const std::size_t most = chunk_bytes / value_bytes, chunks = (count + most - 1) / most;
  const hsize_t chunk = (count + chunks - 1) / chunks;
  Hdf5Handle list = creation_list(H5D_CHUNKED);
  require(H5Pset_chunk(list.id(), 1, &chunk) >= 0 && H5Pset_fletcher32(list.id()) >= 0);
  return list;
}

}  // namespace

struct ArchiveWriter::File {
  Hdf5Image image;
  Hdf5Handle file;  // until the image is complete

  File() {
    const Hdf5Turn turn;
    file = image.create(archive_format::header_bytes);
    require(bool(file));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    const Hdf5Turn turn;
    file.close();
  }

  void add(const std::string& name, const Hdf5Handle& space, const Hdf5Handle& list,
           std::int64_t file_type, std::int64_t memory_type, const void* values);
  void require_room(bool good) const {
    if (!good && image.is_out_of_memory()) throw std::bad_alloc();
    require(good);
  }
  void finish();
};

void ArchiveWriter::File::add(const std::string& name, const Hdf5Handle& space,
                              const Hdf5Handle& list, std::int64_t file_type,
                              std::int64_t memory_type, const void* values) {
  OCTAVO_CHECK(file);
  if (!archive_format::is_name(name))
    throw InputError("nothing in an archive can be called '{}'", name);
  if (H5Lexists(file.id(), name.c_str(), H5P_DEFAULT) > 0)
    throw InputError("there is already something called '{}' in the archive", name);
  require(bool(space));
  const Hdf5Handle set(H5Dcreate2(file.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT,
                                  list.id(), H5P_DEFAULT),
                       H5Dclose);
  require_room(bool(set));
  if (H5Sget_simple_extent_npoints(space.id()) == 0) return;
  require_room(H5Dwrite(set.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

// The header goes where HDF5 has left room for it.
void ArchiveWriter::File::finish() {
  if (!file) return;
  const Hdf5Turn turn;
  require_room(image.finish(file));
  constexpr std::size_t skip = archive_format::header_bytes;
  const std::string header = archive_format::header_of({image.data() + skip, image.size() - skip});
  std::copy(header.begin(), header.end(), image.data());
}

ArchiveWriter::ArchiveWriter() : file_(std::make_unique<File>()) {}
ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::add_array(const std::string& name, const ArchiveArray& values) {
  const Hdf5Turn turn;
  auto add = [&]<class T>(View<const T> v) {
    const auto type = archive_format::type_of(T{});
    const hsize_t count = v.size();
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    file_->add(name, space, chunked_list(v.size(), sizeof(T)), type.file, type.memory, v.data());
  };
  std::visit(add, values);
}

void ArchiveWriter::add_number(const std::string& name, const ArchiveNumber& number) {
  const Hdf5Turn turn;
  auto add = [&]<class T>(const T& value) {
    const auto type = archive_format::type_of(T{});
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    file_->add(name, space, creation_list(H5D_COMPACT), type.file, type.memory, &value);
  };
  std::visit(add, number);
}

void ArchiveWriter::add_text(const std::string& name, std::string_view text) {
  const Hdf5Turn turn;
  const std::string terminated(text);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle type = archive_format::text_type(text.size());
  require(bool(type));
  file_->add(name, space, creation_list(H5D_CONTIGUOUS), type.id(), type.id(), terminated.c_str());
}

void ArchiveWriter::commit(const std::filesystem::path& path) {
  file_->finish();
  AtomicFile file(path);
  file.write(file_->image.data(), file_->image.size());
  file.commit();
}

}  // namespace octavo
