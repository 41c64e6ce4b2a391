#!/usr/bin/env python3
"""Writes tests/cdx/data/surt_keys.tsv: addresses and the keys that the Python package surt gives them.

usage: make_surt_table.py [ADDRESSES [SEED]] > tests/cdx/data/surt_keys.tsv
       make_surt_table.py --of FILE    # the keys of the addresses in FILE, one per line

Requires `pip install surt`. A row is an address, a tab and its key. Bytes other than printable ASCII, and backslashes,
are written as \\xNN. The addresses are those below and random mixtures of odd parts.
"""
import random
import socket
import sys

import surt

SESSION = "0123456789abcdefABCDEF0123456789"
GROUP = "0123456789abcdefghijklmn"

# Escapes are read when the lines are, so that a line break in an address does not end its line.
WRITTEN = r"""
http://example.org
http://example.org/
http://example.org?
http://example.org/?
http://example.org/#a
http://example.org?a=b
HTTP://WWW.EXAMPLE.ORG:80/A/B/?B=1&A=2#C
https://www2.example.org:443/
https://example.org:80/
http://example.org:8080/x
http://example.org:0/x
http://example.org:/x
http://example.org:::/x
http://example.org:65536/x
http://example.org:abc/x
http://example.org:00080/x
http://user:password@www.example.org:8080/x
http://user@host@example.org/x
ftp://user:pw@ftp.example.org:21/pub/
http://www.com/
http://www.www.example.org/
http://www1234.example.org/
http://wwwx.example.org/
http://example..org/
http://...example...org.../
http://./
http:////////example.org/a
http:/example.org/a
http:example.org/a
http:///
http://
http:
example.org/a/b
example.org:8080/a
//example.org/a
/a/b
a
http://https://example.org/a
http://http://https://example.org/
https://http:/x
dns:www.example.org
dns:Example.ORG
whois://whois.example.org/example.org
urn:uuid:E3B0C442-98FC-1C14
urn:X-thing:a/b/
mailto:Someone@Example.org?subject=B&a=A
data:text/html,<P>a b</P>
metadata://example.org/Thing/
file:///home/A/b.html
javascript:alert(1)
filedesc://IAH-2008.arc
screenshot:http://example.org/
http://1.2.3.4/
http://0x7f.1/
http://127.1/
http://1.2.3/
http://1.2.3.256/
http://1.2.65535/
http://1.2.65536/
http://1.16777216/
http://010.010.010.010/
http://08.1.1.1/
http://10.08.1.1/
http://10.010.1.1/
http://2130706433/
http://4294967296/
http://0/
http://00000/
http://1.2.3.4.5/
http://0.0.0.0/
http://1.2.3.4./
http://[::1]/a
http://[2001:DB8::1]:8080/a
http://[fe80::1%25eth0]/a
http://[::1/a
http://example.org/a%20b
http://example.org/a b
http://example.org/%7Ea/%41%2F%3f%23%25
http://example.org/%2541%252541
http://example.org/%2%35%34%31
http://example.org/%%34%31
http://example.org/%zz%4
http://example.org/a?b=%26&c=%3D&%41
http://example.org/a/./b/../c//d/
http://example.org/../../a
http://example.org/a/..
http://example.org/a/.
http://example.org/%2e%2e/a
http://example.org/..a/.../b
http://example.org//
http://example.org/a//
http://ex%41mple.org/
http://ex%2Fample.org/
http://example.org%00/
http://example.org/?b&a&b=&a=1&a=0
http://example.org/?&&b&
http://example.org/?a
http://example.org/?&
http://example.org/?=
http://example.org/?b==2&b=1=&b
http://example.org/?jsessionid={s}
http://example.org/?a=1&JSESSIONID={s}
http://example.org/?jsessionid={s}&a=1
http://example.org/?a=1&jsessionid={s}&b=2&jsessionid={s}
http://example.org/?jsessionid={s}0
http://example.org/?xsid={s}&b
http://example.org/?phpsessid={s}&sid={s}
http://example.org/?PHPSESSID={s}&sid={s}&a=b
http://example.org/?aspsessionidABCDEFGH={l}&a=b
http://example.org/?aspsessionidABCDEFG1={l}&a=b
http://example.org/?cfid=1&cftoken=2&a=b
http://example.org/?a=b&CFID=1&CFTOKEN=2
http://example.org/?cfid=&cftoken=2
http://example.org/?cfid=1&cftoken=
http://example.org/?cfid=cfid=1&cftoken=2&b
http://example.org/({g})/page.aspx
http://example.org/a/({g})/page.aspx?a=b
http://example.org/a/(a({g}))/page.ASPX
http://example.org/a/(a({g})b({g}))/p.aspx/x
http://example.org/a/({g})/.aspx
http://example.org/a/({g})/b/.aspx
http://example.org/a/({g})/x%3Fa.aspx
http://example.org/({g})/({g})/page.aspx
http://example.org/a/({g})/page.html
http://example.org/a;jsessionid={s}
http://example.org/a;jsessionid={s}?b=1
http://b\u00fccher.example/stra\u00dfe?gr\u00f6\u00dfe=1
http://B\u00dcCHER.example/
http://www.\u4f8b\u3048.\u30c6\u30b9\u30c8/\u30d1\u30b9
http://\u4f8b\u3048\u3002\u30c6\u30b9\u30c8\uff0eorg\uff61/
http://xn--bcher-kva.example/
http://xn--b\u00fccher.example/
http://fa\u00df.de/
http://\u05d0\u05d1.example/
http://\u05d0a\u05d1.example/
http://\uff41\uff22c.example/
http://a\u00ad\u00ad.b\u00fc/
http://\u00fc..example/
http://\u00fc.example./
http://.\u00fc.example/
http://{long}\u00fc.example/
http://{long}{long}.\u00fc/
http://\u2488com/
http://\u212b.example/
http://\u00fc\u2028.example/
http://b%C3%BCcher.example/
http://b%FCcher.example/
http://%E4%BE%8B.example/%E4%BE%8B%FF
http://\u00fc%00.example/
http://\U0001f600.example/\U0001f600
http://a_b.example/
http://-a-.example/
http://example.org/\x7f|\\^`{{}}<>"'
http://example.org/a\tb\nc\rd
\x20 http://example.org/a \x20
\u00a0http://example.org/
http://example.org/a\u00a0
http://example.org/?a=\u00fc&b=\u00dc
http://example.org/a?__wb_method=POST&b=c&A=d%20e
http://example.org/a?x=1&__wb_method=PUT&__wb_post_data=aGFsbG8=
http://example.org/api?b=1&__wb_method=POST&a=b c+d&z.2_=y
http://example.org:80a/
http://example.org:8%30/
http://exa mple.org/
http://example.org\\a\\b
http://example.org/a?b?c?d=e?
http://example.org/a#b?c=d
http://example.org/a?#b
http://EXAMPLE.org/%C3%9C/\u00dc?\u00dc=%C3%9C
HTTPS://EXAMPLE.ORG:443/
HTTP:///example.org/a
Http:a
httpx://example.org:80/
httpx:///a/b
h2://www.example.org/
1http://example.org/
a+b-c.d:e/F
:80/a
?a=b
#a
://example.org
http://@example.org/
http://:@:80/
http://:80/a
http://%41:80/
http://%2E/a
"""

