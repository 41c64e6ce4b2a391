#!/usr/bin/env python3
"""Train the two stages of the main-content model and write them as C++ tables.

  train_block_model.py --pages DEV.jsonl.gz --tool BUILD/tools/extraction/paraprint_dump_features \
      --work SCRATCH_DIR [--output src/extract] [--folds 5] [--fold-seed TEXT] \
      [--threads 2]

Each line of --pages: {"id", "dataset", "html", "text"} and, if known, "url", "lang", "tier", "page_type"; "text" is
the main content. Without --output only the cross-validated figures are computed. Needs numpy, scipy,
scikit-learn, catboost and rapidfuzz.

Steps (docs/algorithms/extraction.md explains them):
  1 the C++ tool cuts every page into units of text and writes their features;
  2 each unit is labelled with the share of its tokens that the gold text has (labels.py);
  3 the word lists (lexicons.py) and stage one are cross-validated by site: every page gets weights from a model that
    saw no page of its site;
  4 the C++ tool computes the second-stage features from these weights; stage two is cross-validated on them;
  5 both stages are trained on all pages (stage two still on the weights of step 3) and exported.
"""
import argparse
import collections
import gzip
import hashlib
import json
import math
import os
import re
import struct
import subprocess
from urllib.parse import urlparse

import numpy as np
from catboost import CatBoostClassifier, Pool

import labels
import lexicons

ANSWER_UNIT = 512  # kAnswerUnit of block_model.h
EVEN_WEIGHT, WEIGHT_STEPS = 128, 16  # context_features.h
TREE_DEPTH = 6
SITE_LABELS = 3  # of a host name: enough to distinguish sites
PAGE_WEIGHT_CAP = 4.0  # of all units of a page relative to its content, so that cluttered pages do not dominate
UNITS_TRAINED = 200_000  # sampled by weight, so that many light units cost no time
PARAMETERS = dict(iterations=250, learning_rate=0.12, depth=TREE_DEPTH, l2_leaf_reg=8, border_count=64, rsm=0.25,
                  loss_function='CrossEntropy', verbose=0, allow_writing_files=False)
SCENARIO_FACTOR, SCENARIO_SHIFTS = 1.25, (-7.0, -3.5, 0.0, 3.5, 7.0)  # block_selection.h
SCENARIO_PERCENT = (6, 24, 40, 24, 6)
FIRST_MODELS, SECOND_MODELS = 1, 2  # averaged
MIN_GROUP = 20  # minimum pages of a language, data set or type with a separate figure


def site_of(page):
    """The site of a page, for grouping: from its URL, or else its identifier, or else most of its links."""
    if page.get('url'):
        host = urlparse(page['url']).netloc
    elif page['dataset'] == 'daniel':
        host = page['id'].split('_')[1]
    else:
        links = collections.Counter(re.findall(r'href=["\']?https?://([^/"\'> ]+)', page['html']))
        host = links.most_common(1)[0][0] if links else page['id']
    return '.'.join(host.lower().replace('www.', '').split(':')[0].split('.')[-SITE_LABELS:])


def fold_of(site, folds, seed):
    return int(hashlib.md5((site + seed).encode()).hexdigest(), 16) % folds


def read_pages(path, pages_bin):
    """Write the input of the tool; return the pages without their HTML."""
    pages = []
    with gzip.open(path, 'rt') as source, open(pages_bin, 'wb') as target:
        for line in source:
            page = json.loads(line)
            page['site'] = site_of(page)
            for field in (page['id'], page.pop('html')):
                data = field.encode('utf-8', 'replace')
                target.write(struct.pack('<I', len(data)) + data)
            pages.append(page)
    return pages


def read_units(path, with_texts):
    """Yield, per page of the tool's output, the matrix (units * features) and the list of texts."""
    with open(path, 'rb') as source:
        while header := source.read(8):
            units, features = struct.unpack('<II', header)
            matrix = np.frombuffer(source.read(units * features), np.uint8).reshape(features, units)
            texts = []
            for _ in range(units if with_texts else 0):
                texts.append(source.read(struct.unpack('<I', source.read(4))[0]).decode('utf-8', 'replace'))
            yield matrix.T, texts


def unit_weights(tokens, label, page):
    """Tokens of a unit as a share of its page's content: pages count equally, and errors count as in F1."""
    pages = page[-1] + 1 if len(page) else 0
    content = np.bincount(page, tokens * label, pages)
    weight = tokens / (content[page] + 20.0)
    total = np.bincount(page, weight, pages)
    weight *= np.minimum(1, PAGE_WEIGHT_CAP / np.maximum(total, 1e-9))[page]
    return weight * (content[page] > 0)


