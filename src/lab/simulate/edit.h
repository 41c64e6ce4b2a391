// All edits that a page may undergo between original and repost: one table, one row per edit.
//
// Edits are applied in table order: first those that select parts of the text, then those that change words, then
// script and width, then the page around the text. Labels are measured before the last two groups (shared_text.h),
// because those do not change what the text says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"
#include "lab/simulate/language/script_converter.h"
#include "paraprint/result.h"
#include "paraprint/simulate.h"

namespace paraprint::inline lab::inline simulate {

enum class EditPhase : std::uint8_t {
  kCopy,       // the original's bytes at another URL; never combined with other edits
  kStructure,  // selects parts of the article or adds others; at most one per page
  kContent,    // the words
  kSurface,    // changes letters, not words; applied after the text is measured
  kPage,       // changes the page around the text, or its encoding
};

// Articles that edits take text from. Must outlive the group of pages being made.
struct EditMaterial {
  std::vector<const Article*> companions;  // articles with pages of their own that a digest may include whole
  std::vector<const Article*> donors;      // articles that lend single sentences, words and titles
};

struct EditContext {
  PageDraft& draft;
  double strength;  // (0, 1]
  Random random;    // seeded for this edit of this page
  const EditMaterial& material;
  ScriptConverter& converter;
  // Reported by the edit: the changed paragraphs (numbered as before the edit,
  // ascending, each once) and the number of changes.
  std::vector<std::uint32_t> places;
  std::uint64_t changes = 0;
  std::string note;  // e.g. "gbk, meta-only"

  void changed(std::size_t paragraph) {
    ++changes;
    if (places.empty() || places.back() != paragraph) places.push_back(static_cast<std::uint32_t>(paragraph));
  }
};

struct EditRow {
  EditInfo info;
  EditPhase phase;
  unsigned weight;  // relative frequency of being drawn
  bool (*applies)(const Article& article);
  void (*apply)(EditContext& context);
};

std::span<const EditRow> edit_rows();

inline constexpr std::string_view kExactCopyEdit = "exact-copy";
inline constexpr std::string_view kTemplateEdit = "template";
inline constexpr std::string_view kPaginationEdit = "pagination";
inline constexpr std::string_view kDatelineEdit = "dateline";
inline constexpr std::string_view kScriptEdit = "script";
inline constexpr std::string_view kRegionalWordsEdit = "regional-words";

// Number of pages of a paginated article at this strength. Depends on the strength alone, because the pages are planned
// before their edits are applied.
std::uint32_t pagination_parts(double strength);

// An edit with the range of strengths that a corpus requests.
struct EditChoice {
  const EditRow* row = nullptr;
  double strength_least = 0;
  double strength_most = 0;
};

// Parses "name", "name=0.3" or "name=0.1-0.5"; an empty list selects all edits with their
// default ranges. kInvalidArgument for an unknown name (suggesting the nearest known one), a
// repeated name, or a strength outside (0, 1].
Result<std::vector<EditChoice>> choose_edits(const std::vector<std::string>& specifications);

// The edits, grouped by the file that implements them.
void edit_digest(EditContext& context);  // edits_structure.cc
void edit_excerpt(EditContext& context);
void edit_pagination(EditContext& context);
void edit_truncation(EditContext& context);
void edit_paragraph_deletion(EditContext& context);  // edits_paragraphs.cc
void edit_sentence_deletion(EditContext& context);
void edit_insertion(EditContext& context);
void edit_paragraph_order(EditContext& context);
void edit_paragraph_borders(EditContext& context);
void edit_rewriting(EditContext& context);  // edits_rewriting.cc
void edit_synonyms(EditContext& context);   // edits_words.cc
void edit_word_substitution(EditContext& context);
void edit_typos(EditContext& context);  // edits_errors.cc
void edit_ocr(EditContext& context);
void edit_regional_words(EditContext& context);
void edit_script(EditContext& context);  // edits_surface.cc
void edit_width(EditContext& context);
void edit_template(EditContext& context);  // edits_page.cc
void edit_markup(EditContext& context);
void edit_comments(EditContext& context);
void edit_dateline(EditContext& context);
void edit_charset(EditContext& context);

}  // namespace paraprint::inline lab::inline simulate
