#include "octavo/scene/nesting.h"

#include <gtest/gtest.h>

#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

std::string repeated(const std::string& what, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += what;
  return text;
}

template <class F>
std::string scene_error(F&& f) {
  try {
    f();
  } catch (const SceneError& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* deep = ": keys and brackets go more than 64 deep here";

TEST(Nesting, SaysWhereATextGoesTooDeep) {
  auto error = [](const std::string& text) {
    return scene_error([&] { require_shallow(text, "a.toml"); });
  };
  EXPECT_EQ(error("x = 1\n" + repeated("a.", 40000) + "a = 1"), "a.toml:2:130" + std::string(deep));
  EXPECT_EQ(error("[" + repeated("a.", 40000) + "a]"), "a.toml:1:129" + std::string(deep));
  EXPECT_EQ(error("x = " + repeated("[", 40000)), "a.toml:1:69" + std::string(deep));
  EXPECT_EQ(error("x = " + repeated("{ a = ", 40000)), "a.toml:1:389" + std::string(deep));
  EXPECT_EQ(error("x = " + repeated("{ a.b.c = ", 40000)), "a.toml:1:218" + std::string(deep));
  EXPECT_EQ(error(repeated("\"a\" . ", 40000) + "a = 1"), "a.toml:1:389" + std::string(deep));
}

// What is deep in a string or a comment is not deep, and what is behind it is seen.
TEST(Nesting, KnowsStringsAndComments) {
  const std::string dots = repeated(".", 100), brackets = repeated("[", 100);
  for (const std::string& quiet :
       {"# " + dots + "\n", "a = \"" + dots + "\\\"" + brackets + "\"\n",
        "a = '" + brackets + "\\'\n", "a = \"\"\"" + dots + "\n\"" + dots + "\\\"\"\" \"\"\"\"\"\n",
        "a = '''" + dots + "''" + dots + "'''''\n", std::string("a = \"\"\n"),
        std::string("a = [\n") + repeated("1.5,\n", 1000) + "]\n", repeated("a.b = 1.5\n", 1000),
        repeated("[[a.b]]\nc = {d = [1.0, 2.0]}\n", 1000)}) {
    EXPECT_FALSE(too_deep(quiet)) << quiet;
    EXPECT_TRUE(too_deep(quiet + dots)) << quiet;
    EXPECT_TRUE(too_deep(quiet + "x = [1.5, {" + dots)) << quiet;
  }
}

// Any text at all, cut off anywhere.
TEST(Nesting, TakesAnyText) {
  const std::string text = "a.b = [\"x\\\"\", '''y''', \"\"\"z\"\"\"] # c\n]}\\'\"";
  for (std::size_t from = 0; from < text.size(); ++from)
    for (std::size_t size = 0; size <= text.size() - from; ++size)
      EXPECT_FALSE(too_deep(std::string_view(text).substr(from, size)));
}

TEST(Nesting, OfKeysOnTheCommandLine) {
  auto error = [](const std::string& text) {
    return scene_error([&] { parse_scene("", "a.toml", ".", {text}); });
  };
  EXPECT_EQ(error(repeated("a.", 63) + "a=1").find("more than 64 deep"), std::string::npos);
  for (const std::string& text : {repeated("a.", 40000) + "a=1", "a=" + repeated("[", 40000),
                                  "a={" + repeated("a.", 40000) + "a=1}"}) {
    EXPECT_NE(error(text).find("more than 64 deep"), std::string::npos) << error(text);
    EXPECT_LT(error(text).size(), 200u);
  }
}

// Which would end the program otherwise.
TEST(Nesting, OfSceneFiles) {
  for (const std::string& text :
       {repeated("a.", 40000) + "a = 1", "[" + repeated("a.", 40000) + "a]",
        "a = " + repeated("[", 40000)})
    EXPECT_NE(scene_error([&] { parse_scene(text, "a.toml", "."); }).find("64 deep"),
              std::string::npos);
}

}  // namespace
}  // namespace octavo
