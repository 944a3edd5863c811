#include "octavo/image/picture.h"

#include <algorithm>
#include <cmath>

#include "octavo/base/random.h"

namespace octavo {
namespace {

// Up to half a step of noise is added, so that the mean of many pixels is right between two steps as well; black
// and white stay what they are.
template <class Sample>
Sample quantised(float value, float noise) {
  constexpr auto top = static_cast<float>(static_cast<Sample>(~Sample{0}));
  const float x = value * top;
  if (!(x > 0)) return 0;
  return static_cast<Sample>(std::lround(std::clamp(x < top ? x + noise : x, 0.0f, top)));
}

template <class Sample>
BasicImage<Sample> shown_as(const Picture& picture, const Tone& tone) {
  BasicImage<Sample> image(picture.width, picture.height, tone.opacity ? 4 : 3);
  const float gain = static_cast<float>(std::exp2(tone.exposure));
  const Random random(1);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    const Picture::Pixel& p = picture.pixels[i];
    Sample* out = image.pixels.data() + i * static_cast<std::size_t>(image.channels);
    const float cover = tone.opacity && p.opacity > 0 ? p.opacity : 1;
    for (int c = 0; c < 3; ++c) {
      const auto channel = static_cast<std::uint32_t>(c);
      const auto noise = static_cast<float>(random.uniform(i, channel) - 0.5);
      out[c] = quantised<Sample>(srgb_encoded(tone_mapped(p.light[c] / cover * gain)), noise);
    }
    if (tone.opacity) out[3] = quantised<Sample>(p.opacity, 0);
  }
  return image;
}

}  // namespace

// Above the knee this is a rational curve whose slope begins with 1 and that meets 1 at `white`.
float tone_mapped(float light) {
  constexpr float knee = 0.8f, white = 4, room = 1 - knee, range = white - knee;
  if (!(light > knee)) return light > 0 ? light : 0;  // NaN is black
  if (light >= white) return 1;
  const float x = light - knee;
  return knee + x / (1 + x * (1 / room - 1 / range));
}

Image shown(const Picture& picture, const Tone& tone) {
  return shown_as<std::uint8_t>(picture, tone);
}
Image16 shown16(const Picture& picture, const Tone& tone) {
  return shown_as<std::uint16_t>(picture, tone);
}

}  // namespace octavo
