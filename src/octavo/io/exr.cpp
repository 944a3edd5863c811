#include "octavo/io/exr.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfDoubleAttribute.h>
#include <OpenEXR/ImfFloatAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfIntAttribute.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "octavo/base/build_info.h"
#include "octavo/base/parallel.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/png.h"

namespace octavo {
namespace {

constexpr std::array<const char*, 4> channels{"R", "G", "B", "A"};

// This holds the file as it grows. OpenEXR goes back to fill in a table of offsets.
class StringStream : public Imf::OStream {
 public:
  StringStream() : Imf::OStream("memory") {}

  void write(const char bytes[], int count) override {
    const std::size_t end = at_ + static_cast<std::size_t>(count);
    if (end > text.size()) text.resize(end);
    std::copy(bytes, bytes + count, text.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = end;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t position) override { at_ = position; }

  std::string text;

 private:
  std::size_t at_ = 0;
};

half half_of(float value) {
  constexpr float largest = 65504;
  return std::isnan(value) ? half(0.0f) : half(std::clamp(value, -largest, largest));
}

std::vector<half> halves_of(const ExrView& image) {
  std::vector<half> halves(image.rgba.size());
  parallel_for("round to halves", halves.size(),
               [&](std::size_t i) { halves[i] = half_of(image.rgba[i]); });
  return halves;
}

Imf::Header header_of(const ExrView& image, const ExrAttributes& attributes) {
  Imf::Header header(image.width, image.height);
  header.compression() = Imf::ZIP_COMPRESSION;
  for (const char* name : channels) header.channels().insert(name, Imf::Channel(Imf::HALF));
  Imf::addChromaticities(header, Imf::Chromaticities());  // those of Rec. 709, which are sRGB's
  Imf::addComments(header, "linear light, premultiplied");
  header.insert("software", Imf::StringAttribute(fmt::format("octavo {}", build_info().version)));
  for (const auto& [name, value] : attributes) {
    if (const auto* text = std::get_if<std::string>(&value))
      header.insert(name, Imf::StringAttribute(*text));
    else
      header.insert(name, Imf::DoubleAttribute(std::get<double>(value)));
  }
  return header;
}

// OpenEXR finds here, or puts here, the numbers of the pixels of a box whose first corner is not always zero.
template <class Number>
Imf::FrameBuffer frame_buffer(Imf::PixelType type, Number* numbers, const Imath::Box2i& box) {
  const std::size_t pixel = 4 * sizeof(Number);
  const std::size_t row = pixel * static_cast<std::size_t>(box.max.x - box.min.x + 1);
  Imf::FrameBuffer buffer;
  for (std::size_t c = 0; c < channels.size(); ++c)
    buffer.insert(channels[c],
                  Imf::Slice::Make(type, numbers + c, box, pixel, row, 1, 1, c == 3 ? 1.0 : 0.0));
  return buffer;
}

std::string compressed(const ExrView& image, const ExrAttributes& attributes) {
  std::vector<half> numbers = halves_of(image);
  StringStream stream;
  {
    const Imf::Header header = header_of(image, attributes);
    Imf::OutputFile file(stream, header);
    file.setFrameBuffer(frame_buffer(Imf::HALF, numbers.data(), header.dataWindow()));
    file.writePixels(image.height);
  }
  return std::move(stream.text);
}

ExrAttributes attributes_of(const Imf::Header& header) {
  ExrAttributes found;
  for (auto at = header.begin(); at != header.end(); ++at) {
    if (const auto* text = dynamic_cast<const Imf::StringAttribute*>(&at.attribute()))
      found[at.name()] = text->value();
    if (const auto* number = dynamic_cast<const Imf::DoubleAttribute*>(&at.attribute()))
      found[at.name()] = number->value();
    if (const auto* number = dynamic_cast<const Imf::FloatAttribute*>(&at.attribute()))
      found[at.name()] = static_cast<double>(number->value());
    if (const auto* number = dynamic_cast<const Imf::IntAttribute*>(&at.attribute()))
      found[at.name()] = static_cast<double>(number->value());
  }
  return found;
}

// OpenEXR has memory for some rows, and for their places in the file, before we have seen the header.
void limit_headers() {
  constexpr int longest = 1 << 16;
  static const bool limited = (Imf::Header::setMaxImageSize(longest, longest),
                               Imf::Header::setMaxTileSize(longest, longest), true);
  static_cast<void>(limited);
}

void require_readable(const Imf::Header& header) {
  const Imath::Box2i& box = header.dataWindow();
  const double width = 1.0 + box.max.x - box.min.x, height = 1.0 + box.max.y - box.min.y;
  if (width * height > most_pixels) throw InputError("{} x {} pixels are too many", width, height);
  for (std::size_t c = 0; c < 3; ++c) {
    const Imf::Channel* channel = header.channels().findChannel(channels[c]);
    if (channel == nullptr) throw InputError("it has no channel {}", channels[c]);
    if (channel->xSampling != 1 || channel->ySampling != 1)
      throw InputError("its channel {} is not there for each pixel", channels[c]);
  }
}

}  // namespace

void write_exr(const std::filesystem::path& path, const ExrView& image,
               const ExrAttributes& attributes) {
  OCTAVO_CHECK(image.width > 0 && image.height > 0);
  OCTAVO_CHECK(image.rgba.size() ==
               4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  write_file(path, compressed(image, attributes));
}

ExrImage read_exr(const std::filesystem::path& path) {
  require_file(path, "picture");
  limit_headers();
  try {
    Imf::InputFile file(path.c_str());
    require_readable(file.header());
    const Imath::Box2i box = file.header().dataWindow();
    ExrImage image;
    image.width = box.max.x - box.min.x + 1;
    image.height = box.max.y - box.min.y + 1;
    image.rgba.resize(4 * static_cast<std::size_t>(image.width) *
                      static_cast<std::size_t>(image.height));
    file.setFrameBuffer(frame_buffer(Imf::FLOAT, image.rgba.data(), box));
    file.readPixels(box.min.y, box.max.y);
    image.attributes = attributes_of(file.header());
    return image;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // OpenEXR's own kinds of them begin here
    throw InputError("cannot read the picture '{}': {}", path.string(), e.what());
  }
}

}  // namespace octavo
