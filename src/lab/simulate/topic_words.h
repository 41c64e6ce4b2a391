// The words that say most about an article's topic.
#pragma once

#include "lab/simulate/language/article.h"
#include "lab/simulate/page_group.h"

namespace paraprint {

// The words of highest count times rarity, of those that occur more than once.
TopicWords topic_words(const Article& article);

}  // namespace paraprint
