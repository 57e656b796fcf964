#pragma once

#include <string>

#include "../fd.h"

/** What each system does in its own way. */
namespace gates::front {

/** Real path of this executable; empty when the system does not tell. */
std::string ownPath();

/** Tells one start of the machine from another; empty when the system does not tell. */
std::string bootId();

/** When this process started, as the kernel counts it; tells a reused pid apart, as `store/in-flight.ts` reads it. */
std::string ownStart();

/** Whether a process can be made to end with the one that started it. */
bool canEndWithParent();
void endWithParent();

/** A file that has no name and that a program can be given as its input; none where the system has no such thing. */
Fd namelessFile();

}  // namespace gates::front
