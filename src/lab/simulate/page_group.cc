// Makes and labels the pages of one group. Every random decision comes from a seed derived from (corpus seed, purpose,
// number), never from a shared generator, so that pages do not depend on what was made before them. Labels are measured
// on the texts (shared_text.h) after the edits of words; what the edits claim to do is not trusted.
#include "lab/simulate/page_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>

#include "base/union_find.h"
#include "lab/simulate/language/formula.h"
#include "lab/simulate/render.h"
#include "lab/simulate/site.h"
#include "lab/simulate/statements.h"
#include "lab/simulate/topic_words.h"

namespace paraprint::inline lab::inline simulate {
namespace {

// Purposes that seeds are derived for. Changing a number changes every corpus.
enum Purpose : std::uint64_t {
  kGroupPurpose = 1,
  kFamilyPurpose,
  kEditPurpose,
  kPagePurpose,
  kSeriesPurpose,
  kOriginPurpose
};

// Share of a series' pages that copy another member on another site, so that wording alone does not separate copies
// from the rest of a series.
constexpr double kFormulaCopyShare = 0.2;
// Range of PageDraft::chrome_share of originals.
constexpr double kChromeLeast = 0.3;
constexpr double kChromeMost = 1.0;
// Mirror numbers lie above site numbers, and are many enough that two copies of an article hardly ever share a mirror.
constexpr std::size_t kMirrorsFirst = 10'000;
constexpr std::size_t kMirrorsLast = 999'999;
constexpr std::size_t kSecondsOfDay = 86'400;

std::string make_uuid(Random& random) {
  const std::uint64_t high = random.next();
  const std::uint64_t low = random.next();
  // Version 4 (random), variant 1.
  return fmt::format("urn:uuid:{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFF, high & 0xFFF,
                     (low >> 48 & 0x3FFF) | 0x8000, low & 0xFFFFFFFFFFFF);
}

std::string date_text(std::chrono::sys_days day, std::size_t second_of_day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), second_of_day / 3600,
                     second_of_day / 60 % 60, second_of_day % 60);
}

// Strengths are written to labels with two decimals, so they are rounded before use;
// at least 0.01, because 0 would be no edit.
double hundredths(double value) {
  return std::max(1.0, std::round(value * 100)) / 100;
}

// The measured text as written with --texts, one paragraph per line.
std::string text_of(const Article& article) {
  std::string text;
  for (const ArticleParagraph& paragraph : article.paragraphs) text.append(paragraph.text).append("\n");
  return text;
}

std::vector<std::string> titles_of(const GroupPlan& group) {
  std::vector<std::string> titles;
  for (const Article& donor : group.donors) {
    if (!donor.title.empty()) titles.push_back(donor.title);
  }
  return titles;
}

}  // namespace

std::string_view page_role_name(PageRole role) {
  switch (role) {
    case PageRole::kOriginal:
      return "original";
    case PageRole::kCopy:
      return "copy";
    case PageRole::kFormula:
      break;
  }
  return "formula";
}

std::string_view pair_kind_name(PairKind kind) {
  switch (kind) {
    case PairKind::kCopy:
      return "copy";
    case PairKind::kFormula:
      return "formula";
    case PairKind::kSameSite:
      return "same-site";
    case PairKind::kSameTopic:
      break;
  }
  return "same-topic";
}

struct GroupMaker::Draft {
  PageDraft page;
  PageRole role = PageRole::kOriginal;
  std::vector<AppliedEdit> edits;
  TextUnits units;  // measured before surface and page edits
  std::string measured_text;
  std::chrono::sys_days day{};
  const SimulatedPage* copied = nullptr;  // page whose bytes are copied; points into group_.pages
  Article text;                           // as measured: what a copy of this page starts from; of traced corpora
  std::size_t number = 0;                 // of the page in the group
  std::optional<std::size_t> parent;      // page that it is made from
  std::chrono::sys_days parent_day{};
};