SCHEMES = ["http://"] * 8 + ["https://"] * 4 + ["HTTP://", "Https://", "ftp://", "http:", "https:/", "http:///", "",
           "//",
                                                "dns:", "urn:", "whois://", "http://https://", "x-y.z+1://",
                                                "filedesc:"]
USERS = [""] * 8 + ["u@", "u:p@", "a@b@", "%40@", ":@"]
LABELS = ["www", "www1", "WWW2", "a", "Example", "org", "com", "co", "uk", "xn--bcher-kva", "b\u00fccher", "\u4f8b",
          "\u30c6\u30b9\u30c8", "\u00df", "\u0130", "\u03c3\u03c2", "\u0661", "\u05d0", "a_b", "-", "1", "08",
          "255", "256",
          "0x1f", "%41", "%C3%BC", "%fc", "%2e", "%", "", "\uff21", "\u00ad", "\ufb01", "a" * 63, "b" * 64, " ",
          "\u0301"]
NUMBERS = ["1", "0", "10", "010", "255", "256", "65535", "65536", "08", "0377", "16777215", "4294967295",
           "99999999999"]
PORTS = [""] * 8 + [":80", ":443", ":8080", ":0", ":", ":65535", ":65536", ":x", ":08", "::", ":+1", ":\u0661"]
SEGMENTS = ["a", "B", "", ".", "..", "...", "%2e", "%2E%2e", "%2F", "%41", "%252e", "%", "%3F", "%23", "c d",
            "index.html",
            "\u00fc", "%FC", "(%s)" % GROUP, "(x(%s))" % GROUP, "(A(%s)b(%s))" % (GROUP, GROUP), "p.aspx", ".ASPX",
            "x.aspx?",
            ";jsessionid=" + SESSION, "~u", "|", "\\", "+", "'", "\xa0", "\x7f", "()", "(%s" % GROUP, "%u0041"]