def sample(weight, keep):
    """Sample about `keep` units: heavy ones always, light ones at random, with weights adjusted accordingly."""
    low, high = 1e-9, 10.0
    for _ in range(60):
        border = math.sqrt(low * high)
        low, high = (border, high) if np.minimum(1, weight / border).sum() > keep else (low, border)
    chance = np.minimum(1, weight / border)
    kept = np.random.default_rng(5).random(len(weight)) < chance
    return np.where(kept, weight / np.maximum(chance, 1e-12), 0)


def fit(features, label, weight, threads, models):
    """Several models with different random seeds; their mean is better than any single one."""
    used = weight > 0
    pool = Pool(features[used], label[used], weight=weight[used])
    return [
        CatBoostClassifier(thread_count=threads, random_seed=seed + 1, **PARAMETERS).fit(pool) for seed in range(models)
    ]


def cross_validate(features, label, weight, page, fold, threads, models):
    """Log-odds of every unit from models trained without its fold."""
    raw = np.zeros(len(label))
    for k in range(fold.max() + 1):
        held = fold[page] == k
        for model in fit(features, label, np.where(held, 0, weight), threads, models):
            raw[held] += model.predict(features[held], prediction_type='RawFormulaVal') / models
    return raw


def quantise(raw):
    return np.clip(np.floor(raw * WEIGHT_STEPS + 0.5) + EVEN_WEIGHT, 0, 255).astype(np.uint8)


def select(weights, tokens, counts):
    """block_selection.cc in numpy."""
    log_odds = (np.arange(255, -1, -1) - EVEN_WEIGHT) / WEIGHT_STEPS  # heaviest first
    probability = 1 / (1 + np.exp(-(SCENARIO_FACTOR * log_odds + np.array(SCENARIO_SHIFTS)[:, None])))
    percent = np.array(SCENARIO_PERCENT)[:, None]
    chosen = np.zeros(len(weights), bool)
    begin = 0
    for count in counts:
        own = weights[begin:begin + count]
        if count:
            mass = np.bincount(own, tokens[begin:begin + count], 256)[::-1]
            content = np.cumsum(mass * probability, axis=1)
            f1 = (percent * 2 * content / (content[:, -1:] + np.cumsum(mass) + 1e-9)).sum(0)
            chosen[begin:begin + count] = own >= 255 - int(np.argmax(f1))
        begin += count
    return chosen


def mean_of(f1, pages, chosen):
    """Mean and standard error as text. Pages of a site fail together, so sites are the sampling unit."""
    mean = np.mean(f1[chosen])
    deviations = collections.defaultdict(float)
    for i in chosen:
        deviations[pages[i]['site']] += f1[i] - mean
    return f'{mean:.4f} +-{math.sqrt(sum(d * d for d in deviations.values())) / len(chosen):.4f}'


def report(title, f1, pages):
    human = [i for i, page in enumerate(pages) if page.get('tier') != 'tool-snapshot']
    print(f'{title}: mean F1 {mean_of(f1, pages, human)} over {len(human)} pages')
    for key in ('lang', 'dataset', 'page_type'):
        groups = collections.defaultdict(list)
        for i in human:
            groups[pages[i].get(key)].append(i)
        print('   ' + '  '.join(f'{name} {mean_of(f1, pages, group)}' for name, group in
                                sorted(groups.items(), key=lambda group: -len(group[1])) if len(group) >= MIN_GROUP))


def write_models(models, name, path, scratch):
    """The mean of several models as one list of trees."""
    bias_sum, lines = 0.0, []
    for model in models:
        model.save_model(scratch, format='json')
        with open(scratch) as source:
            exported = json.load(source)
        scale, (bias,) = exported['scale_and_bias']
        bias_sum += bias
        for tree in exported['oblivious_trees']:
            questions = [(split['float_feature_index'], int(split['border'])) for split in tree['splits']]
            answers = [round(value * scale * ANSWER_UNIT / len(models)) for value in tree['leaf_values']]
            questions += [(0, 255)] * (TREE_DEPTH - len(questions))  # 255 is never exceeded
            answers += [0] * (2 ** TREE_DEPTH - len(answers))
            lines.append('{{{' + ','.join('{%d,%d}' % question for question in questions) + '}},{{' +
                         ','.join(map(str, answers)) + '}}},')
    with open(path, 'w') as target:
        target.write('// Generated by tools/extraction/train_block_model.py: numbers only. Do not edit.\n')
        target.write(f'constexpr std::int16_t k{name}StageBias = {round(bias_sum * ANSWER_UNIT / len(models))};\n')
        target.write(f'const ObliviousTree k{name}StageTrees[] = {{\n' + '\n'.join(lines) + '\n};\n')