PageGroup GroupMaker::make(const GroupPlan& group) {
  group_ = {};
  units_.clear();
  group_seed_ = derive_seed(plan_.seed, {kGroupPurpose, group.number});
  if (group.families.empty()) {
    make_series(group);
  } else {
    EditMaterial material;
    for (const FamilyPlan& family : group.families) material.companions.push_back(&family.article);
    for (const Article& donor : group.donors) material.donors.push_back(&donor);
    for (std::size_t family = 0; family < group.families.size(); ++family) make_family(group, family, material);
  }
  // All pages must exist before pairs are labelled, and clusters follow from the labels.
  label_pairs(group.families.empty());
  name_clusters();
  return std::move(group_);
}

void GroupMaker::make_family(const GroupPlan& group, std::size_t family_number, const EditMaterial& material) {
  const FamilyPlan& family = group.families[family_number];
  Random random(derive_seed(group_seed_, {kFamilyPurpose, family_number}));
  const std::vector<std::string> titles = titles_of(group);
  Draft original;
  original.page.article = family.article;
  original.page.bases = {family.article.base};
  original.page.site = choose_site(random, plan_.site_count, family.article.language, -1);
  original.page.chrome_share = kChromeLeast + (kChromeMost - kChromeLeast) * random.unit();
  // The original has no edits: its measured text is the article itself.
  original.units = text_units(family.article);
  original.measured_text = text_of(family.article);
  original.text = family.article;
  original.number = group_.pages.size();
  constexpr std::size_t kDays = 5000;
  original.day = std::chrono::sys_days(std::chrono::year(2010) / 1 / 1) + std::chrono::days(random.below(kDays));
  group_.families.push_back({group_.pages.size(), topic_words(family.article)});
  // A copy, because make_copies() needs the original draft.
  add_page(Draft(original), titles);
  make_copies(family, original, material, random);
}

void GroupMaker::make_copies(const FamilyPlan& family, const Draft& original, const EditMaterial& material,
                             Random& random) {
  std::vector<std::string> titles;
  for (const Article* donor : material.donors) titles.push_back(donor->title);
  Random origins(derive_seed(group_seed_, {kOriginPurpose, original.number}));
  std::deque<Draft> sources = {original};  // that can be copied: pages with the article as a whole
  // A paginated copy takes several of the family's pages, hence the count by `parts`.
  for (std::uint32_t made = 1; made < family.pages;) {
    const bool is_chained = plan_.chain_share > 0 && sources.size() > 1 && origins.chance(plan_.chain_share);
    const Draft& parent = is_chained ? sources[1 + origins.below(sources.size() - 1)] : sources.front();
    const std::vector<const EditChoice*> edits = draw_edits(parent.text, family.pages - made, random);
    std::vector<double> strengths;
    std::uint32_t parts = 1;
    for (const EditChoice* edit : edits) {
      const double range = edit->strength_most - edit->strength_least;
      strengths.push_back(hundredths(edit->strength_least + range * random.unit()));
      if (edit->row->info.name == kPaginationEdit) {
        // Never more pages than the plan has left; draw_edits() ensures that two are left.
        parts = std::min(pagination_parts(strengths.back()), family.pages - made);
      }
    }
    // An exact copy and a copy with another template go to another site; the others to a mirror, that is another host
    // with the site's template. No copy shares its original's host.
    const bool has_other_site = std::any_of(edits.begin(), edits.end(), [](const EditChoice* edit) {
      return edit->row->info.name == kTemplateEdit || edit->row->phase == EditPhase::kCopy;
    });
    const std::uint32_t site = has_other_site
                                   ? choose_site(random, plan_.site_count, family.article.language, parent.page.site)
                                   : parent.page.site;
    for (std::uint32_t part = 0; part < parts; ++part) {
      Draft copy;
      copy.page = original.page;
      copy.page.article = parent.text;
      copy.parent = parent.number;
      copy.parent_day = parent.day;
      copy.number = group_.pages.size();
      copy.role = PageRole::kCopy;
      copy.page.site = site;
      copy.page.mirror = has_other_site ? 0 : static_cast<std::uint32_t>(random.between(kMirrorsFirst, kMirrorsLast));
      copy.page.part = part;
      copy.page.part_count = parts;
      constexpr std::size_t kDaysToRepost = 400;
      copy.day = parent.day + std::chrono::days(1 + random.below(kDaysToRepost));
      // The bytes are copied when the page is added; until then the pointer
      // stays valid, because add_page() appends last.
      const bool is_exact = edits.size() == 1 && edits[0]->row->phase == EditPhase::kCopy;
      apply(copy, edits, strengths, material, random);
      if (is_exact) copy.copied = &group_.pages[parent.number];
      const bool is_whole = parts == 1 && copy.page.bases.size() == 1;
      if (plan_.chain_share > 0 && is_whole) sources.push_back(copy);
      add_page(std::move(copy), titles);
    }
    made += parts;
  }
}

