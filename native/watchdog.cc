#include "watchdog.h"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace gates {

namespace {

/** What the thread waits for; everything is guarded by the lock. */
struct Watch {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  bool hasThread = false;
  bool isOn = false;
  timespec end{};
  std::string text;
};

Watch& watch() {
  static Watch watch;
  return watch;
}

timespec inMilliseconds(unsigned milliseconds) {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += milliseconds / 1000;
  time.tv_nsec += static_cast<long>(milliseconds % 1000) * 1'000'000;
  if (time.tv_nsec >= 1'000'000'000) {
    time.tv_sec += 1;
    time.tv_nsec -= 1'000'000'000;
  }
  return time;
}

bool isOver(const timespec& end) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

/** The lock is never given back, so whoever wants to answer at this moment waits for the end. */
[[noreturn]] void endProcess(const std::string& text) {
  size_t at = 0;
  while (at < text.size()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) at += static_cast<size_t>(written);
  }
  ::_exit(0);
}

void* runWatch(void*) {
  Watch& own = watch();
  ::pthread_mutex_lock(&own.lock);
  for (;;) {
    if (own.isOn && isOver(own.end)) endProcess(own.text);
    if (own.isOn) {
      const timespec end = own.end;
      ::pthread_cond_timedwait(&own.changed, &own.lock, &end);
    } else {
      ::pthread_cond_wait(&own.changed, &own.lock);
    }
  }
}

}  // namespace

Status startWatchdog(unsigned milliseconds, std::string text) {
  Watch& own = watch();
  ::pthread_mutex_lock(&own.lock);
  own.end = inMilliseconds(milliseconds);
  own.text = std::move(text);
  own.isOn = true;
  int error = 0;
  if (!own.hasThread) {
    pthread_t thread{};
    error = ::pthread_create(&thread, nullptr, runWatch, nullptr);
    own.hasThread = error == 0;
    if (own.hasThread) ::pthread_detach(thread);
  }
  ::pthread_cond_signal(&own.changed);
  ::pthread_mutex_unlock(&own.lock);
  return error == 0 ? Status{} : fail(error, "pthread_create", "");
}

void stopWatchdog() {
  Watch& own = watch();
  ::pthread_mutex_lock(&own.lock);
  own.isOn = false;
  ::pthread_cond_signal(&own.changed);
  ::pthread_mutex_unlock(&own.lock);
}

}  // namespace gates
