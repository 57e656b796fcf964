#include "fuzz.h"
#include "handed_scan.h"

namespace fuzz {

void scan(Bytes input) {
  gates::HandedScan read;
  if (gates::decodeScan(input, read).ok()) check(gates::encodeScan(read) == input.view(), "a scan is written as it was read");

  gates::HandedScan made;
  for (std::string* text : {&made.root, &made.index, &made.table, &made.patch}) *text = takeShort(input).view();
  while (input.size > 0) made.found.push_back({std::string(takeShort(input).view()), gates::Row{}});
  const std::string bytes = gates::encodeScan(made);
  gates::HandedScan again;
  check(gates::decodeScan(gates::bytesOf(bytes), again).ok() && gates::encodeScan(again) == bytes, "a scan that was written can be read");
  check(!gates::decodeScan(gates::bytesOf(bytes.substr(0, bytes.size() - 1)), again).ok(), "one that is cut off cannot");
}

}  // namespace fuzz
