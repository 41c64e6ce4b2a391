// What simulated pages state of their origin: when they were published and what they were copied from, in the places
// and phrases in which real pages do (docs/simulator.md#dates-and-sources).
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"

namespace paraprint::inline lab::inline simulate {

// "2012-03-04".
std::string day_text(std::chrono::sys_days day);

// Adds a date of publication to the page. Returns its form: "json-ld", "open-graph", "meta", "time" or "text".
std::string_view state_date(PageDraft& draft, std::chrono::sys_days day, Random& random);

// A page as others name it.
struct NamedPage {
  std::string url;
  std::string site_name;
};

// The name of the site with this address: the label of its host that no other host of the corpus has.
std::string site_name_of(std::string_view url);

// Adds the name of the page's site, as <meta>, or a canonical address. A copy of all bytes keeps them.
void state_site(PageDraft& draft, std::string_view site_name);
void state_canonical(PageDraft& draft, std::string_view url);

inline constexpr std::string_view kCanonicalForm = "canonical";

// Adds a statement that the page's text comes from `source`. Returns its form: "name", "named-link", "address",
// kCanonicalForm, "json-ld" or "link", which is a link alone.
std::string_view state_source(PageDraft& draft, const NamedPage& source, Random& random);

}  // namespace paraprint::inline lab::inline simulate
