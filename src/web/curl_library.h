// libcurl, loaded when it is first needed.
//
// It brings thirty libraries along, and loading them takes as long as a short command; only crawls and webhooks need
// it.
#pragma once

#include <curl/curl.h>

#include "paraprint/result.h"

namespace paraprint::inline web {

// The functions that are used, without "curl_" in their names.
struct CurlLibrary {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_version_info) version_info = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
};

// A request that is given up does not wait until the system has resolved its name, which can take minutes: its thread
// is left behind and ends by itself. Older versions of libcurl do not know how and wait.
void let_go_of_name_resolution(const CurlLibrary& curl, CURL* handle);

// The first call loads and initialises the library, which then stays for the life of the process. Thread-safe. Errors:
// kUnsupported if there is none, or an older one, with what to install. Throws std::bad_alloc.
Result<const CurlLibrary*> curl_library();

}  // namespace paraprint::inline web