PARAMETERS = ["a=1", "A=1", "a", "a=", "=", "", "b=%26", "%41=b", "c=d=e", "\u00fc=\u4f8b", "jsessionid=" + SESSION,
              "PHPSESSID=" + SESSION, "sid=" + SESSION, "xsid=" + SESSION, "sid=" + SESSION + "1", "cfid=1",
              "cftoken=2",
              "CFID=x", "CFTOKEN=", "aspsessionidabcdefgh=" + "abcdefghijklmnopqrstuvwx", "__wb_method=POST", "a b",
              "?",
              "%2541", "b+c", "z" * 40, "__wb_post_data=" + "QUJD" * 4]
FRAGMENTS = [""] * 6 + ["#", "#a", "#?b", "#!/x"]
NOISE = [""] * 12 + [" ", "\t", "\n", "%", "#", "?", "\xff", "@", ":", "/", "[", "]"]


def lookup(host):
    """Instead of asking name servers: only addresses are found."""
    try:
        return host, [], [socket.inet_ntoa(socket.inet_aton(host.decode()))]
    except OSError as error:
        raise socket.gaierror(str(error)) from error


def key(address):
    try:
        return surt.surt(address)
    except Exception:  # as cdxj-indexer does
        return address


def host(chance):
    kind = chance.randrange(10)
    if kind == 0:
        return ".".join(chance.choice(NUMBERS) for _ in range(chance.randint(1, 5)))
    if kind == 1:
        return "[" + chance.choice(["::1", "2001:DB8::1", "::ffff:1.2.3.4", "x"]) + "]"
    return ".".join(chance.choice(LABELS) for _ in range(chance.randint(1, 4)))


def random_address(chance):
    text = chance.choice(SCHEMES) + chance.choice(USERS) + host(chance) + chance.choice(PORTS)
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5))):
        text += "/" + chance.choice(SEGMENTS)
    if chance.random() < 0.5:
        text += "?" + "&".join(chance.choice(PARAMETERS) for _ in range(chance.randint(0, 5)))
    text += chance.choice(FRAGMENTS)
    place = chance.randrange(len(text) + 1)
    noise = chance.choice(NOISE)
    return (text[:place].encode() + (noise.encode("latin-1") if noise == "\xff" else noise.encode())
            + text[place:].encode())


def written_addresses():
    values = {"s": SESSION, "l": "abcdefghijklmnopqrstuvWX", "g": GROUP, "long": "a" * 62}
    for line in WRITTEN.strip("\n").split("\n"):
        yield line.encode().decode("unicode_escape").format(**values).encode()
    for number in ("9" * 20, "9" * 4300, "9" * 4301, "1" + "0" * 4300):
        yield f"http://{number}/".encode()
    yield ("http://a.example:" + "0" * 4300 + "80/").encode()
    yield ("http://a.example:" + "0" * 4298 + "80/").encode()
    yield b""
    yield b" \t\n"


def printable(text):
    data = text if isinstance(text, bytes) else text.encode()
    return "".join(chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\x{byte:02x}" for byte in data)


def main():
    socket.gethostbyname_ex = lookup
    if sys.argv[1:2] == ["--of"]:
        with open(sys.argv[2], "rb") as file:
            addresses = list(dict.fromkeys(line.rstrip(b"\n") for line in file))
    else:
        chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
        addresses = dict.fromkeys(written_addresses())
        addresses |= dict.fromkeys(random_address(chance) for _ in range(count))
    for address in addresses:
        print(printable(address), printable(key(address)), sep="\t")


if __name__ == "__main__":
    main()
