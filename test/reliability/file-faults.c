/*
 * Preloaded into a hook: counts its file operations below some folders, and at one of them fails, waits or dies.
 *
 *   GATE_FAULT_UNDER   folders, separated by colons; operations elsewhere neither count nor fail
 *   GATE_FAULT         <n>:<errno>   the n-th operation fails
 *                      <n>+:<errno>  so does every later one that writes
 *                      <n>:kill      SIGKILL right before the n-th operation
 *                      <n>:hang      the n-th operation takes two minutes
 *                      delay:<us>    every operation takes so much longer
 *   GATE_FAULT_LOG     file that gets a line per operation: its name, a tab, its path
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static const char *under;
static int log_fd = -1;
static long fail_at;
static int fail_with, fails_on, kills, hangs;
static useconds_t delay_us;
static atomic_long operations;

__attribute__((constructor)) static void start(void) {
  under = getenv("GATE_FAULT_UNDER");
  const char *log = getenv("GATE_FAULT_LOG");
  if (log != NULL) log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *fault = getenv("GATE_FAULT");
  /* A git that the hook starts works as ever. */
  unsetenv("LD_PRELOAD");
  if (fault == NULL) return;
  if (strncmp(fault, "delay:", 6) == 0) {
    delay_us = (useconds_t)atol(fault + 6);
    return;
  }
  char *rest;
  fail_at = strtol(fault, &rest, 10);
  fails_on = *rest == '+';
  rest += fails_on + 1;
  kills = strcmp(rest, "kill") == 0;
  hangs = strcmp(rest, "hang") == 0;
  fail_with = atoi(rest);
}

static int is_under(const char *path) {
  for (const char *folder = under; folder != NULL && *folder != '\0';) {
    const size_t length = strcspn(folder, ":");
    if (length > 0 && strncmp(path, folder, length) == 0) return 1;
    folder += length;
    if (*folder == ':') folder++;
  }
  return 0;
}

static void name_descriptor(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long size = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX);
  path[size < 0 ? 0 : size] = '\0';
}

static void name_path(int directory, const char *name, char *path) {
  if (name[0] == '/') {
    snprintf(path, PATH_MAX, "%s", name);
    return;
  }
  char folder[PATH_MAX + 1];
  if (directory != AT_FDCWD) name_descriptor(directory, folder);
  else if (getcwd(folder, PATH_MAX) == NULL) folder[0] = '\0';
  snprintf(path, PATH_MAX, "%.2000s/%.2000s", folder, name);
}

static int reach(const char *operation, const char *path, int writes) {
  if (!is_under(path)) return 0;
  const long n = atomic_fetch_add(&operations, 1) + 1;
  if (delay_us > 0) usleep(delay_us);
  if (log_fd >= 0) dprintf(log_fd, "%s\t%s\n", operation, path);
  if (fail_at == 0 || n < fail_at || (n > fail_at && !(fails_on && writes))) return 0;
  if (kills) raise(SIGKILL);
  if (hangs) return sleep(120), 0;
  errno = fail_with;
  return 1;
}

static int at_fd(const char *operation, int fd, int writes) {
  if (under == NULL) return 0;
  char path[PATH_MAX + 1];
  name_descriptor(fd, path);
  return reach(operation, path, writes);
}

static int at_path(const char *operation, int directory, const char *name, int writes) {
  if (under == NULL || name == NULL) return 0;
  char path[PATH_MAX + 1];
  name_path(directory, name, path);
  return reach(operation, path, writes);
}

static int writes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }

