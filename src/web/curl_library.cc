// The library is taken from the process if that has it already: a program that bundles it under another name is linked
// with it (PARAPRINT_LINK_CURL), and a caller of ours may use it, too. Two copies would each have a state of their own.
#include "web/curl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <new>
#include <string>
#include <string_view>

namespace paraprint::inline web {
namespace {

constexpr const char* kFileName = "libcurl.so.4";
constexpr unsigned kOldestVersion = 0x075800;  // 7.88, whose options are used

tl::unexpected<Error> unusable(std::string_view reason) {
  return failure(
      ErrorCode::kUnsupported,
      fmt::format(
          "crawling needs libcurl 7.88 or later, as webhooks do ({}); on Debian and Ubuntu: apt install libcurl4",
          reason));
}

template <class Function>
void find(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) missing = name;
}

Result<CurlLibrary> load() {
  void* library = ::dlopen(nullptr, RTLD_NOW);  // the process itself
  if (::dlsym(library, "curl_multi_poll") == nullptr) library = ::dlopen(kFileName, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const words = ::dlerror();
    const std::string_view reason = words != nullptr ? words : kFileName;
    // The loader has no error numbers. These are the C library's text for ENOMEM, and what it says without that when
    // there is no memory for what it keeps of a library.
    for (const std::string_view shortage : {"annot allocate memory", "cannot create shared object descriptor"}) {
      if (reason.find(shortage) != std::string_view::npos) throw std::bad_alloc();
    }
    return unusable(reason);
  }
  CurlLibrary curl;
  std::string missing;
  find(library, "curl_global_init", curl.global_init, missing);
  find(library, "curl_version_info", curl.version_info, missing);
  find(library, "curl_easy_init", curl.easy_init, missing);
  find(library, "curl_easy_cleanup", curl.easy_cleanup, missing);
  find(library, "curl_easy_setopt", curl.easy_setopt, missing);
  find(library, "curl_easy_getinfo", curl.easy_getinfo, missing);
  find(library, "curl_easy_strerror", curl.easy_strerror, missing);
  find(library, "curl_multi_init", curl.multi_init, missing);
  find(library, "curl_multi_cleanup", curl.multi_cleanup, missing);
  find(library, "curl_multi_add_handle", curl.multi_add_handle, missing);
  find(library, "curl_multi_remove_handle", curl.multi_remove_handle, missing);
  find(library, "curl_multi_perform", curl.multi_perform, missing);
  find(library, "curl_multi_poll", curl.multi_poll, missing);
  find(library, "curl_multi_wakeup", curl.multi_wakeup, missing);
  find(library, "curl_multi_info_read", curl.multi_info_read, missing);
  find(library, "curl_slist_append", curl.slist_append, missing);
  find(library, "curl_slist_free_all", curl.slist_free_all, missing);
  if (!missing.empty()) return unusable(missing + " is missing");
  const curl_version_info_data* const version = curl.version_info(CURLVERSION_NOW);
  if (version->version_num < kOldestVersion) return unusable(fmt::format("found {}", version->version));
  // Fails if memory runs out, whatever it returns then.
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::bad_alloc();
  return curl;
}

}  // namespace

// An error means that the libcurl that was loaded does not know the option.
void let_go_of_name_resolution([[maybe_unused]] const CurlLibrary& curl, [[maybe_unused]] CURL* handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  static_cast<void>(curl.easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L));
#endif
}

// curl_global_init() must run once, before any other call and without races. If it throws, the next call tries again.
Result<const CurlLibrary*> curl_library() {
  static const Result<CurlLibrary> library = load();
  if (!library) return tl::unexpected<Error>(library.error());
  return &*library;
}

}  // namespace paraprint::inline web
