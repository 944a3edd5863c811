#include "octavo/io/png.h"

#include <png.h>

#include "octavo/base/error.h"
#include "octavo/io/atomic_file.h"

namespace octavo {

namespace {

// Frees what libpng holds when a scope is left early.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
  ~PngImage() { png_image_free(this); }
};

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
  OCTAVO_CHECK(image.width > 0 && image.height > 0);
  OCTAVO_CHECK(image.channels == 3 || image.channels == 4);
  OCTAVO_CHECK(image.pixels.size() ==
               Image(image.width, image.height, image.channels).pixels.size());
  PngImage png;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = image.channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;

  // Compress into memory first: then libpng needs no file of its own and the file is written as
  // one.
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<char> file(bytes);
  if (!png_image_write_to_memory(&png, file.data(), &bytes, 0, image.pixels.data(), 0, nullptr))
    throw FileError(path, png.message);
  write_file(path, {file.data(), bytes});
}

Image read_png(const std::filesystem::path& path) {
  PngImage png;
  if (!png_image_begin_read_from_file(&png, path.c_str()))
    throw InputError("cannot read the picture '{}': {}", path.string(), png.message);
  const bool opacity = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  png.format = opacity ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height), opacity ? 4 : 3);
  if (!png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr))
    throw InputError("cannot read the picture '{}': {}", path.string(), png.message);
  return image;
}

}  // namespace octavo
