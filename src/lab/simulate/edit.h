// Everything that can be done to a page on its way from the original to a repost: one table, a row an edit.
//
// Edits are applied in the order of the table: those that choose what is left of the text, then those inside it, then
// its script and width, then the page around it. Labels are measured between the two (shared_text.h): what comes later
// does not change what the text says.
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

namespace paraprint {

enum class EditPhase : std::uint8_t {
  kCopy,       // the original's bytes under another address: nothing else may be combined with it
  kStructure,  // what is left of the article, and what stands beside it; at most one a page
  kContent,    // the words
  kSurface,    // letters, not words: the text is measured before
  kPage,       // what stands around the text, and its bytes
};

// What edits take text from. Lives as long as the group of pages that is made together.
struct EditMaterial {
  std::vector<const Article*> companions;  // whole articles that a digest may take, with pages of their own
  std::vector<const Article*> donors;      // articles of other pages: single sentences, words and titles
};

struct EditContext {
  PageDraft& draft;
  double strength;  // (0, 1]
  Random random;    // of this edit of this page
  const EditMaterial& material;
  ScriptConverter& converter;
  // What the edit reports: paragraphs as numbered before it, in order, each once; and how many changes it made.
  std::vector<std::uint32_t> places;
  std::uint64_t changes = 0;
  std::string note;  // "gbk, meta-only"

  void changed(std::size_t paragraph) {
    ++changes;
    if (places.empty() || places.back() != paragraph) places.push_back(static_cast<std::uint32_t>(paragraph));
  }
};

struct EditRow {
  EditInfo info;
  EditPhase phase;
  unsigned weight;  // how often it is drawn, against the others
  bool (*applies)(const Article& article);
  void (*apply)(EditContext& context);
};

std::span<const EditRow> edit_rows();

inline constexpr std::string_view kExactCopyEdit = "exact-copy";
inline constexpr std::string_view kTemplateEdit = "template";
inline constexpr std::string_view kPaginationEdit = "pagination";
inline constexpr std::string_view kScriptEdit = "script";
inline constexpr std::string_view kRegionalWordsEdit = "regional-words";

// The pages that a paginated article has at this strength, before it is known how many paragraphs there are.
std::uint32_t pagination_parts(double strength);

// An edit with its range of strengths, as a corpus asks for it.
struct EditChoice {
  const EditRow* row = nullptr;
  double strength_least = 0;
  double strength_most = 0;
};

// "name", "name=0.3" or "name=0.1-0.5"; an empty list means all edits with their own ranges. kInvalidArgument for an
// unknown name (the nearest known one is suggested), a name given twice, a strength outside (0, 1].
Result<std::vector<EditChoice>> choose_edits(const std::vector<std::string>& specifications);

// The edits, by file.
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

}  // namespace paraprint
