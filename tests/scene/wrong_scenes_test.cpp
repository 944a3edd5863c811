// Scenes that are wrong, each with what must be said about it: place, sentence and what is allowed.

#include <gtest/gtest.h>

#include <fstream>

#include "octavo/scene/problems.h"
#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

struct WrongScene {
  std::string name, text, says;
  std::vector<std::string> set;
};

void PrintTo(const WrongScene& s, std::ostream* out) { *out << s.name; }

std::vector<WrongScene> wrong_scenes() {
  std::vector<WrongScene> all;
  std::ifstream file(OCTAVO_SCENE_TESTS "/wrong_scenes.txt");
  bool says = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      all.push_back({line.substr(4), "", "", {}});
      says = false;
    } else if (line.starts_with("--- set ")) {
      all.back().set.push_back(line.substr(8));
    } else if (line == "--- says") {
      says = true;
    } else if (!all.empty() && says) {
      all.back().says += (all.back().says.empty() ? "" : "\n") + line;
    } else if (!all.empty()) {
      all.back().text += line + "\n";
    }
  }
  return all;
}

// Messages name the whole path of a file.
std::string without(std::string text, const std::string& folder) {
  for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
    text.erase(at, folder.size());
  return text;
}

class WrongSceneTest : public testing::TestWithParam<WrongScene> {};

TEST_P(WrongSceneTest, IsRefusedWithItsPlace) {
  const WrongScene& wrong = GetParam();
  try {
    parse_scene(wrong.text, "a.toml", OCTAVO_SCENE_TESTS, wrong.set);
    FAIL() << "nothing was said";
  } catch (const SceneError& e) {
    EXPECT_EQ(without(e.what(), OCTAVO_SCENE_TESTS "/"), wrong.says);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, WrongSceneTest, testing::ValuesIn(wrong_scenes()),
                         [](const auto& scene) { return scene.param.name; });

TEST(WrongScenes, ThereAreEnough) { EXPECT_GE(wrong_scenes().size(), 60u); }

}  // namespace
}  // namespace octavo