// Draws one to edits_per_page edits by weight, among those that apply to the article; if none does, only another
// template. Sorted into table order.
std::vector<const EditChoice*> GroupMaker::draw_edits(const Article& article, std::uint32_t pages_left,
                                                      Random& random) const {
  std::vector<const EditChoice*> pool;
  const EditChoice* other_template = nullptr;
  for (const EditChoice& choice : plan_.edits) {
    if (choice.row->info.name == kTemplateEdit) other_template = &choice;
    // Pagination needs at least two pages.
    const bool has_room = choice.row->info.name != kPaginationEdit || pages_left >= 2;
    if (choice.row->applies(article) && has_room) pool.push_back(&choice);
  }
  std::vector<const EditChoice*> drawn;
  const std::size_t wanted = 1 + random.below(static_cast<std::size_t>(plan_.edits_per_page));
  while (drawn.size() < wanted && !pool.empty()) {
    unsigned total = 0;
    for (const EditChoice* choice : pool) total += choice->row->weight;
    // Weighted choice: walk the pool until the drawn place falls into an edit's weight.
    std::size_t place = random.below(total);
    std::size_t chosen = 0;
    while (place >= pool[chosen]->row->weight) place -= pool[chosen++]->row->weight;
    const EditChoice* choice = pool[chosen];
    drawn.push_back(choice);
    if (choice->row->phase == EditPhase::kCopy) return {choice};
    // Each edit at most once, at most one structural edit, and exact-copy only on
    // its own (returned above if drawn first).
    std::erase_if(pool, [&](const EditChoice* other) {
      const bool excludes = other->row->phase == EditPhase::kCopy ||
                            (choice->row->phase == EditPhase::kStructure && other->row->phase == EditPhase::kStructure);
      return other == choice || excludes;
    });
  }
  const bool has_template = std::find(drawn.begin(), drawn.end(), other_template) != drawn.end();
  const bool adds_template = random.chance(plan_.template_share) || drawn.empty();
  if (other_template != nullptr && !has_template && adds_template) drawn.push_back(other_template);
  std::sort(drawn.begin(), drawn.end(), [](const EditChoice* a, const EditChoice* b) { return a->row < b->row; });
  return drawn;
}

void GroupMaker::apply(Draft& draft, const std::vector<const EditChoice*>& edits, const std::vector<double>& strengths,
                       const EditMaterial& material, Random& random) {
  // One seed for both phases, so that an edit's seed does not depend on which edits are measured.
  const std::uint64_t seed = random.next();
  apply_phases(draft, edits, strengths, material, seed, true);
  draft.units = text_units(draft.page.article);
  draft.measured_text = text_of(draft.page.article);
  if (plan_.is_traced()) draft.text = draft.page.article;
  apply_phases(draft, edits, strengths, material, seed, false);
}

