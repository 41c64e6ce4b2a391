#include "index/site_boilerplate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"

namespace paraprint {
namespace {

std::uint64_t mix_pair(std::uint64_t left, std::uint64_t right) {
  return mix64(mix64(left) + right);
}

}  // namespace

bool SiteBoilerplate::contains(std::uint64_t site, std::uint64_t paragraph_hash) const {
  return std::binary_search(entries_.begin(), entries_.end(), mix_pair(site, paragraph_hash));
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

bool SiteBoilerplateCounter::OccurrenceTraits::combine(Occurrence& into, const Occurrence& from) {
  if (into.entry != from.entry || into.page != from.page) return false;
  into.characters += from.characters;
  return true;
}

SiteBoilerplateCounter::SiteBoilerplateCounter(SiteBoilerplateOptions options)
    : options_(std::move(options)), occurrences_({options_.memory_limit_bytes / 2, options_.temporary_directory}) {}

Status SiteBoilerplateCounter::add_page(std::uint64_t site, const Profile& profile) {
  if (profile.content_characters == 0) return {};
  const std::uint64_t text = mix_pair(site, mix_pair(profile.text_hash[0], profile.text_hash[1]));
  if (!seen_texts_.insert(text).second) return {};
  ++site_pages_[site];
  const auto number = static_cast<std::uint32_t>(pages_.size());
  CountedPage page;
  std::vector<std::uint64_t> entries;
  entries.reserve(profile.paragraphs.size());
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    const std::uint64_t entry = mix_pair(site, paragraph.hash);
    entries.push_back(entry);
    page.characters += paragraph.content_characters;
    if (Status pushed = occurrences_.push({entry, site, number, paragraph.content_characters}); !pushed) return pushed;
  }
  // The residue starts as the whole set of paragraphs; suspects are taken out later.
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (const std::uint64_t entry : entries) page.residue += mix64(entry);
  pages_.push_back(page);
  return {};
}

std::uint64_t SiteBoilerplateCounter::votes_needed(std::uint64_t site) const {
  const double share = std::ceil(options_.minimum_share * site_pages_.at(site));
  return std::max<std::uint64_t>(options_.minimum_votes, static_cast<std::uint64_t>(share));
}

void SiteBoilerplateCounter::take_from_residue(const std::vector<Occurrence>& group) {
  for (const Occurrence& occurrence : group) {
    CountedPage& page = pages_[occurrence.page];
    page.suspect_characters += occurrence.characters;
    page.residue -= mix64(occurrence.entry);
  }
}

// Rule 1: the paragraphs that enough pages of different text have.
Status SiteBoilerplateCounter::collect_suspects(OccurrenceSorter& suspects) {
  std::vector<Occurrence> group;
  Status status;
  const auto close_group = [&] {
    if (!status || group.empty()) return;
    const std::uint64_t site = group.front().site;
    if (site_pages_.at(site) < options_.minimum_site_pages || group.size() < votes_needed(site)) return;
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
    group.push_back(occurrence);
  }
  if (!occurrences_.status()) return occurrences_.status();
  close_group();
  return status;
}

// Rules 2 and 3.
bool SiteBoilerplateCounter::is_voted(const std::vector<Occurrence>& group) const {
  std::vector<std::uint64_t> residues;
  for (const Occurrence& occurrence : group) {
    const CountedPage& page = pages_[occurrence.page];
    const double left = static_cast<double>(page.characters - page.suspect_characters);
    if (left > 0 && left >= options_.minimum_residue * page.characters) residues.push_back(page.residue);
  }
  std::sort(residues.begin(), residues.end());
  const auto different = std::unique(residues.begin(), residues.end()) - residues.begin();
  return static_cast<std::uint64_t>(different) >= votes_needed(group.front().site);
}

Result<SiteBoilerplate> SiteBoilerplateCounter::finish() {
  seen_texts_ = {};
  statistics_.pages_counted = pages_.size();
  statistics_.sites = site_pages_.size();
  for (const auto& [site, count] : site_pages_) statistics_.sites_too_small += count < options_.minimum_site_pages;
  if (Status finished = occurrences_.finish(); !finished) return tl::unexpected<Error>(finished.error());
  OccurrenceSorter suspects({options_.memory_limit_bytes / 2, options_.temporary_directory});
  if (Status collected = collect_suspects(suspects); !collected) return tl::unexpected<Error>(collected.error());
  if (Status finished = suspects.finish(); !finished) return tl::unexpected<Error>(finished.error());

  SiteBoilerplate answer;
  std::vector<Occurrence> group;
  const auto close_group = [&] {
    if (group.empty()) return;
    if (is_voted(group)) {
      answer.entries_.push_back(group.front().entry);
    } else {
      ++statistics_.suspects_spared;
    }
    group.clear();
  };
  Status read = suspects.for_each([&](const Occurrence& occurrence) {
    if (!group.empty() && group.front().entry != occurrence.entry) close_group();
    group.push_back(occurrence);
  });
  if (!read) return tl::unexpected<Error>(read.error());
  close_group();
  statistics_.bytes_spilled = occurrences_.statistics().bytes_spilled + suspects.statistics().bytes_spilled;
  std::sort(answer.entries_.begin(), answer.entries_.end());
  pages_ = {};
  return answer;
}

}  // namespace paraprint
