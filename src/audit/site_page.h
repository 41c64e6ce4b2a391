// What an audit knows of an address of the site. Plain values, which the reader fills in and the checks look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "paraprint/model.h"
#include "web/links.h"

namespace paraprint::inline audit {

inline constexpr std::uint32_t kNoPage = 0xFFFFFFFF;

// Its relation to the page that is kept of its cluster.
struct PageCopy {
  std::uint32_t cluster = 0;
  std::uint32_t kept_page = kNoPage;  // itself if it is the one
  Verdict verdict = Verdict::kSame;
  float resemblance = 1;
};

struct SitePage {
  std::string url;        // canonical form
  std::string date;       // of the capture
  int status = 0;         // 0: stored without one
  std::string location;   // of a redirect, by status or refresh; absolute
  std::string canonical;  // absolute; empty if the page names none
  std::vector<LanguageAlternate> alternates;
  std::string shape;  // url_shape()
  bool is_noindex = false;
  bool is_paginated = false;  // part of a series: rel=prev or rel=next
  bool is_in_sitemap = false;
  bool has_text = false;                 // HTML or text, as a page or as an error page
  std::uint32_t content_characters = 0;  // of the main content
  std::uint32_t text_characters = 0;     // of the whole page
  std::uint32_t linking_pages = 0;       // pages of the site that link to it
  std::string linking_example;           // the smallest address among them
  std::optional<PageCopy> copy;          // empty: not compared

  bool is_redirect() const { return !location.empty(); }
  bool is_error() const { return status >= 400; }
  bool is_page() const { return has_text && !is_error() && !is_redirect(); }
};

}  // namespace paraprint::inline audit