void GroupMaker::apply_phases(Draft& draft, const std::vector<const EditChoice*>& edits,
                              const std::vector<double>& strengths, const EditMaterial& material, std::uint64_t seed,
                              bool until_content) {
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const EditRow& row = *edits[i]->row;
    if ((row.phase <= EditPhase::kContent) != until_content) continue;
    const std::uint64_t edit_seed = derive_seed(seed, {kEditPurpose, i});
    EditContext context{draft.page, strengths[i], Random(edit_seed), material, converter_, {}, 0, {}};
    row.apply(context);
    draft.edits.push_back(
        {&row, strengths[i], edit_seed, context.changes, std::move(context.places), std::move(context.note)});
  }
}

void GroupMaker::make_series(const GroupPlan& group) {
  const std::uint64_t series_seed = derive_seed(group_seed_, {kSeriesPurpose});
  Random random(derive_seed(series_seed, {kPagePurpose}));
  group_.formula = formula_topic_name(formula_topic(series_seed));
  std::vector<std::string> titles;
  const ArticleLanguage language = formula_article(series_seed, 0).language;
  const std::uint32_t site = choose_site(random, plan_.site_count, language, -1);
  const auto template_row = std::find_if(edit_rows().begin(), edit_rows().end(),
                                         [](const EditRow& row) { return row.info.name == kTemplateEdit; });
  // `number` counts the distinct members; a copy repeats one of them.
  std::uint32_t number = 0;
  for (std::uint32_t made = 0; made < group.formula_pages; ++made) {
    const bool is_copy = number > 0 && random.chance(kFormulaCopyShare);
    const std::uint32_t member = is_copy ? static_cast<std::uint32_t>(random.below(number)) : number++;
    Draft draft;
    draft.role = PageRole::kFormula;
    draft.page.article = formula_article(series_seed, member);
    draft.page.bases = {member};
    draft.page.site = is_copy ? choose_site(random, plan_.site_count, language, site) : site;
    draft.units = text_units(draft.page.article);
    draft.measured_text = text_of(draft.page.article);
    draft.day = std::chrono::sys_days(std::chrono::year(2015) / 1 / 1) + std::chrono::days(made);
    if (is_copy) {
      const double strength = hundredths(random.unit());
      draft.page.chrome_share = strength;
      // Recorded like a drawn `template` edit, so that edits.jsonl explains the difference between the two pages.
      draft.edits.push_back({&*template_row, strength, random.next(), 1, {}, {}});
    }
    titles.push_back(draft.page.article.title);
    add_page(std::move(draft), titles);
  }
}

// Adds statements to the draft and says so in the page's origin. All choices have a seed of their own, so the rest of
// the corpus does not depend on them.
void GroupMaker::state_origin(Draft& draft, SimulatedPage& page) {
  // The captures of a crawl say nothing of the order of publication.
  constexpr std::size_t kDaysToCapture = 2000;
  // Reposts often keep the date of what they copy, and some name the first source rather than their own.
  constexpr double kKeptDateShare = 0.1;
  constexpr double kFirstSourceShare = 0.25;
  constexpr double kNamedSiteShare = 0.6;
  constexpr double kCanonicalShare = 0.4;
  Random random(derive_seed(group_seed_, {kOriginPurpose, draft.number, 1}));
  page.date = date_text(draft.day + std::chrono::days(1 + random.below(kDaysToCapture)), random.below(kSecondsOfDay));
  PageOrigin& origin = page.origin;
  origin.published = day_text(draft.day);
  origin.copied_from = draft.parent;
  origin.original = draft.parent ? group_.pages[*draft.parent].origin.original : draft.number;
  if (draft.copied != nullptr) {
    const PageOrigin& copied = draft.copied->origin;
    origin.stated_date = copied.stated_date;
    origin.date_form = copied.stated_date.empty() ? "" : "kept";
    origin.stated_source = copied.stated_source;
    origin.source_form = copied.source_form;
    return;
  }
  if (random.chance(kNamedSiteShare)) state_site(draft.page, site_name_of(page.url));
  if (random.chance(plan_.dated_share)) {
    const bool keeps = draft.parent && random.chance(kKeptDateShare);
    const std::chrono::sys_days day = keeps ? draft.parent_day : draft.day;
    origin.date_form = state_date(draft.page, day, random);
    origin.stated_date = day_text(day);
  }
  if (draft.parent && random.chance(plan_.sourced_share)) {
    origin.stated_source = random.chance(kFirstSourceShare) ? origin.original : *draft.parent;
    const std::string& url = group_.pages[*origin.stated_source].url;
    origin.source_form = state_source(draft.page, {url, site_name_of(url)}, random);
  }
  if (random.chance(kCanonicalShare) && origin.source_form != kCanonicalForm) state_canonical(draft.page, page.url);
}

