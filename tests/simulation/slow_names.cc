#include "simulation/slow_names.h"

#include <dlfcn.h>
#include <netdb.h>

// Instead of that of the system, for all libraries.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  if (name != nullptr && paraprint::SlowNames::kHost == name) {
    paraprint::SlowNames::wait();
    return EAI_AGAIN;
  }
  using Resolve = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto resolve = reinterpret_cast<Resolve>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return resolve(name, service, hints, found);
}
