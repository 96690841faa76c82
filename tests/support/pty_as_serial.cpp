// Preloaded in one test: makes libserialport take the pseudo-terminals /dev/pts/N for serial ports, by
// answering what it asks of /sys/class/tty and of the modem lines. Everything else goes to the system
// unchanged.
#include <dlfcn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace {

constexpr char kSysPrefix[] = "/sys/class/tty/pts/";
constexpr char kTarget[] = "../../devices/pnp0/00:01/tty/ttyS9";

bool is_pty_entry(const char* path) { return std::strncmp(path, kSysPrefix, sizeof kSysPrefix - 1) == 0; }

bool is_pty(int descriptor) {
    char link[64], path[64] = {};
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const auto next = reinterpret_cast<ssize_t (*)(const char*, char*, size_t)>(dlsym(RTLD_NEXT, "readlink"));
    return next(link, path, sizeof path - 1) > 0 && std::strncmp(path, "/dev/pts/", 9) == 0;
}

int answer_as_link(struct stat* status) {
    std::memset(status, 0, sizeof *status);
    status->st_mode = S_IFLNK | 0777;
    return 0;
}

}  // namespace

extern "C" {

int lstat(const char* path, struct stat* status) noexcept {
    if (is_pty_entry(path)) return answer_as_link(status);
    return reinterpret_cast<int (*)(const char*, struct stat*)>(dlsym(RTLD_NEXT, "lstat"))(path, status);
}

int __lxstat(int version, const char* path, struct stat* status) noexcept {
    if (is_pty_entry(path)) return answer_as_link(status);
    return reinterpret_cast<int (*)(int, const char*, struct stat*)>(dlsym(RTLD_NEXT, "__lxstat"))(version, path,
                                                                                                   status);
}

ssize_t readlink(const char* path, char* target, size_t size) noexcept {
    if (!is_pty_entry(path))
        return reinterpret_cast<ssize_t (*)(const char*, char*, size_t)>(dlsym(RTLD_NEXT, "readlink"))(path, target,
                                                                                                       size);
    const size_t count = std::strlen(kTarget) < size ? std::strlen(kTarget) : size;
    std::memcpy(target, kTarget, count);
    return static_cast<ssize_t>(count);
}

int ioctl(int descriptor, unsigned long request, ...) noexcept {
    va_list arguments;
    va_start(arguments, request);
    void* argument = va_arg(arguments, void*);
    va_end(arguments);
    if ((request == TIOCMGET || request == TIOCMSET || request == TIOCMBIS || request == TIOCMBIC) &&
        is_pty(descriptor)) {
        if (request == TIOCMGET) *static_cast<int*>(argument) = 0;
        return 0;
    }
    return reinterpret_cast<int (*)(int, unsigned long, void*)>(dlsym(RTLD_NEXT, "ioctl"))(descriptor, request,
                                                                                           argument);
}

}  // extern "C"
