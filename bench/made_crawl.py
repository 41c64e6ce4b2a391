#!/usr/bin/env python3
"""Makes a crawl of short pages with families of near copies, a million of them in a few minutes.

usage: bench/made_crawl.py PAGES.jsonl --pages N [--seed S]

Writes JSON lines with id, url, date and html. Words are drawn by Zipf's law from an invented vocabulary
(made_texts.py). The sizes of families fall by a power law: most have one page, a few have hundreds. A copy comes later
than its original, from another page of one of 4,000 hosts, and has none to 40 % of the words replaced, a paragraph
left out, or one added. Hosts have very different sizes, and copies come more often from the larger ones. Pages are in
random order. Memory: about 200 bytes per page.
"""
import argparse
import datetime
import itertools
import json
import random

import made_texts

HOSTS = 4000
# Share of families with at least `size` pages: size ** -TAIL.
TAIL = 1.3
FAMILY_PAGES_MAXIMUM = 2000
FIRST_DAY, DAYS = datetime.date(2023, 1, 1), 900
REPLACED_SHARES = (0, 0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4)


def family_sizes(pages, chance):
    """Yields sizes that add up to `pages`."""
    while pages > 0:
        size = min(pages, FAMILY_PAGES_MAXIMUM, int(chance.random() ** (-1 / TAIL)))
        yield size
        pages -= size


class Maker:
    def __init__(self):
        chance = random.Random(1)
        self.words, self.weights = made_texts.make_vocabulary(chance)
        self.hosts = [f"{''.join(chance.choices(self.words, k=2))}.{chance.choice(['com', 'net', 'org', 'cn'])}"
                      for _ in range(HOSTS)]
        self.host_weights = list(itertools.accumulate(1 / (rank + 20) for rank in range(HOSTS)))
        self.copying_weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(HOSTS)))

    def text(self, chance):
        """The original of a family: a title and paragraphs, as lists of words."""
        return [chance.choices(self.words, cum_weights=self.weights, k=count)
                for count in [chance.randint(4, 9), *(chance.randint(12, 40) for _ in range(chance.randint(2, 5)))]]

    def edit(self, text, chance):
        share = chance.choice(REPLACED_SHARES)
        title, *paragraphs = [[chance.choice(self.words) if share and chance.random() < share else word
                               for word in words] for words in text]
        if share and chance.random() < 0.2 and len(paragraphs) > 2:
            del paragraphs[chance.randrange(len(paragraphs))]
        if share and chance.random() < 0.2:
            paragraphs.append(chance.choices(self.words, cum_weights=self.weights, k=20))
        return [title, *paragraphs]

    def page(self, family, number, seed):
        """The page `number` of a family; 0 is the original."""
        chance = random.Random(f"{seed}/{family}")
        text, day = self.text(chance), chance.randrange(DAYS)
        if number > 0:
            chance = random.Random(f"{seed}/{family}/{number}")
            text = self.edit(text, chance)
            day = min(DAYS - 1, day + int(chance.expovariate(1 / 20)))
        host = chance.choices(self.hosts, cum_weights=self.copying_weights if number else self.host_weights)[0]
        title, *paragraphs = (" ".join(words).capitalize() for words in text)
        return {"id": f"{family}.{number}",
                "url": f"https://{host}/{chance.choice(text[0])}/{family}-{number}.html",
                "date": f"{FIRST_DAY + datetime.timedelta(day)}T{chance.randrange(24):02}:00:00Z",
                "html": f"<!doctype html><title>{title}</title><h1>{title}</h1>"
                        + "".join(f"<p>{paragraph}.</p>" for paragraph in paragraphs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    pages = [(family, number) for family, size in enumerate(family_sizes(given.pages, chance))
             for number in range(size)]
    chance.shuffle(pages)
    maker = Maker()
    with open(given.file, "w", encoding="utf-8") as file:
        for family, number in pages:
            file.write(json.dumps(maker.page(family, number, given.seed)) + "\n")


if __name__ == "__main__":
    main()
