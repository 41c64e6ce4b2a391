// lexbor keeps the tag and attribute names of a page that the standard doesn't know in hash tables that never grow: 128
// buckets, so that a page of a million invented names would take quadratic time. These functions give the tables room.
#pragma once

#include <lexbor/html/html.h>

namespace paraprint {

// For a new document, before its first parse. False if memory is refused.
bool widen_name_tables(lxb_html_document_t* document);

// Doubles tables that hold more names than they have buckets; between chunks of input. True if any grew: the document
// is then better not used for another page, since cleaning costs the size of the tables. Cost: O(1), O(names) when
// growing.
bool grow_crowded_name_tables(lxb_html_document_t* document);

}  // namespace paraprint
