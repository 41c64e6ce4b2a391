"""The scenarios of fault_loop_test.py: a command with its input, its result, and what it must not lose."""
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import crawl_site
import crawl_support
import support
from support import article, html_of, json_line, member, page_record

STANDARD_OUTPUT = "standard-output"


class Run:
    """A finished run: its exit code (negative: the signal), its messages, its output, whether it had to be stopped, and
    whether a service has refused requests or left them without an answer."""

    def __init__(self, code, said, output="", is_hanging=False, has_refused=False):
        self.code, self.said, self.output, self.is_hanging = code, said, output, is_hanging
        self.has_refused = has_refused
        self.is_undisturbed = False


class HangWatch:
    """Tells a process that hangs from one that a busy machine slows down: it has used `limit_seconds` of processor
    time, or spent as long asleep without using any, or is running after twenty times as long."""
    SAMPLE_SECONDS = 1.0
    ASLEEP_SHARE = 0.1  # of a processor; a thread that polls uses a little

    def __init__(self, running, limit_seconds):
        self.folder = pathlib.Path(f"/proc/{running.pid}")
        self.limit_seconds = limit_seconds
        self.begun = time.monotonic()
        self.used_seconds = 0.0
        self.asleep_seconds = 0.0

    def hangs(self):
        """To be called every SAMPLE_SECONDS, or more often."""
        try:
            states = [self.fields(task)[0] for task in (self.folder / "task").iterdir()]
            used_seconds = sum(map(int, self.fields(self.folder)[11:13])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return False  # it has just ended
        is_asleep = not {"R", "D"} & {*states}
        if is_asleep and used_seconds - self.used_seconds <= self.ASLEEP_SHARE * self.SAMPLE_SECONDS:
            self.asleep_seconds += self.SAMPLE_SECONDS
        else:
            self.asleep_seconds = 0.0
        self.used_seconds = used_seconds
        return (max(self.used_seconds, self.asleep_seconds) >= self.limit_seconds
                or time.monotonic() - self.begun > 20 * self.limit_seconds)

    @staticmethod
    def fields(folder):
        """Those of `stat` behind the name, which may contain spaces."""
        return (folder / "stat").read_text().rpartition(")")[2].split()


def wait_until_end(running, limit_seconds, wait):
    """What wait(seconds) returns, or the exception TimeoutExpired if the process hangs."""
    watch = HangWatch(running, limit_seconds)
    while True:
        try:
            return wait(HangWatch.SAMPLE_SECONDS)
        except subprocess.TimeoutExpired:
            if watch.hangs():
                raise


def run_command(folder, arguments, environment, limit_seconds):
    """Runs the program in the folder, with standard output in a file."""
    output = folder / STANDARD_OUTPUT
    with output.open("wb") as standard_output:
        running = subprocess.Popen([support.program, *arguments], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=standard_output, stderr=subprocess.PIPE)
        is_hanging = False
        try:
            _, said = wait_until_end(running, limit_seconds, lambda seconds: running.communicate(timeout=seconds))
        except subprocess.TimeoutExpired:
            is_hanging = True
            running.kill()
            _, said = running.communicate()
    return Run(running.returncode, said.decode(errors="replace"), output.read_text(errors="replace"), is_hanging)


def pages(seeds, crawl):
    return b"".join(json_line(f"{crawl}-{seed}", html_of(article(seed, 3)), f"http://{crawl}.example/{seed}")
                    for seed in seeds)


class Scenario(contextlib.AbstractContextManager):
    """A command that is run in a folder of its own. prepare() makes what it starts from; result() is compared with that
    of an undisturbed run."""
    name = ""
    arguments = ()
    # What the command says if its work is complete already, which is then no reason to do it again.
    said_when_done = None

    def __init__(self, fault):
        """`fault`: gives the environment of a run with a fault."""
        self.fault = fault

    def __exit__(self, *_):
        pass

    def prepare(self, folder):
        raise NotImplementedError

    def run(self, folder, environment, limit_seconds):
        return run_command(folder, self.arguments, environment, limit_seconds)

    def run_undisturbed(self, folder, limit_seconds):
        ran = self.run(folder, None, limit_seconds)
        ran.is_undisturbed = True
        return ran

    def result(self, folder, ran):
        raise NotImplementedError

    def lost(self, folder, ran):
        """What was acknowledged by the run with the fault and isn't there, or nothing."""
        return []

    def call(self, folder, *arguments):
        """Runs another command, which must succeed; returns its output."""
        ran = run_command(folder, arguments, None, support.RUN_LIMIT_SECONDS)
        if ran.code != support.SUCCESS:
            raise AssertionError(f"{arguments}: exit code {ran.code}: {ran.said}")
        return ran.output


class Dedup(Scenario):
    """Two small archives with copies and an edit; all outputs are written."""
    name = "dedup"
    arguments = ("dedup", "in/plain.warc", "in/packed.warc.gz", "--out", "out", "--tmp", "tmp", "--threads", "1",
                 "--revisits")

    def prepare(self, folder):
        edited = article(1, 4)
        edited[1] = article(50)[0]
        records = [page_record(number, f"http://site{number % 2}.example/{number}", html_of(text).encode())
                   for number, text in enumerate([article(1, 4), article(2, 4), edited, article(1, 4), article(3, 4)])]
        (folder / "in").mkdir()
        (folder / "tmp").mkdir()
        (folder / "in/plain.warc").write_bytes(b"".join(records[:3]))
        (folder / "in/packed.warc.gz").write_bytes(b"".join(map(member, records[3:])))

    def result(self, folder, ran):
        left = [path.relative_to(folder).as_posix() for path in (folder / "out/.paraprint").rglob("*")]
        # A temporary folder that cannot be removed is no reason to fail; the next run removes it.
        if ran.is_undisturbed:
            left += [path.name for path in (folder / "tmp").iterdir()]
        return {**support.output_files(folder / "out"), "files left": sorted(left)}


class DedupAgainstIndex(Dedup):
    """The same with an index of known pages, to which the kept ones are added."""
    name = "dedup --index"
    arguments = (*Dedup.arguments, "--index", "known")

    def result(self, folder, ran):
        return {**super().result(folder, ran), "index": exported(self, folder)}


TIMES = ("first_seen", "last_seen")


def exported(scenario, folder, data="known"):
    """The pages of an index, without the times when they were seen; the index must be sound."""
    scenario.call(folder, "index", "verify", "--data", data)
    found = [json.loads(line) for line in scenario.call(folder, "index", "export", "--profiles", "--data", data)
             .splitlines()]
    return [{name: value for name, value in page.items() if name not in TIMES} for page in found]


class IndexScenario(Scenario):
    """A command on an index of five pages, one of which was deleted."""

    def prepare(self, folder):
        (folder / "first.jsonl").write_bytes(pages(range(5), "one"))
        (folder / "second.jsonl").write_bytes(pages(range(3, 8), "two"))
        self.call(folder, "index", "add", "--data", "known", "first.jsonl")
        self.call(folder, "index", "delete", "--data", "known", "one-1")

    def result(self, folder, ran):
        return {"pages": exported(self, folder)}

    def ids(self, folder, data="known"):
        return {page["id"] for page in exported(self, folder, data)}

    @staticmethod
    def printed(ran):
        """The complete lines of the output."""
        return [json.loads(line) for line in ran.output.split("\n")[:-1]]


class IndexBuild(IndexScenario):
    name = "index build"
    arguments = ("index", "add", "--data", "known", "first.jsonl", "--threads", "1")

    def prepare(self, folder):
        (folder / "first.jsonl").write_bytes(pages(range(5), "one"))

    def lost(self, folder, ran):
        acknowledged = {page["id"] for page in self.printed(ran) if page["stored"]}
        return acknowledged - self.ids(folder) if acknowledged else set()


class IndexAdd(IndexBuild):
    name = "index add"
    arguments = ("index", "add", "--data", "known", "second.jsonl", "--threads", "1")
    prepare = IndexScenario.prepare


class IndexFind(IndexScenario):
    name = "index find"
    arguments = ("index", "find", "--data", "known", "second.jsonl", "--threads", "1", "--evidence")

    def result(self, folder, ran):
        return {"output": ran.output}


class IndexDelete(IndexScenario):
    name = "index delete"
    arguments = ("index", "delete", "--data", "known", "one-2", "one-3")

    def lost(self, folder, ran):
        """Deletions."""
        return {page["id"] for page in self.printed(ran)} & self.ids(folder)


class IndexExpire(IndexScenario):
    name = "index expire"

    def prepare(self, folder):
        super().prepare(folder)
        time.sleep(1.1)  # ages are whole seconds
        self.arguments = ("index", "expire", "--data", "known", "--before", str(int(time.time())))
        self.call(folder, "index", "add", "--data", "known", "second.jsonl")


class IndexCompact(IndexScenario):
    name = "index compact"
    arguments = ("index", "compact", "--data", "known")


class IndexBackup(IndexScenario):
    name = "index backup"
    arguments = ("index", "backup", "--data", "known", "--to", "backup")
    said_when_done = "backup already exists"

    def result(self, folder, ran):
        """The backup is restored to be read: it isn't an index by itself."""
        shutil.rmtree(folder / "restored", ignore_errors=True)
        self.call(folder, "index", "restore", "--from", "backup", "--data", "restored")
        return {"pages": exported(self, folder), "backup": exported(self, folder, "restored")}


class IndexRestore(IndexScenario):
    name = "index restore"
    arguments = ("index", "restore", "--from", "backup", "--data", "restored")
    said_when_done = "restored already exists"

    def prepare(self, folder):
        super().prepare(folder)
        self.call(folder, "index", "backup", "--data", "known", "--to", "backup")

    def result(self, folder, ran):
        return {"pages": exported(self, folder, "restored")}


class Serve(Scenario):
    """A service that adds and deletes pages, one by one and in bulk, looks them up, and is stopped."""
    name = "serve"
    arguments = ("serve", "--data", "known", "--port", "0", "--threads", "1")
    ANSWER_SECONDS = 30
    PAGES = 6

    def prepare(self, folder):
        self.call_requests = [
            *[("POST", "/v1/pages", json.dumps(self.page(number)).encode(), "application/json") for number in range(3)],
            ("POST", "/v1/bulk/pages", b"".join(json.dumps(self.page(number)).encode() + b"\n"
                                                for number in range(3, self.PAGES)), "application/x-ndjson"),
            ("POST", "/v1/lookup", json.dumps({"html": html_of(article(1, 3))}).encode(), "application/json"),
            ("GET", "/v1/pages/page-0", None, None),
            ("DELETE", "/v1/pages/page-2", None, None),
            ("GET", "/v1/stats", None, None),
        ]

    @staticmethod
    def page(number):
        return {"id": f"page-{number}", "html": html_of(article(number, 3))}

    def run(self, folder, environment, limit_seconds):
        """Acknowledged changes are collected in `acknowledged`: page -> whether it is stored."""
        messages = folder / "messages"
        with messages.open("wb") as errors:
            running = subprocess.Popen([support.program, *self.arguments], cwd=folder, env=environment,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        is_hanging = False
        has_refused = False
        acknowledged = {}
        try:
            port = self.port_of(running, messages, limit_seconds)
            if port is not None:
                has_refused = not all([self.send(port, request, acknowledged) for request in self.call_requests])
                running.send_signal(signal.SIGTERM)
            wait_until_end(running, limit_seconds, running.wait)
        except (subprocess.TimeoutExpired, TimeoutError):
            is_hanging = True
            running.kill()
            running.wait()
        ran = Run(running.returncode, messages.read_text(errors="replace"), "", is_hanging, has_refused)
        ran.acknowledged = acknowledged
        return ran

    @staticmethod
    def port_of(running, messages, limit_seconds):
        """None if the service ends before it listens."""
        watch = HangWatch(running, limit_seconds)
        sampled = time.monotonic()
        while True:
            for line in messages.read_bytes().split(b"\n")[:-1]:
                if line.startswith(b"{") and "port" in json.loads(line):
                    return json.loads(line)["port"]
            if running.poll() is not None:
                return None
            if time.monotonic() - sampled >= HangWatch.SAMPLE_SECONDS:
                sampled = time.monotonic()
                if watch.hangs():
                    raise TimeoutError
            time.sleep(0.005)

    def send(self, port, request, acknowledged):
        """Returns whether everything that was asked for was done."""
        method, target, body, content_type = request
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=self.ANSWER_SECONDS)
        try:
            connection.request(method, target, body, {"Content-Type": content_type} if content_type else {})
            response = connection.getresponse()
            text = response.read().decode()
        except TimeoutError:
            raise
        except ConnectionRefusedError:
            return False
        except (OSError, http.client.HTTPException):
            self.leave_open(method, target, acknowledged)
            return False
        finally:
            connection.close()
        if response.status == 404 and method == "DELETE":
            return True
        if response.status == 500:
            self.leave_open(method, target, acknowledged)
        if response.status != 200:
            return False
        if method == "DELETE":
            acknowledged[target.rpartition("/")[2]] = False
            return True
        if not target.endswith("/pages"):
            return True
        answers = [json.loads(line) for line in text.splitlines()]
        for answer in answers:
            if answer.get("stored"):
                acknowledged[answer["id"]] = True
        return all("error" not in answer for answer in answers)

    @staticmethod
    def leave_open(method, target, acknowledged):
        """A deletion that reached the service and was not confirmed may be done or not: it is written to the log before
        the sync that failed or the kill."""
        if method == "DELETE":
            acknowledged.pop(target.rpartition("/")[2], None)

    def result(self, folder, ran):
        # A page may have been stored by a request without an answer, so numbers of texts may differ.
        return {"pages": [{name: value for name, value in page.items() if name != "text"}
                          for page in exported(self, folder)]}

    def lost(self, folder, ran):
        if not ran.acknowledged:
            return set()
        stored = {page["id"] for page in exported(self, folder)}
        return {page for page, is_stored in ran.acknowledged.items() if is_stored != (page in stored)}


class Crawl(Scenario):
    """A site of seven addresses: articles, a copy, a redirect, a missing page."""
    name = "crawl"

    def __enter__(self):
        page, answer = crawl_site.article_page, crawl_site.answer
        self.site = crawl_site.Site({
            "/": answer(crawl_site.page("Home", article(30), ["/a/1", "/a/2", "/copy", "/moved", "/missing"])),
            "/a/1": answer(page(1)), "/a/2": answer(page(2, ["/a/3"])), "/a/3": answer(page(3)),
            "/copy": answer(page(1, print_version=True)), "/moved": crawl_site.redirect("/a/2")},
            robots=b"User-agent: *\nDisallow: /private\n")
        self.arguments = ("crawl", self.site.root + "/", "--out", "out", "--allow-address", "127.0.0.1", "--delay", "0",
                          "--retry-pause", "0.02", "--quiet")
        return self

    def __exit__(self, *_):
        self.site.close()

    def prepare(self, folder):
        pass

    def result(self, folder, ran):
        archive = crawl_support.CrawlTest("assert_archive_agrees_with_log")
        archive.folder = folder
        records = [(record.kind, record.url) for record in archive.assert_archive_agrees_with_log()
                   if record.kind in ("response", "revisit")]
        lines = [json.loads(line) for line in (folder / "out/log.jsonl").read_text().splitlines()]
        fates = [(line["url"], line["status"], line.get("reason"), line.get("known_url")) for line in lines]
        return {"log": fates, "records": records, "complete": archive.summary()["is_complete"],
                "index": [page["id"] for page in exported(self, folder, "out/.paraprint/index")]}


class CrawlResumed(Crawl):
    """A crawl that was killed, with the journal that it left behind."""
    name = "crawl resumed"
    KILLED_AT_WRITE = 60

    def prepare(self, folder):
        ran = run_command(folder, self.arguments, self.fault(f"write:{self.KILLED_AT_WRITE}:kill:once"), None)
        if ran.code != -signal.SIGKILL or not (folder / "out/.paraprint/journal").exists():
            raise AssertionError(f"exit code {ran.code} instead of a kill: {ran.said}")


class Algorithms(Scenario):
    """A command that only prints JSON."""
    name = "algorithms"
    arguments = ("algorithms", "--json")

    def prepare(self, folder):
        pass

    def result(self, folder, ran):
        return {"output": ran.output}


class TopicsInfer(Scenario):
    """A page with a long id, and its topics."""
    name = "topics infer"
    arguments = ("topics", "infer", "model.topics", "page.jsonl", "--threads", "1")

    def prepare(self, folder):
        (folder / "pages.jsonl").write_bytes(pages(range(8), "one"))
        (folder / "page.jsonl").write_bytes(json_line("i" * 5000, html_of(article(3))))
        self.call(folder, "topics", "train", "pages.jsonl", "--out", "model.topics", "--topics", "2", "--min-pages",
                  "1", "--max-share", "1", "--quiet")

    def result(self, folder, ran):
        return {"output": ran.output}


SCENARIOS = {scenario.name.replace(" --", "-").replace(" ", "-"): scenario
             for scenario in (Dedup, DedupAgainstIndex, IndexBuild, IndexAdd, IndexFind, IndexDelete, IndexExpire,
                              IndexCompact, IndexBackup, IndexRestore, Serve, Crawl, CrawlResumed, Algorithms,
                              TopicsInfer)}
