// Finds the most characteristic words of an article.
#pragma once

#include "lab/simulate/language/article.h"
#include "lab/simulate/page_group.h"

namespace paraprint::inline lab::inline simulate {

// The words with the highest count times IDF, among those that occur more than once.
TopicWords topic_words(const Article& article);

}  // namespace paraprint::inline lab::inline simulate
