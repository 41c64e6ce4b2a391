// Two passes over (site, paragraph, page) records sorted by site and paragraph: the first finds the suspects and
// removes them from the residues of their pages, the second counts the votes of what is left. The second needs all
// suspects to be known, hence the second sorter, which holds the suspects only.
//
// A residue is a sum of mixed hashes: the sum does not depend on the order of paragraphs, and a suspect can be
// subtracted without keeping the set itself.
#include "index/site_boilerplate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "base/propagate.h"

namespace paraprint::inline index {
namespace {

// A 64-bit hash of an ordered pair: the first number is mixed once more than the second, so (a, b) and (b, a) differ.
std::uint64_t mix_pair(std::uint64_t left, std::uint64_t right) {
  return mix64(mix64(left) + right);
}

}  // namespace

Result<SiteBoilerplate> SiteBoilerplate::from_entries(std::span<const std::uint64_t> rising, MemoryBudget* budget) {
  SiteBoilerplate boilerplate;
  boilerplate.entries_ = SpillArray<std::uint64_t>(budget);
  PARAPRINT_TRY(boilerplate.entries_.append(rising));
  return boilerplate;
}

std::uint64_t SiteBoilerplate::entry_of(std::uint64_t site, std::uint64_t paragraph_hash) {
  return mix_pair(site, paragraph_hash);
}

bool SiteBoilerplate::contains(std::uint64_t site, std::uint64_t paragraph_hash) const {
  return std::binary_search(entries_.begin(), entries_.end(), entry_of(site, paragraph_hash));
}

std::size_t SiteBoilerplate::flag(std::uint64_t site, const Profile& profile, std::vector<std::uint8_t>& flags) const {
  flags.assign(profile.paragraphs.size(), 0);
  if (entries_.empty()) return 0;
  std::size_t flagged = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!contains(site, profile.paragraphs[i].hash)) continue;
    flags[i] = 1;
    ++flagged;
  }
  return flagged;
}

// A paragraph that a page repeats is one occurrence with the characters of all its copies.
bool SiteBoilerplateCounter::OccurrenceTraits::combine(Occurrence& into, const Occurrence& from) {
  if (into.entry != from.entry || into.page != from.page) return false;
  into.characters += from.characters;
  return true;
}

SiteBoilerplateCounter::SiteBoilerplateCounter(SiteBoilerplateOptions options)
    : options_(std::move(options)),
      occurrences_({options_.memory_limit_bytes / 2, options_.temporary_directory}),
      site_pages_(options_.budget),
      seen_texts_(options_.budget),
      pages_(options_.budget),
      residues_(options_.budget) {}

Status SiteBoilerplateCounter::add_page(std::uint64_t site, const Profile& profile) {
  if (profile.content_characters == 0) return {};
  // Rule 1: only the first page with a text is counted. A table that has grown shows that the entry was new.
  const std::uint64_t text = mix_pair(site, mix_pair(profile.text_hash[0], profile.text_hash[1]));
  const std::size_t texts = seen_texts_.size();
  if (const auto seen = seen_texts_.find_or_add(text, 1); !seen) return tl::unexpected<Error>(seen.error());
  if (seen_texts_.size() == texts) return {};
  const std::size_t sites = site_pages_.size();
  PARAPRINT_ASSIGN(std::uint32_t* const site_pages, site_pages_.find_or_add(site, 1));
  if (site_pages_.size() == sites) ++*site_pages;
  const auto number = static_cast<std::uint32_t>(pages_.size());
  CountedPage page;
  std::vector<std::uint64_t> entries;
  entries.reserve(profile.paragraphs.size());
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    const std::uint64_t entry = SiteBoilerplate::entry_of(site, paragraph.hash);
    entries.push_back(entry);
    page.characters += paragraph.content_characters;
    PARAPRINT_TRY(occurrences_.push({entry, site, number, paragraph.content_characters}));
  }
  // The residue starts as the whole set of paragraphs, each counted once; suspects are subtracted later.
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (const std::uint64_t entry : entries) page.residue += mix64(entry);
  return pages_.push_back(page);
}

