// Any bytes as a checkpoint. Those that begin with an even byte are the rest of it as they are. The others
// describe what an archive holds: it is made, with the right checksum, and only then read, so that numbers
// and arrays that contradict each other get past it.

#include <unistd.h>

#include <cstring>

#include "octavo/output/checkpoint.h"
#include "octavo/output/checkpoint_grid.h"
#include "octavo/smoke/smoke.h"

namespace {

using namespace octavo;

// Takes values from the bytes as long as there are any, then zeros.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t n = std::min(sizeof(T), size_);
    if (n > 0) std::memcpy(&value, data_, n);
    data_ += n;
    size_ -= n;
    return value;
  }
  std::string text() {
    std::string t(take<std::uint8_t>(), '\0');
    for (char& c : t) c = take<char>();
    return t;
  }
  bool any() const { return size_ > 0; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

SmokeParameters<2> parameters() {
  SmokeParameters<2> p;
  p.refinement.min_level = 1;
  p.refinement.max_level = 3;
  p.scalars = {{.name = "color"}};
  return p;
}

// Begins with a good one; then each of the bytes says what is changed.
void add_array(ArchiveWriter& out, const std::string& name, View<const float> good, Choices& from) {
  const auto choice = from.take<std::uint8_t>();
  Buffer<float> values(good.size());
  std::copy(good.begin(), good.end(), values.begin());
  if (choice == 1) return;
  if (choice == 2) values.resize(from.take<std::uint8_t>());
  if (choice == 2)
    for (float& v : values) v = from.take<float>();
  if (choice == 3 && values.size() > 0)
    values[from.take<std::uint8_t>() % values.size()] = from.take<float>();
  if (choice == 4) {
    out.add_text(name, from.text());
    return;
  }
  out.add_array(name, std::as_const(values).view());
}

template <class T>
void add_number(ArchiveWriter& out, const std::string& name, T good, Choices& from) {
  const auto choice = from.take<std::uint8_t>();
  if (choice == 1) return;
  if (choice == 2) return out.add_text(name, from.text());
  out.add_number(name, choice == 3 ? from.take<T>() : good);
}

// As programs of today write it, or as earlier ones did.
void write_made_up(const std::filesystem::path& path, const Smoke<2>& smoke, bool earlier,
                   Choices& from) {
  const SavedState<2> s = smoke.state();
  const char* kind = earlier ? "octavo smoke checkpoint 1" : "octavo checkpoint 2";
  ArchiveWriter out;
  out.add_text("kind", from.take<std::uint8_t>() == 1 ? from.text() : kind);
  out.add_text("program", from.text());
  SceneRecord scene;
  scene.values = {{"domain.size", "[ 1.0, 1.0 ]"}, {"scalar[0].name", "'color'"}};
  out.add_text("scene", from.take<std::uint8_t>() == 1 ? from.text() : scene.text());
  add_number(out, "dimensions", std::int64_t{2}, from);
  for (const char* name : {"frame", "substep", "substeps"})
    add_number(out, name, std::int64_t{0}, from);
  add_number(out, "steps", std::uint64_t{0}, from);
  for (const char* name : {"dt", "time"}) add_number(out, name, 0.0, from);
  std::string names;
  for (const SavedNumber& n : s.numbers) {
    add_number(out, (earlier ? "" : "number ") + n.name, n.value, from);
    names += n.name + "\n";
  }
  std::vector<std::uint64_t> keys(s.leaves.size());
  std::memcpy(keys.data(), s.leaves.data(), keys.size() * sizeof(std::uint64_t));
  const auto choice = from.take<std::uint8_t>();
  if (choice == 1) keys.resize(from.take<std::uint8_t>());
  if (choice == 1 || choice == 2)
    for (std::uint64_t& key : keys) key ^= from.take<std::uint64_t>();
  out.add_array("leaves", View<const std::uint64_t>(keys.data(), keys.size()));
  std::string arrays;
  for (const SavedArray& a : s.arrays) {
    const std::string entry = !earlier            ? "array " + a.name
                              : a.name == "color" ? "scalar 0"
                                                  : a.name;
    add_array(out, entry, s.array<float>(a.name), from);
    arrays += "float " + a.name + "\n";
  }
  if (!earlier) {
    out.add_text("simulation", from.take<std::uint8_t>() == 1 ? from.text() : "smoke");
    out.add_text("numbers", from.take<std::uint8_t>() == 1 ? from.text() : names);
    out.add_text("arrays", from.take<std::uint8_t>() == 1 ? from.text() : arrays);
  }
  out.commit(path);
}

void read(const ArchiveReader& archive, Smoke<2>& smoke) {
  const CheckpointHeader header = read_checkpoint_header(archive);
  try {
    checkpoint_grid(archive);
  } catch (const InputError&) {
  }
  smoke.restore(StoredState<2>(archive, header).state());
  smoke.step(0.1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Smoke<2> smoke(Domain<2>{}, parameters());
  try {
    if (data[0] % 2 == 0) {
      read(ArchiveReader({data + 1, size - 1}, "fuzz.h5"), smoke);
    } else {
      static const auto path =
          std::filesystem::temp_directory_path() / fmt::format("octavo-fuzz-{}.h5", getpid());
      Choices from(data + 1, size - 1);
      write_made_up(path, smoke, data[0] % 4 == 1, from);
      read(ArchiveReader(path), smoke);
    }
  } catch (const InputError&) {
  } catch (const SimulationError&) {
  }
  return 0;
}