// Renders a draft and appends it. The page's own seed depends on its index in the group only.
void GroupMaker::add_page(Draft&& draft, const std::vector<std::string>& titles) {
  Random random(derive_seed(group_seed_, {kPagePurpose, group_.pages.size()}));
  const Site site = make_site(plan_.seed, draft.page.site);
  SimulatedPage page;
  page.id = make_uuid(random);
  constexpr std::uint64_t kPageNumbers = 100'000'000;
  page.url = page_url(site, draft.page.mirror, random.below(kPageNumbers));
  page.date = date_text(draft.day, random.below(kSecondsOfDay));
  page.role = draft.role;
  page.language = draft.page.article.language;
  page.bases = draft.page.bases;
  page.site = draft.page.site;
  page.edits = std::move(draft.edits);
  page.title = draft.page.article.title;
  if (plan_.is_traced() && draft.role != PageRole::kFormula) state_origin(draft, page);
  page.text = std::move(draft.measured_text);
  page.random = random.next();
  if (draft.copied != nullptr) {
    page.charset = draft.copied->charset;
    page.http_content_type = draft.copied->http_content_type;
    page.body = draft.copied->body;
  } else {
    RenderedPage rendered = render_page(draft.page, site, titles, Random(random.next()));
    page.charset = draft.page.charset;
    page.http_content_type = std::move(rendered.http_content_type);
    page.body = std::move(rendered.body);
  }
  units_.push_back(std::move(draft.units));
  group_.pages.push_back(std::move(page));
}

void GroupMaker::label_pairs(bool is_series) {
  // Lists have one to four elements.
  const auto shares_base = [](const SimulatedPage& a, const SimulatedPage& b) {
    return std::any_of(a.bases.begin(), a.bases.end(), [&](std::uint32_t base) {
      return std::find(b.bases.begin(), b.bases.end(), base) != b.bases.end();
    });
  };
  for (std::size_t a = 0; a < group_.pages.size(); ++a) {
    for (std::size_t b = a + 1; b < group_.pages.size(); ++b) {
      const bool is_related = shares_base(group_.pages[a], group_.pages[b]);
      // Pairs of different families are different by construction and are not listed.
      if (!is_related && !is_series) continue;
      LabelledPair pair{a, b, PairLabel::kDifferent, is_series ? PairKind::kFormula : PairKind::kCopy,
                        shared_text(units_[a], units_[b])};
      if (is_related) {
        pair.label = label_of(pair.shared);
        pair.kind = PairKind::kCopy;
      }
      group_.pairs.push_back(pair);
    }
  }
}

// Clusters are the connected components of pairs labelled dup or near, each named after its first page.
void GroupMaker::name_clusters() {
  std::vector<std::size_t> roots(group_.pages.size());
  UnionFind<std::size_t> clusters(roots);
  for (const LabelledPair& pair : group_.pairs) {
    if (pair.label == PairLabel::kDuplicate || pair.label == PairLabel::kNear) clusters.join(pair.a, pair.b);
  }
  clusters.flatten();
  for (std::size_t page = 0; page < roots.size(); ++page) group_.pages[page].cluster = roots[page];
}

}  // namespace paraprint::inline lab::inline simulate
