#include "octavo/io/movie.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "file_size_limit.h"
#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/io/child_process.h"
#include "octavo/io/files.h"
#include "octavo/io/png.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

Image plain(int width, int height, std::array<std::uint8_t, 3> color, int channels = 3) {
  Image image(width, height, channels);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) std::copy(color.begin(), color.end(), image.at(x, y));
  return image;
}

Image noisy_picture(int width, int height) {
  Image image(width, height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint8_t>(Random(1).bits(i));
  return image;
}

std::string quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// What a program prints.
std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

// Frames that can be decoded, and what ffprobe says of the stream: width, height, ...
std::string probed(const fs::path& movie, const std::string& entries) {
  return output_of(
      "ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0 -show_entries stream=" +
      entries + " " + quoted(movie));
}

// The pixels of all frames, each as one colour.
std::vector<std::array<int, 3>> colors(const fs::path& movie) {
  const std::string raw =
      output_of("ffmpeg -v error -i " + quoted(movie) +
                " -vf scale=1:1:in_color_matrix=bt709:flags=area -f rawvideo -pix_fmt rgb24 -");
  std::vector<std::array<int, 3>> found;
  for (std::size_t i = 0; i + 2 < raw.size(); i += 3)
    found.push_back({static_cast<std::uint8_t>(raw[i]), static_cast<std::uint8_t>(raw[i + 1]),
                     static_cast<std::uint8_t>(raw[i + 2])});
  return found;
}

std::string movie_message(const fs::path& path, const Paths& pictures,
                          const MovieOptions& options = {}) {
  try {
    write_movie(path, pictures, options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

// Each frame has a colour of its own: none is lost, doubled, or at another's place.
TEST(Movie, HasEveryPictureOnceInItsOrder) {
  TemporaryFolder folder;
  Paths pictures;
  std::vector<std::array<std::uint8_t, 3>> wanted;
  for (int i = 0; i < 31; ++i) {
    wanted.push_back({static_cast<std::uint8_t>(8 * i), static_cast<std::uint8_t>(255 - 8 * i),
                      static_cast<std::uint8_t>(60 + (i * 53) % 120)});
    pictures.push_back(folder / fmt::format("{}.png", i));
    write_png(pictures.back(), plain(64, 48, wanted.back()));
  }
  ASSERT_TRUE(write_movie(folder / "movie.mp4", pictures, {.fps = 25}));
  EXPECT_EQ(
      probed(folder / "movie.mp4", "codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames"),
      "h264,64,48,yuv420p,25/1,31\n");
  const auto found = colors(folder / "movie.mp4");
  ASSERT_EQ(found.size(), 31u);
  for (std::size_t i = 0; i < 31; ++i)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(found[i][c], wanted[i][c], 4) << i << ' ' << c;
  const std::string file = read_text(folder / "movie.mp4");  // its index comes first, for the web
  EXPECT_LT(file.find("moov"), file.find("mdat"));
}

TEST(Movie, OddSizesGetOneMoreRowAndColumn) {
  TemporaryFolder folder;
  for (const auto& [width, height] : {std::pair{33, 21}, {1, 1}, {34, 21}, {33, 20}}) {
    write_png(folder / "a.png", plain(width, height, {200, 30, 30}));
    write_movie(folder / "movie.mp4", {folder / "a.png", folder / "a.png"}, {.fps = 23.976});
    EXPECT_EQ(probed(folder / "movie.mp4", "width,height,nb_read_frames"),
              fmt::format("{},{},2\n", width + width % 2, height + height % 2));
    for (const auto& c : colors(folder / "movie.mp4")) EXPECT_NEAR(c[0], 200, 4);  // no black rim
  }
}

// No shell and no protocol of ffmpeg's sees the names.
TEST(Movie, NamesAreTakenAsTheyAre) {
  TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  for (const char* name : {"with space", "it's \"quoted\" $HOME", "-y", "http:x", "%04d", "a\nb"}) {
    const fs::path picture = std::string(name) + ".png", movie = std::string(name) + ".mp4";
    write_png(picture, plain(16, 16, {9, 9, 9}));
    EXPECT_EQ(movie_message(movie, {picture}), "no error") << name;
    EXPECT_TRUE(fs::exists(movie));
    EXPECT_EQ(probed(fs::absolute(movie), "nb_read_frames"), "1\n") << name;
    fs::remove(movie);
    fs::remove(picture);
  }
  EXPECT_EQ(folder.file_count(), 0u);
  fs::current_path(before);
}

TEST(Movie, OpacityIsShownOnBlack) {
  TemporaryFolder folder;
  write_png(folder / "a.png", plain(16, 16, {255, 255, 255}, 4));  // opacity 0 everywhere
  write_movie(folder / "movie.mp4", {folder / "a.png"});
  const std::array<int, 3> color = colors(folder / "movie.mp4").at(0);
  for (const int c : color) EXPECT_NEAR(c, 0, 2);
}

TEST(Movie, RefusesWhatIsNoMovie) {
  TemporaryFolder folder;
  write_png(folder / "a.png", plain(16, 16, {1, 2, 3}));
  write_png(folder / "b.png", plain(16, 18, {1, 2, 3}));
  put_text(folder / "text.png", "no picture");
  const fs::path a = folder / "a.png", movie = folder / "movie.mp4";
  EXPECT_THROW(write_movie(movie, {}), InputError);
  EXPECT_THROW(write_movie(movie, {a}, {.fps = 0}), InputError);
  EXPECT_THROW(write_movie(movie, {a}, {.fps = NAN}), InputError);
  EXPECT_THROW(write_movie(movie, {a, folder / "text.png"}), InputError);
  EXPECT_THROW(write_movie(movie, {a, folder / "none.png"}), InputError);
  EXPECT_THROW(write_movie(movie, {a, folder / "b.png"}), InputError);
  EXPECT_NE(movie_message(movie, {a, folder / "b.png"}).find("16 x 18"), std::string::npos);
  EXPECT_THROW(write_movie(folder / "missing/movie.mp4", {a}), FileError);
  EXPECT_EQ(folder.file_count(), 3u);
}

// Whatever goes wrong, be it in the last byte, the movie from before stays, and nothing else.
TEST(Movie, IsCompleteOrNotThere) {
  TemporaryFolder folder;
  write_png(folder / "a.png", noisy_picture(320, 240));
  const Paths pictures(20, folder / "a.png");
  const fs::path movie = folder / "movie.mp4";
  write_movie(movie, pictures);
  const auto size = static_cast<rlim_t>(fs::file_size(movie));
  put_text(movie, "old");
  for (const rlim_t bytes : {rlim_t{1000}, size / 2, size - 1000, size - 1}) {
    std::string message;
    {
      const FileSizeLimit limit(bytes);
      message = movie_message(movie, pictures);
    }
    EXPECT_NE(message.find("ffmpeg failed: "), std::string::npos) << message;
    EXPECT_NE(message.find("File too large"), std::string::npos) << message;
    EXPECT_TRUE(read_text(movie) == "old") << bytes;
    EXPECT_EQ(folder.file_count(), 2u);
  }
  int asked = 0;
  EXPECT_FALSE(write_movie(movie, pictures, {.stopped = [&] { return ++asked > 3; }}));
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(read_text(movie), "old");
  EXPECT_EQ(folder.file_count(), 2u);
}

TEST(Movie, SaysThatFfmpegIsMissing) {
  TemporaryFolder folder;
  write_png(folder / "a.png", plain(16, 16, {1, 2, 3}));
  const std::string path = std::getenv("PATH");
  for (const char* other : {"", "/nowhere"}) {
    setenv("PATH", other, 1);
    const std::string message = movie_message(folder / "movie.mp4", {folder / "a.png"});
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(message.find("apt install ffmpeg"), std::string::npos) << message;
  }
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(ChildProcess, ReadsWhatItIsGivenAndSaysHowItEnds) {
  TemporaryFolder folder;
  const std::string large(3 << 20, 'x');
  ChildProcess copy("dd", {"of=" + (folder / "copy").string(), "status=none"});
  EXPECT_TRUE(copy.write(large));
  EXPECT_TRUE(copy.finish().well());
  EXPECT_EQ(read_text(folder / "copy"), large);

  ChildProcess talks("sh", {"-c", "yes complaint | head -c 1000000 >&2; exit 7"});
  const ChildEnd end = talks.finish();  // more than a pipe holds
  EXPECT_EQ(end.code, 7);
  EXPECT_EQ(end.errors.size(), 1000000u);

  ChildProcess deaf("true", {});
  while (deaf.write(large)) {
  }  // and we are still here
  EXPECT_TRUE(deaf.finish().well());

  ChildProcess killed("sh", {"-c", "kill -9 $$"});
  EXPECT_EQ(killed.finish().code, -1);
  { ChildProcess forgotten("sleep", {"1000"}); }
  EXPECT_THROW(ChildProcess("no-such-program-here", {}), std::system_error);
}

}  // namespace
}  // namespace octavo