std::uint64_t SiteBoilerplateCounter::votes_needed(std::uint64_t site) const {
  // Rounded up: of 41 pages a tenth is 5, not 4.
  const double share = std::ceil(options_.minimum_share * site_pages_.find(site));
  return std::max<std::uint64_t>(options_.minimum_votes, static_cast<std::uint64_t>(share));
}

// The group has each page once (combine), so every suspect is subtracted once per page, as it was added.
void SiteBoilerplateCounter::take_from_residue(std::span<const Occurrence> group) {
  for (const Occurrence& occurrence : group) {
    tick(options_.budget);
    CountedPage& page = pages_[occurrence.page];
    page.suspect_characters += occurrence.characters;
    page.residue -= mix64(occurrence.entry);
  }
}

// Rule 1: passes on the paragraphs that occur on enough pages with distinct text.
Status SiteBoilerplateCounter::collect_suspects(OccurrenceSorter& suspects) {
  SpillArray<Occurrence> group(options_.budget);
  Status status;
  const auto close_group = [&] {
    if (!status || group.empty()) return;
    const std::uint64_t site = group.front().site;
    if (site_pages_.find(site) < options_.minimum_site_pages || group.size() < votes_needed(site)) return;
    ++statistics_.suspects;
    take_from_residue(group);
    for (const Occurrence& occurrence : group) {
      if (status) status = suspects.push(occurrence);
    }
  };
  Occurrence occurrence;
  while (occurrences_.next(occurrence)) {
    if (!group.empty() && group.front().entry != occurrence.entry) {
      close_group();
      if (!status) return status;
      group.clear();
    }
    if (status = group.push_back(occurrence); !status) return status;
  }
  if (!occurrences_.status()) return occurrences_.status();
  close_group();
  return status;
}

// Rules 2 and 3: counts the distinct residues of the pages that are allowed to vote.
Result<bool> SiteBoilerplateCounter::is_voted(std::span<const Occurrence> group) {
  residues_.clear();
  for (const Occurrence& occurrence : group) {
    tick(options_.budget);
    const CountedPage& page = pages_[occurrence.page];
    const double left = static_cast<double>(page.characters - page.suspect_characters);
    if (left <= 0 || left < options_.minimum_residue * page.characters) continue;
    PARAPRINT_TRY(residues_.push_back(page.residue));
  }
  std::sort(residues_.begin(), residues_.end());
  const auto different = std::unique(residues_.begin(), residues_.end()) - residues_.begin();
  return static_cast<std::uint64_t>(different) >= votes_needed(group.front().site);
}

Result<SiteBoilerplate> SiteBoilerplateCounter::finish() {
  seen_texts_.release();
  statistics_.pages_counted = pages_.size();
  statistics_.sites = site_pages_.size();
  site_pages_.for_each(
      [&](std::uint64_t, std::uint32_t pages) { statistics_.sites_too_small += pages < options_.minimum_site_pages; });
  PARAPRINT_TRY(occurrences_.finish());
  OccurrenceSorter suspects({options_.memory_limit_bytes / 2, options_.temporary_directory});
  PARAPRINT_TRY(collect_suspects(suspects));
  PARAPRINT_TRY(suspects.finish());

  SiteBoilerplate answer;
  answer.entries_ = SpillArray<std::uint64_t>(options_.budget);
  SpillArray<Occurrence> group(options_.budget);
  const auto close_group = [&]() -> Status {
    if (group.empty()) return {};
    const std::uint64_t entry = group.front().entry;
    PARAPRINT_ASSIGN(const bool voted, is_voted(group));
    group.clear();
    if (voted) return answer.entries_.push_back(entry);
    ++statistics_.suspects_spared;
    return {};
  };
  Status status;
  Occurrence occurrence;
  while (status && suspects.next(occurrence)) {
    if (!group.empty() && group.front().entry != occurrence.entry) status = close_group();
    if (status) status = group.push_back(occurrence);
  }
  if (status) status = suspects.status();
  if (status) status = close_group();
  if (!status) return tl::unexpected<Error>(status.error());
  statistics_.bytes_spilled = occurrences_.statistics().bytes_spilled + suspects.statistics().bytes_spilled;
  std::sort(answer.entries_.begin(), answer.entries_.end());
  pages_.release();
  return answer;
}

}  // namespace paraprint::inline index
