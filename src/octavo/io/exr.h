#pragma once

// OpenEXR files hold pictures in linear light, as compositing programs take them.
//
//   write_exr("image/plume.0001.exr", {width, height, rgba}, {{"frame", 1.0}, {"camera", "front"}});
//
// Channels are half floats, compressed without loss (ZIP). Other programs find the primaries of sRGB and who
// wrote the file in its header.

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "octavo/base/buffer.h"

namespace octavo {

// These are further entries of the header.
using ExrAttributes = std::map<std::string, std::variant<std::string, double>>;

// Each pixel has four numbers: red, green, blue, multiplied by opacity already, and opacity; row stands after row,
// the top row first.
struct ExrView {
  int width = 0, height = 0;
  View<const float> rgba;
};
struct ExrImage {
  int width = 0, height = 0;
  std::vector<float> rgba;
  ExrAttributes attributes{};

  ExrView view() const { return {width, height, {rgba.data(), rgba.size()}}; }
};

// Numbers beyond those of a half become the largest of them, 65504, and what is no number becomes 0: one such
// pixel would spread through every filter of a compositing program. Throws FileError.
void write_exr(const std::filesystem::path& path, const ExrView& image,
               const ExrAttributes& attributes = {});

// It reads the part of the picture that the file holds (its data window), with opacity 1 if it has none. Attributes
// are those that are a text or a number. Throws InputError, also if there is no R, G or B.
ExrImage read_exr(const std::filesystem::path& path);

}  // namespace octavo