def write_probabilities(folder):
    """The tables of context_features.h and block_selection.h, so that no math function is called at run time."""
    def table(factor, shift):
        values = [
            round(65535 / (1 + math.exp(-(factor * (i - EVEN_WEIGHT) / WEIGHT_STEPS + shift)))) for i in range(256)
        ]
        return ',\n'.join(','.join(map(str, values[i:i + 16])) for i in range(0, 256, 16))
    note = '// Generated by tools/extraction/train_block_model.py: numbers only. Do not edit.\n'
    with open(os.path.join(folder, 'weight_probability.inc'), 'w') as target:
        target.write(note + table(1, 0) + '\n')
    with open(os.path.join(folder, 'scenario_probability.inc'), 'w') as target:
        target.write(note + ',\n'.join('std::array<std::uint16_t, 256>{\n' + table(SCENARIO_FACTOR, shift) + '}'
                                       for shift in SCENARIO_SHIFTS) + '\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pages', required=True)
    parser.add_argument('--tool', required=True)
    parser.add_argument('--work', required=True)
    parser.add_argument('--output')
    parser.add_argument('--folds', type=int, default=5)
    parser.add_argument('--fold-seed', default='', help='another value assigns the sites to other folds')
    parser.add_argument('--threads', type=int, default=2)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    work = lambda name: os.path.join(options.work, name)

    pages = read_pages(options.pages, work('pages.bin'))
    subprocess.run([options.tool, work('pages.bin'), work('units.bin')], check=True)
    units = list(read_units(work('units.bin'), True))
    features = np.concatenate([matrix for matrix, _ in units])
    counts = np.array([len(texts) for _, texts in units])
    page = np.repeat(np.arange(len(pages)), counts)
    texts, golds = [texts for _, texts in units], [p['text'] for p in pages]
    tokens, label = labels.label_pages(texts, golds, options.threads)
    fold = np.array([fold_of(p['site'], options.folds, options.fold_seed) for p in pages])
    scores = lambda chosen: labels.score_pages(texts, golds, np.split(chosen, np.cumsum(counts)[:-1]), options.threads)
    weight = sample(unit_weights(tokens, label, page), UNITS_TRAINED)
    site = np.unique([p['site'] for p in pages], return_inverse=True)[1][page]
    subprocess.run([options.tool, work('pages.bin'), work('words.bin'), '--words'], check=True)
    words, names = lexicons.read_words(work('words.bin'))
    lexical_row = int(subprocess.run([options.tool, '--lexical-row'], check=True, capture_output=True).stdout)
    lexical = slice(lexical_row, lexical_row + 3)
    trained = features.copy()
    for k in range(options.folds):
        held = fold[page] == k
        lists = lexicons.fit(words, names, label, np.where(held, 0, weight), site)
        trained[held, lexical] = lexicons.features(words[held], names[held], *lists, tokens[held])
    features = trained
    report('labels themselves', scores(label > 0.5), pages)

    first = quantise(cross_validate(features, label, weight, page, fold, options.threads, FIRST_MODELS))
    report('first stage, cross-validated', scores(select(first, tokens, counts)), pages)
    first.tofile(work('first.weights'))
    subprocess.run([options.tool, work('pages.bin'), work('context.bin'), work('first.weights')], check=True)
    context = np.concatenate([matrix for matrix, _ in read_units(work('context.bin'), False)])
    both = np.hstack([features, context])
    second = quantise(cross_validate(both, label, weight, page, fold, options.threads, SECOND_MODELS))
    report('second stage, cross-validated', scores(select(second, tokens, counts)), pages)

    if options.output:
        place = lambda name: os.path.join(options.output, name)
        text_lexicon, name_lexicon = lexicons.fit(words, names, label, weight, site)
        lexicons.write(text_lexicon, place('text_lexicon.inc'))
        lexicons.write(name_lexicon, place('name_lexicon.inc'))
        first_models = fit(features, label, weight, options.threads, FIRST_MODELS)
        write_models(first_models, 'First', place('block_model_first.inc'), work('first.json'))
        second_models = fit(both, label, weight, options.threads, SECOND_MODELS)
        write_models(second_models, 'Second', place('block_model_second.inc'), work('second.json'))
        write_probabilities(options.output)


if __name__ == '__main__':
    main()
