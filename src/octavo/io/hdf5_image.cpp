#include "octavo/io/hdf5_image.h"

#include <fmt/core.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdlib>

namespace octavo {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

// HDF5 asks for memory and copies of an image in many places. There is one image only: whatever it asks
// for, it gets that one, and there is nothing to copy and nothing to free.
Hdf5Image& image_of(void* image) { return *static_cast<Hdf5Image*>(image); }

void* give_image(std::size_t size, H5FD_file_image_op_t, void* image) {
  return size <= image_of(image).size() ? image_of(image).data() : nullptr;
}
void* copy_image(void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) { return to; }
void* grow_image(void*, std::size_t size, H5FD_file_image_op_t, void* image) {
  return image_of(image).resize(size) ? image_of(image).data() : nullptr;
}
herr_t free_image(void*, H5FD_file_image_op_t, void*) { return 0; }
void* copy_reference(void* image) { return image; }
herr_t free_reference(void*) { return 0; }

}  // namespace

Hdf5Turn::Hdf5Turn() : lock_(hdf5_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Turn::~Hdf5Turn() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

Hdf5Image::~Hdf5Image() { std::free(data_); }

bool Hdf5Image::resize(std::size_t size) {
  void* data = std::realloc(data_, std::max(size, std::size_t{1}));
  out_of_memory_ = out_of_memory_ || data == nullptr;
  if (data == nullptr) return false;
  data_ = static_cast<unsigned char*>(data);
  size_ = size;
  return true;
}

// Files in memory are told apart by their names. Below a device there is never a file on disk that HDF5
// could find instead.
std::string Hdf5Image::unused_name() {
  static std::uint64_t count = 0;
  return fmt::format("/dev/null/octavo-{}", ++count);
}

Hdf5Handle Hdf5Image::access() {
  constexpr std::size_t increment = std::size_t{1} << 16;
  H5FD_file_image_callbacks_t callbacks{give_image,     copy_image,     grow_image, free_image,
                                        copy_reference, free_reference, this};
  Hdf5Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const bool good = list && H5Pset_fapl_core(list.id(), increment, false) >= 0 &&
                    H5Pset_libver_bounds(list.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
                    H5Pset_file_image_callbacks(list.id(), &callbacks) >= 0;
  return good ? std::move(list) : Hdf5Handle();
}

// Times of creation are left out: the same contents are the same bytes.
Hdf5Handle Hdf5Image::create(std::size_t user_block) {
  const Hdf5Handle how = access(), what(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  if (!how || !what || H5Pset_userblock(what.id(), user_block) < 0 ||
      H5Pset_obj_track_times(what.id(), false) < 0)
    return {};
  user_block_ = user_block;
  return {H5Fcreate(unused_name().c_str(), H5F_ACC_TRUNC, what.id(), how.id()), H5Fclose};
}

// The image has grown in large steps; how much of it is in use can only be asked for while it is open.
bool Hdf5Image::finish(Hdf5Handle& file) {
  if (H5Fflush(file.id(), H5F_SCOPE_GLOBAL) < 0) return false;
  const ssize_t used = H5Fget_file_image(file.id(), nullptr, 0);
  if (used < 0 || !file.close()) return false;
  const std::size_t end = user_block_ + static_cast<std::size_t>(used);
  return end <= size_ && resize(end);
}

Hdf5Handle Hdf5Image::open() {
  const Hdf5Handle how = access();
  if (!how || H5Pset_file_image(how.id(), data_, size_) < 0) return {};
  return {H5Fopen(unused_name().c_str(), H5F_ACC_RDONLY, how.id()), H5Fclose};
}

}  // namespace octavo
