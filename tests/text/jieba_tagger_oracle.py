"""Tags each line of standard input as one word with the hidden Markov model of Python's jieba (posseg); "-" if it would
split the line into several words or does not know its characters.

usage: jieba_tagger_oracle.py JIEBA_DIRECTORY < lines"""
import logging
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
import jieba  # noqa: E402
from jieba.posseg import char_state_tab_P, emit_P, start_P, trans_P  # noqa: E402
from jieba.posseg.viterbi import viterbi  # noqa: E402


def main():
    jieba.setLogLevel(logging.ERROR)
    for line in sys.stdin.buffer:
        word = line.decode("utf-8").rstrip("\n")
        probability, path = viterbi(word, char_state_tab_P, start_P, trans_P, emit_P)
        places = "".join(state[0] for state in path)
        is_word = places == "S" if len(word) == 1 else places == "B" + "M" * (len(word) - 2) + "E"
        print(path[0][1] if is_word and probability > -1e90 else "-")


if __name__ == "__main__":
    main()
