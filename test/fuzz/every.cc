#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "front.h"
#include "fuzz.h"

/**
 * `standalone every certificate|sealed|payload <file> <step>` runs on the file, on its beginnings, and on it with one byte changed in
 * each of nine ways, for every byte or for one out of so many. For what the front would not leave to Node it prints a line: number of the input, a tab, the call that it read.
 */
namespace {

/** In the order of `damagesOf` in native.test.ts. */
std::vector<std::string> damages(const std::string& text, size_t step) {
  std::vector<std::string> all = {text};
  for (size_t at = 0; at < text.size(); at += step) {
    all.push_back(text.substr(0, at));
    for (const int mask : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      all.push_back(text);
      all.back()[at] = static_cast<char>(all.back()[at] ^ mask);
    }
  }
  return all;
}

std::string answerTo(const std::string& kind, const std::string& text) {
  // A copy of its own size, so that one byte too far is a byte of somebody else.
  const std::vector<uint8_t> bytes(text.begin(), text.end());
  const gates::Bytes input{bytes.data(), bytes.size()};
  if (kind == "payload") return fuzz::callOf(input);
  return fuzz::isHeld(input) ? "held" : "";
}

}  // namespace

void fuzz::every(const std::string& kind, const char* path, size_t step) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (kind == "sealed") text.resize(text.size() - 20);
  size_t number = 0;
  for (const std::string& damaged : damages(text, step)) {
    const std::string answer = answerTo(kind, kind == "sealed" ? fuzz::sealed(damaged) : damaged);
    if (!answer.empty()) std::cout << number << "\t" << answer << "\n";
    number++;
  }
}
