// lexbor stores non-standard tag and attribute names of a page in hash tables that never grow. With their 128 buckets,
// a page with a million invented names would take quadratic time. These functions enlarge the tables.
#pragma once

#include <lexbor/html/html.h>

namespace paraprint::inline html {

// Call it for a new document, before its first parse. False if out of memory.
bool widen_name_tables(lxb_html_document_t* document);

// Enlarges tables with more names than buckets. Call it between chunks of input. True if any table grew: the document
// should then not be reused for another page, because the cost of cleaning depends on the size of the tables. Cost:
// O(1), or O(names) when growing.
bool grow_crowded_name_tables(lxb_html_document_t* document);

}  // namespace paraprint::inline html
