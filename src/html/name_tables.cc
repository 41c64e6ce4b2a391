// Rehashes lexbor's tables from outside. This relies on the internal layout of lexbor_hash_t: a bucket is a singly
// linked list, and its index is the hash modulo table_size, which is read on every access.
#include "html/name_tables.h"

#include <random>

namespace paraprint::inline html {
namespace {

// More than the invented names of most pages. All buckets are cleaned for every page, so a greater number would cost
// more than it saves.
constexpr std::size_t kBucketsMinimum = 512;
constexpr std::size_t kGrowthFactor = 4;

// The hash function is known, so a page could have thousands of names for one bucket if it knew their number. An odd
// number between kBucketsMinimum and its double is chosen per process. Ids of names do not depend on it.
std::size_t first_buckets() {
  static const std::size_t buckets = kBucketsMinimum + (std::random_device()() % kBucketsMinimum | 1);
  return buckets;
}

bool replace_table(lexbor_hash_t** table, std::size_t entry_bytes) {
  lexbor_hash_destroy(*table, true);
  *table = lexbor_hash_create();
  return lexbor_hash_init(*table, first_buckets(), entry_bytes) == LXB_STATUS_OK;
}

bool grow_if_crowded(lexbor_hash_t* table) {
  if (lexbor_dobject_allocated(table->entries) <= table->table_size) return false;
  const std::size_t buckets = table->table_size * kGrowthFactor;
  auto** grown = static_cast<lexbor_hash_entry_t**>(lexbor_calloc(buckets, sizeof(lexbor_hash_entry_t*)));
  if (grown == nullptr) return false;  // the old table still works, only more slowly
  for (std::size_t i = 0; i < table->table_size; ++i) {
    lexbor_hash_entry_t* entry = table->table[i];
    while (entry != nullptr) {
      lexbor_hash_entry_t* const next = entry->next;
      // Names are stored in the case in which they were hashed, so they hash to the same value again.
      lexbor_hash_entry_t*& bucket = grown[lexbor_hash_make_id(lexbor_hash_entry_str(entry), entry->length) % buckets];
      entry->next = bucket;
      bucket = entry;
      entry = next;
    }
  }
  lexbor_free(table->table);
  table->table = grown;
  table->table_size = buckets;
  return true;
}

}  // namespace

bool widen_name_tables(lxb_html_document_t* document) {
  return replace_table(&document->dom_document.tags, sizeof(lxb_tag_data_t)) &&
         replace_table(&document->dom_document.attrs, sizeof(lxb_dom_attr_data_t));
}

bool grow_crowded_name_tables(lxb_html_document_t* document) {
  // Both tables must be checked, so the first result is stored instead of short-circuited.
  const bool tags_grew = grow_if_crowded(document->dom_document.tags);
  return grow_if_crowded(document->dom_document.attrs) || tags_grew;
}

}  // namespace paraprint::inline html
