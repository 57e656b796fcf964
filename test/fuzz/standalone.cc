#include <sanitizer/common_interface_defs.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "front.h"
#include "fuzz.h"

/**
 * `standalone <target> <seed> <rounds> <file>...` runs a target on each file, and on that many damaged mixtures of them.
 * It needs no fuzzing engine, so it runs wherever the sanitizers do. The same seed damages the same way.
 */
namespace {

using Random = std::mt19937_64;

const std::map<std::string, fuzz::Target> kTargets = {
    {"index", fuzz::index},           {"table", fuzz::table},     {"tree", fuzz::tree},            {"ident", fuzz::ident},
    {"certificate", fuzz::certificate}, {"payload", fuzz::payload}, {"transcript", fuzz::transcript},
    {"digest", fuzz::digest},           {"scan", fuzz::scan}};

size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

/** One damage: a flipped bit, another byte, a cut, a repeated or a foreign piece. */
void damage(Random& random, std::string& text, const std::string& other) {
  const size_t at = below(random, text.size());
  switch (below(random, 6)) {
    case 0:
      if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
      break;
    case 1:
      if (!text.empty()) text[at] = static_cast<char>(below(random, 2) == 0 ? 0xff : below(random, 256));
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      text.erase(at, below(random, 64));
      break;
    case 4:
      text.insert(at, text.substr(below(random, text.size()), below(random, 64)));
      break;
    default:
      text.insert(at, other.substr(below(random, other.size()), below(random, 256)));
  }
}

size_t inputsRun = 0;

/** Called by the sanitizers before they end the process. */
void tellWhere() { std::cerr << "at input " << inputsRun << "\n"; }

void runOn(fuzz::Target target, const std::string& text) {
  inputsRun++;
  // A copy of its own size, so that one byte too far is a byte of somebody else.
  const std::vector<uint8_t> bytes(text.begin(), text.end());
  target({bytes.data(), bytes.size()});
}

}  // namespace

int main(int count, char** words) {
  if (count == 5 && std::string(words[1]) == "every") {
    fuzz::every(words[2], words[3], std::stoull(words[4]));
    return 0;
  }
  const auto target = count > 4 ? kTargets.find(words[1]) : kTargets.end();
  if (target == kTargets.end()) {
    std::cerr << "standalone <target> <seed> <rounds> <file>...\n";
    return 2;
  }
  std::vector<std::string> seeds;
  for (int i = 4; i < count; i++) {
    std::ifstream file(words[i], std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  __sanitizer_set_death_callback(tellWhere);
  for (const std::string& text : seeds) runOn(target->second, text);

  Random random(std::stoull(words[2]));
  for (size_t rounds = std::stoull(words[3]); rounds > 0; rounds--) {
    std::string text = seeds[below(random, seeds.size())];
    for (size_t times = 1 + below(random, 6); times > 0; times--) damage(random, text, seeds[below(random, seeds.size())]);
    runOn(target->second, text);
  }
}
