#!/usr/bin/env python3
"""What packaging/ says of the service, compared with the service: options, metrics, calls, alerts and their page.

usage: deployment_test.py PROGRAM PACKAGING DOCUMENTS

promtool checks the alert rules and PyYAML reads the manifests where they are installed.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import support  # noqa: E402
from serve_support import ServeTest, Service  # noqa: E402
from support import article, html_of, json_line  # noqa: E402

# Metrics that Prometheus and Kubernetes make themselves.
FOREIGN_METRICS = {"up"}

packaging = documents = pathlib.Path()  # set by main()


def text_of(*names):
    return packaging.joinpath(*names).read_text()


def dashboard_panels():
    return json.loads(text_of("monitoring", "dashboard.json"))["panels"]


def expressions():
    """Each query of the dashboard and the alerts, with where it is."""
    found = [(f"panel '{panel['title']}'", target["expr"])
             for panel in dashboard_panels() for target in panel["targets"]]
    rules = text_of("monitoring", "alerts.yaml")
    for name, query in re.findall(r"- alert: (\w+)\n +expr: (\|\n(?: {10,}.*\n)+|.*\n)", rules):
        found.append((f"alert {name}", query))
    return found


def documented_alerts():
    """Names in the first column of the table of alerts."""
    return re.findall(r"^\| `(Paraprint\w+)` \|", (documents / "operations.md").read_text(), re.M)


class Monitoring(ServeTest):
    def metrics(self):
        """The exported series: name -> label -> values."""
        service = self.serve()
        page = html_of(article(1)).encode()
        self.call(service, "POST", "/v1/pages?id=one", page, "text/html")
        self.call(service, "POST", "/v1/lookup", page, "text/html")
        service.request("POST", "/v1/bulk/pages", json_line("two", html_of(article(2))), "application/x-ndjson")
        series = {}
        for line in service.request("GET", "/metrics")[1].splitlines():
            if line.startswith("#"):
                continue
            name, labels = re.match(r"(\w+)(?:\{(.*)\})? \S+$", line).groups()
            values = series.setdefault(name, {})
            for label, value in re.findall(r'(\w+)="([^"]*)"', labels or ""):
                values.setdefault(label, set()).add(value)
        return series

    def test_queries_use_what_is_exported(self):
        exported = self.metrics()
        queries = expressions()
        self.assertGreater(len(queries), 30)
        for place, query in queries:
            with self.subTest(place):
                names = re.findall(r"\b(up|paraprint_\w+)\b", query)
                self.assertTrue(names, query)
                self.assertEqual(set(names) - set(exported) - FOREIGN_METRICS, set())
                for name, matchers in re.findall(r"\b(paraprint_\w+)\{([^}]*)\}", query):
                    for label, kind, pattern in re.findall(r"""(\w+)(!=|=~|!~|=)["']([^"']*)["']""", matchers):
                        if label in ("instance", "status"):  # made by Prometheus; only statuses that occurred are shown
                            continue
                        self.assertIn(label, exported[name])
                        for value in pattern.split("|"):
                            is_known = any(re.fullmatch(value, known) for known in exported[name][label])
                            self.assertTrue(is_known, f"{label}={value} never occurs in {name}")

    def test_documents_name_exported_metrics(self):
        exported = self.metrics()
        for name in re.findall(r"`(paraprint_\w+)`", (documents / "operations.md").read_text()):
            self.assertIn(name, exported)

    def test_each_alert_is_explained(self):
        alerts = re.findall(r"- alert: (\w+)", text_of("monitoring", "alerts.yaml"))
        self.assertGreater(len(alerts), 5)
        self.assertEqual(len(alerts), len([place for place, _ in expressions() if place.startswith("alert")]))
        self.assertEqual(sorted(documented_alerts()), sorted(alerts))

    def test_panels_do_not_overlap(self):
        places, numbers = set(), []
        for panel in dashboard_panels():
            at = panel["gridPos"]
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & places, panel["title"])
            self.assertLessEqual(at["x"] + at["w"], 24)
            places |= cells
            numbers.append(panel["id"])
        self.assertEqual(len(numbers), len(set(numbers)))

    @unittest.skipUnless(shutil.which("promtool"), "promtool is missing")
    def test_promtool_accepts_the_rules(self):
        checked = subprocess.run(["promtool", "check", "rules", packaging / "monitoring" / "alerts.yaml"],
                                 capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


class Configuration(ServeTest):
    def serve_with(self, name, *replacements, environment=None):
        """A service with a configuration file of packaging/, its folders and its port replaced by ours."""
        text = text_of(*name.split("/"))
        for old, new in (("/var/lib/paraprint", str(self.folder)), *replacements):
            self.assertIn(old, text)
            text = text.replace(old, new)
        service = Service(self.folder / "known", "--config", self.write("serve.toml", text), environment=environment)
        self.addCleanup(service.stop)
        return service

    def test_the_file_of_the_unit(self):
        service = self.serve_with("systemd/serve.toml")
        self.assertEqual(self.call(service, "GET", "/v1/stats")["pages"], 0)
        self.call(service, "POST", "/v1/backups?name=first")
        self.assertTrue((self.folder / "backups" / "first").is_dir())
        self.assertIn("/etc/paraprint/serve.toml", text_of("systemd", "paraprint.service"))

    def test_the_file_of_the_cluster(self):
        token = self.write("token", "0123456789abcdef0123456789abcdef\n")
        service = self.serve_with("kubernetes/serve.toml", ("0.0.0.0", "127.0.0.1"),
                                  ("/etc/paraprint-token/token", token))
        self.call(service, "GET", "/metrics", expect=401)
        headers = {"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}
        self.assertIn("paraprint_info", service.request("GET", "/metrics", headers=headers)[1])

    def test_commented_options_exist(self):
        help_text = self.run_program("serve", "--help").stdout
        for key in re.findall(r"^#?([a-z-]+) = ", text_of("systemd", "serve.toml"), re.M):
            self.assertRegex(help_text, rf"--(?:\[no-\])?{key}\b")


class Cluster(ServeTest):
    def manifests(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("PyYAML is missing")
        return {path.name: list(yaml.safe_load_all(path.read_text()))
                for path in (packaging / "kubernetes").glob("*.yaml")}

    def test_manifests_agree_with_each_other_and_the_service(self):
        manifests = self.manifests()
        pod = manifests["statefulset.yaml"][0]["spec"]["template"]
        container = pod["spec"]["containers"][0]
        settings = dict(re.findall(r'^([a-z-]+) = "?([^"\n]*)"?$', text_of("kubernetes", "serve.toml"), re.M))
        port = container["ports"][0]
        self.assertEqual(str(port["containerPort"]), settings["port"])
        self.assertEqual(manifests["service.yaml"][0]["spec"]["ports"][0]["targetPort"], port["name"])
        self.assertEqual(manifests["service.yaml"][0]["spec"]["selector"], pod["metadata"]["labels"])
        self.assertGreater(pod["spec"]["terminationGracePeriodSeconds"], int(settings["stop-timeout"]) + 1)
        mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
        for path in (settings["data"], settings["backups"], settings["token-file"]):
            self.assertTrue(any(path.startswith(mount + "/") for mount in mounts), path)
        service = self.serve()
        endpoints = [container[probe]["httpGet"]["path"]
                     for probe in ("startupProbe", "livenessProbe", "readinessProbe")]
        endpoints += [endpoint["path"] for endpoint in manifests["servicemonitor.yaml"][0]["spec"]["endpoints"]]
        for endpoint in endpoints:
            self.assertEqual(service.request("GET", endpoint)[0], 200, endpoint)
        listed = text_of("kubernetes", "kustomization.yaml")
        for name in manifests:
            self.assertTrue(name == "kustomization.yaml" or name in listed, name)
        # Of the image: the program's arguments, the user, the folder.
        container_file = text_of("container", "Containerfile")
        self.assertIn(f"USER {pod['spec']['securityContext']['runAsUser']}:", container_file)
        self.assertIn("VOLUME /var/lib/paraprint", container_file)


if __name__ == "__main__":
    packaging, documents = (pathlib.Path(sys.argv.pop(2)) for _ in range(2))
    support.main()
