#include "octavo/io/png.h"

#include <png.h>

#include <bit>
#include <csetjmp>
#include <string>

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

// Chunks of a PNG file are added to the end of it.
void append(png_structp png, png_bytep bytes, std::size_t count) {
  auto* file = static_cast<std::string*>(png_get_io_ptr(png));
  file->append(static_cast<const char*>(static_cast<const void*>(bytes)), count);
}

struct Writer {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);

  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { png_destroy_write_struct(&png, &info); }
};

// A picture is compressed in memory, since then the file is written as one. libpng ends with a jump when it
// fails: nothing here has a destructor that would be missed.
template <class Sample>
bool compress(Writer& w, const BasicImage<Sample>& image, std::string& file) {
  if (w.info == nullptr || setjmp(png_jmpbuf(w.png)) != 0) return false;
  png_set_write_fn(w.png, &file, append, nullptr);
  png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), 8 * sizeof(Sample),
               image.channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB_gAMA_and_cHRM(w.png, w.info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(w.png, w.info);
  if constexpr (sizeof(Sample) == 2 && std::endian::native == std::endian::little)
    png_set_swap(w.png);
  for (int y = 0; y < image.height; ++y)
    png_write_row(w.png, static_cast<png_const_bytep>(static_cast<const void*>(image.at(0, y))));
  png_write_end(w.png, w.info);
  return true;
}

template <class Sample>
void write(const std::filesystem::path& path, const BasicImage<Sample>& image) {
  OCTAVO_CHECK(image.width > 0 && image.height > 0);
  OCTAVO_CHECK(image.channels == 3 || image.channels == 4);
  OCTAVO_CHECK(image.pixels.size() ==
               BasicImage<Sample>(image.width, image.height, image.channels).pixels.size());
  Writer writer;
  std::string file;
  if (!compress(writer, image, file)) throw FileError(path, "libpng could not compress it");
  write_file(path, file);
}

Image read(const std::filesystem::path& path, bool keep_opacity) {
  PngImage png;
  if (!png_image_begin_read_from_file(&png, path.c_str()))
    throw InputError("cannot read the picture '{}': {}", path.string(), png.message);
  if (1.0 * png.width * png.height > most_pixels)
    throw InputError("cannot read the picture '{}': {} x {} pixels are too many", path.string(),
                     png.width, png.height);
  const bool opacity = keep_opacity && (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  png.format = opacity ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height), opacity ? 4 : 3);
  const png_color black{};
  if (!png_image_finish_read(&png, opacity ? nullptr : &black, image.pixels.data(), 0, nullptr))
    throw InputError("cannot read the picture '{}': {}", path.string(), png.message);
  return image;
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) { write(path, image); }
void write_png(const std::filesystem::path& path, const Image16& image) { write(path, image); }

Image read_png(const std::filesystem::path& path) { return read(path, true); }
Image read_png_on_black(const std::filesystem::path& path) { return read(path, false); }

}  // namespace octavo
