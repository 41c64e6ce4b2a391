"""Single pages: extraction, profiles, comparison, errors."""

import pickle
import subprocess

import pytest

import paraprint

ARTICLE = (
    "<html><head><title>Flood</title></head><body><nav><a href='/'>Home</a></nav><h1>Bridge closed</h1>"
    "<p>The river rose two metres overnight, the council said on Monday, and the old bridge was closed.</p>"
    "<ul><li>Trains between the two towns are replaced by buses until further notice.</li></ul>"
    "<p>Nobody was hurt, though several cellars near the market had to be pumped out by volunteers.</p></body></html>"
)


def test_extract_returns_structure():
    content = paraprint.extract(ARTICLE)
    assert content.title == "Flood"
    assert "Home" not in content.text
    assert [paragraph.role for paragraph in content.paragraphs] == ["heading", "paragraph", "list-item", "paragraph"]
    for paragraph in content.paragraphs:
        assert content.slice(paragraph.begin_bytes, paragraph.end_bytes) == paragraph.text
    assert content.paragraphs[2].list_level == 1


def test_extract_equals_the_output_of_the_program(program, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(ARTICLE, encoding="utf-8")
    printed = subprocess.run([program, "extract", "--text", path], capture_output=True, check=True, text=True).stdout
    assert paraprint.extract(ARTICLE).text + "\n" == printed
    assert paraprint.extract(ARTICLE.encode()).text + "\n" == printed


def test_bytes_are_decoded_by_their_declared_charset():
    page = "<p>中文网页的编码由服务器声明，正文应当完整地保留下来。</p>"
    declared = paraprint.Page(html=page.encode("gb18030"), content_type="text/html; charset=gb18030")
    assert paraprint.extract(declared).text == paraprint.extract(page).text == page[3:-4]


def test_profile_survives_bytes_and_pickle():
    profile = paraprint.profile(ARTICLE)
    assert paraprint.Profile.from_bytes(profile.to_bytes()) == profile
    copy = pickle.loads(pickle.dumps(profile))
    assert copy == profile and hash(copy) == hash(profile) and copy.settings == profile.settings
    assert profile != paraprint.profile(ARTICLE.replace("Monday", "Tuesday"))
    assert profile != "something else"


def test_profile_equals_the_output_of_the_program(program, tmp_path):
    import base64
    import json

    path = tmp_path / "page.html"
    path.write_text(ARTICLE, encoding="utf-8")
    printed = json.loads(subprocess.run([program, "profile", "--bytes", path], capture_output=True, check=True).stdout)
    profile = paraprint.profile(ARTICLE)
    assert profile.to_bytes() == base64.b64decode(printed["profile"])
    assert profile.text_hash == printed["text_hash"]
    assert profile.settings == printed["settings"]
    assert profile.anchors == printed["anchors"]
    for mine, theirs in zip(profile.paragraphs, printed["paragraphs"], strict=True):
        begin_bytes, end_bytes = theirs.pop("span")
        assert {"simhash": None, "begin_bytes": begin_bytes, "end_bytes": end_bytes, **theirs} == mine._asdict()


@pytest.mark.parametrize("broken", [b"", b"\x03", b"x" * 50])
def test_invalid_profile_bytes_are_rejected(broken):
    with pytest.raises(paraprint.Error) as raised:
        paraprint.Profile.from_bytes(broken)
    assert raised.value.code in ("corrupt-data", "unsupported")
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("state", [(), (paraprint.profile(ARTICLE).to_bytes(),), (b"", "", ""), ("text", "")])
def test_pickles_without_bytes_and_settings_are_refused(state):
    made = paraprint.Profile.__new__(paraprint.Profile)
    with pytest.raises(TypeError, match="the state of a Profile is its bytes and the settings"):
        made.__setstate__(state)


def test_compare_returns_matched_passages():
    other = ARTICLE.replace("Monday", "Tuesday")
    compared = paraprint.compare(ARTICLE, other)
    assert compared.verdict == "near" and compared.is_copy
    assert any("Monday" in a and "Tuesday" in b for a, b in compared.passages)
    of_profiles = paraprint.compare(paraprint.profile(ARTICLE), paraprint.profile(other))
    assert of_profiles.spans == compared.spans and of_profiles.resemblance == compared.resemblance
    assert paraprint.compare(ARTICLE, "<p>Something else altogether happened here today.</p>").verdict == "distinct"


def test_compare_equals_the_output_of_the_program(program, tmp_path):
    paths = []
    for name, page in (("a.html", ARTICLE), ("b.html", ARTICLE.replace("Monday", "Tuesday"))):
        paths.append(tmp_path / name)
        paths[-1].write_text(page, encoding="utf-8")
    printed = subprocess.run([program, "compare", "--json", *paths], capture_output=True, check=True, text=True).stdout
    pages = [paraprint.Page(html=path.read_text(encoding="utf-8"), id=str(path)) for path in paths]
    assert paraprint.compare(*pages).to_json() == printed


def test_notebook_representation_is_an_escaped_frame():
    page = "<p>Ten words that stand in both of the pages, &lt;script&gt;alert(1)&lt;/script&gt;.</p>" * 4
    shown = paraprint.compare(page, page.replace("Ten", "Nine"))
    markup = shown._repr_html_()
    assert markup.startswith("<iframe sandbox=") and "<script" not in markup and markup.count('"') == 8
    assert "allow-same-origin" not in markup


def test_profiles_with_different_settings_are_not_compared():
    other = paraprint.profile(ARTICLE, word_hash="blake2b")
    with pytest.raises(ValueError, match="different settings"):
        paraprint.compare(paraprint.profile(ARTICLE), other)
    with pytest.raises(TypeError, match="profile"):
        paraprint.compare(ARTICLE, other)


def test_options_equal_those_of_the_program(program):
    with pytest.raises(TypeError, match="did you mean 'extractor'"):
        paraprint.extract(ARTICLE, extractr="whole-page")
    assert "Home" in paraprint.extract(ARTICLE, extractor="whole-page").text
    for keywords, flags in (
        ({"anchors": -3}, ["--anchors", "-3"]),
        ({"extractor": "none"}, ["--extractor", "none"]),
        ({"word_hash": "x"}, ["--word-hash", "x"]),
    ):
        with pytest.raises(paraprint.Error) as raised:
            paraprint.profile(ARTICLE, **keywords)
        refused = subprocess.run([program, "profile", "-", *flags], capture_output=True, text=True, input="")
        assert refused.returncode == 2 and str(raised.value) in refused.stderr


def test_invalid_pages_are_rejected():
    with pytest.raises(TypeError, match="str or bytes"):
        paraprint.extract(7)
    with pytest.raises(ValueError, match="html or text"):
        paraprint.Page()
    with pytest.raises(UnicodeEncodeError):
        paraprint.extract("half a pair: \ud800")
    assert paraprint.profile("").content_characters == 0


def test_read_pages_equals_the_reading_of_the_program(program, root):
    warnings = []
    crawl = root / "examples" / "demo-crawl"
    pages = list(paraprint.read_pages(*sorted(crawl.glob("*.warc.gz")), warning=warnings.append))
    known = [line.split("\t")[0] for line in (crawl / "pages.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    assert set(known) <= {page.id for page in pages}
    assert any("odd.warc.gz" in line for line in warnings)
    with pytest.raises(ValueError, match="paraprint.Page"):
        next(paraprint.read_pages("<p>A page, not a path.</p>"))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        list(paraprint.read_pages("nowhere"))


def test_changed_synonym_list_is_read_again(tmp_path):
    """Even while objects made from the previous version are alive."""
    words = tmp_path / "words.txt"
    page = "<p>" + "The car stood in front of the harbour office, and nobody knew the owner of that car. " * 3 + "</p>"
    options = {"synonyms": "list", "synonym_list": str(words)}
    words.write_text("car vessel\n")
    first = paraprint.profile(page, **options)
    assert paraprint.profile(page, **options) == first
    words.write_text("car lorry truck\n")
    second = paraprint.profile(page, **options)
    assert second.settings != first.settings
    words.write_text("car\n")
    with pytest.raises(ValueError, match="words.txt:1: a line needs at least two words"):
        paraprint.profile(page, **options)