static mode_t mode_of(int flags, va_list rest) { return flags & O_CREAT ? va_arg(rest, mode_t) : 0; }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    const mode_t mode = mode_of(flags, rest); \
    va_end(rest); \
    return at_path(writes(flags) ? "create" : "open", AT_FDCWD, path, writes(flags)) ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int directory, const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    const mode_t mode = mode_of(flags, rest); \
    va_end(rest); \
    return at_path(writes(flags) ? "create" : "open", directory, path, writes(flags)) ? -1 \
                                                                                      : real(directory, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

#define BY_FD(type, name, operation, writing, parameters, arguments) \
  type name parameters { \
    REAL(name); \
    return at_fd(operation, fd, writing) ? (type)-1 : real arguments; \
  }
BY_FD(ssize_t, read, "read", 0, (int fd, void *to, size_t size), (fd, to, size))
BY_FD(ssize_t, pread64, "read", 0, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
BY_FD(ssize_t, readv, "read", 0, (int fd, const struct iovec *to, int count), (fd, to, count))
BY_FD(ssize_t, pwrite64, "write", 1, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
BY_FD(ssize_t, writev, "write", 1, (int fd, const struct iovec *from, int count), (fd, from, count))
BY_FD(int, fsync, "fsync", 1, (int fd), (fd))
BY_FD(int, ftruncate64, "truncate", 1, (int fd, off64_t size), (fd, size))
BY_FD(int, fchmod, "chmod", 1, (int fd, mode_t mode), (fd, mode))
BY_FD(int, fchown, "chown", 1, (int fd, uid_t user, gid_t group), (fd, user, group))
BY_FD(int, flock, "lock", 0, (int fd, int operation), (fd, operation))
BY_FD(int, fstat64, "stat", 0, (int fd, struct stat64 *to), (fd, to))

/* A full disk takes what still fits. */
ssize_t write(int fd, const void *from, size_t size) {
  REAL(write);
  if (!at_fd("write", fd, 1)) return real(fd, from, size);
  const int error = errno;
  if (size > 1) real(fd, from, size / 2);
  errno = error;
  return -1;
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset) {
  REAL(mmap64);
  return fd >= 0 && at_fd("map", fd, 0) ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

int ioctl(int fd, unsigned long request, ...) {
  REAL(ioctl);
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return at_fd("ioctl", fd, 1) ? -1 : real(fd, request, argument);
}

#define BY_PATH(type, failed, name, operation, writing, directory, path, parameters, arguments) \
  type name parameters { \
    REAL(name); \
    return at_path(operation, directory, path, writing) ? failed : real arguments; \
  }
BY_PATH(int, -1, rename, "rename", 1, AT_FDCWD, from, (const char *from, const char *to), (from, to))
BY_PATH(int, -1, renameat, "rename", 1, directory, from, (int directory, const char *from, int other, const char *to),
        (directory, from, other, to))
BY_PATH(int, -1, link, "link", 1, AT_FDCWD, to, (const char *from, const char *to), (from, to))
BY_PATH(int, -1, linkat, "link", 1, other, to, (int directory, const char *from, int other, const char *to, int flags),
        (directory, from, other, to, flags))
BY_PATH(int, -1, symlink, "symlink", 1, AT_FDCWD, path, (const char *target, const char *path), (target, path))
BY_PATH(int, -1, symlinkat, "symlink", 1, directory, path, (const char *target, int directory, const char *path),
        (target, directory, path))
BY_PATH(int, -1, unlink, "unlink", 1, AT_FDCWD, path, (const char *path), (path))
BY_PATH(int, -1, unlinkat, "unlink", 1, directory, path, (int directory, const char *path, int flags),
        (directory, path, flags))
BY_PATH(int, -1, rmdir, "rmdir", 1, AT_FDCWD, path, (const char *path), (path))
BY_PATH(int, -1, mkdir, "mkdir", 1, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode))
BY_PATH(int, -1, mkdirat, "mkdir", 1, directory, path, (int directory, const char *path, mode_t mode),
        (directory, path, mode))
BY_PATH(int, -1, chmod, "chmod", 1, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode))
BY_PATH(int, -1, stat64, "stat", 0, AT_FDCWD, path, (const char *path, struct stat64 *to), (path, to))
BY_PATH(int, -1, lstat64, "stat", 0, AT_FDCWD, path, (const char *path, struct stat64 *to), (path, to))
BY_PATH(int, -1, fstatat64, "stat", 0, directory, path, (int directory, const char *path, struct stat64 *to, int flags),
        (directory, path, to, flags))
BY_PATH(int, -1, statx, "stat", 0, directory, path,
        (int directory, const char *path, int flags, unsigned mask, struct statx *to), (directory, path, flags, mask, to))
BY_PATH(ssize_t, -1, readlink, "readlink", 0, AT_FDCWD, path, (const char *path, char *to, size_t size), (path, to, size))
BY_PATH(ssize_t, -1, readlinkat, "readlink", 0, directory, path, (int directory, const char *path, char *to, size_t size),
        (directory, path, to, size))
BY_PATH(int, -1, scandir64, "list", 0, AT_FDCWD, path,
        (const char *path, struct dirent64 ***to, int (*filter)(const struct dirent64 *),
         int (*order)(const struct dirent64 **, const struct dirent64 **)),
        (path, to, filter, order))
BY_PATH(DIR *, NULL, opendir, "list", 0, AT_FDCWD, path, (const char *path), (path))

/* What the addon and Node ask the kernel without a wrapper. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (real == NULL) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list rest;
  va_start(rest, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  const int isRename = number == SYS_renameat2;
  const int isStat = number == SYS_statx;
  if (isRename && at_path("rename", (int)a[0], (const char *)a[1], 1)) return -1;
  if (isStat && ((const char *)a[1])[0] != '\0' && at_path("stat", (int)a[0], (const char *)a[1], 0)) return -1;
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
