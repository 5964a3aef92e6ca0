"""Reads the reports of `utfconv check` as those for whom they are made do: each format to the same list of entries.

What a format cannot hold is no fault of it: `Entry.path` is None where a name has no faithful form there.
"""

import base64
import collections
import json
import re
import shutil
import subprocess
import urllib.parse
import xml.etree.ElementTree as xml

Entry = collections.namedtuple("Entry", "path line column message")
SEVERITIES = ("info", "minor", "major", "critical", "blocker")


def need(fact, *what):
    if not fact:
        raise AssertionError(" ".join(str(part)[:2000] for part in what))


def name(path):
    """Names are compared without the `./` that some tools put before them."""
    return path.removeprefix(b"./")


def plain(path):
    """A name as text, where every consumer shows it as it is."""
    try:
        text = path.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if text.isprintable() and "\\" not in text else None


def whole(output):
    """Machine formats are UTF-8, without a signature, and end with a line feed."""
    need(output.endswith(b"\n") and not output.startswith(b"\xef\xbb\xbf"), "ends:", output[-80:])
    return output.decode("utf-8")


def piped(argv, output):
    """Gives the report to another program, where that is on the PATH."""
    if shutil.which(argv[0]):
        done = subprocess.run(argv, input=output, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        need(done.returncode == 0, argv, done.stdout)
        return done.stdout
    return None


def json_rows(output):
    """The objects of the JSON format: faults, and the summary, which is the last."""
    rows = [json.loads(line) for line in whole(output).splitlines()]
    need(rows and rows[-1]["type"] == "summary", "no summary:", rows[-1:])
    count = piped(["jq", "-s", 'map(select(.type == "fault")) | length'], output)
    need(count is None or int(count) == sum(row["type"] == "fault" for row in rows), "jq counts", count)
    return rows[:-1], rows[-1]


def json_path(path):
    need(len(path) == 1, path)
    return name(base64.b64decode(path["bytes"], validate=True) if "bytes" in path else path["text"].encode())


def read_json(output, _):
    for row in json_rows(output)[0]:
        if row["type"] == "fault":
            yield Entry(json_path(row["path"]), row["line"], row["column"], row["message"])


# As problem matchers of editors have it, for the messages of gcc.
GCC = re.compile(r"^(.*?):(\d+):(\d+):\s+(?:fatal\s+)?(warning|error|note):\s+(.*)$")


def read_text(output, _):
    for line in output.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        match = GCC.match(line)
        need(match, "no message of gcc's form:", line)
        if match[4] == "error":
            shown = name(match[1].encode("utf-8", "surrogateescape"))
            yield Entry(shown if plain(shown) else None, int(match[2]), int(match[3]), match[5])


def read_github(output, _):
    """By the documentation of workflow commands: `::name key=value,key=value::data`, each side with its escapes."""

    def unescape(text, escapes):
        for code in escapes + ["%25"]:
            text = text.replace(code, urllib.parse.unquote(code))
        return text

    for line in whole(output).splitlines():
        if not line.startswith("::"):
            match = GCC.match(line)  # past the number of annotations that are shown
            if match and match[4] == "error":
                shown = name(match[1].encode())
                yield Entry(shown if plain(shown) else None, int(match[2]), int(match[3]), match[5])
            continue
        match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
        need(match and match[1] in ("error", "warning", "notice"), "no workflow command:", line)
        fields = dict(field.split("=", 1) for field in match[2].split(","))
        values = {key: unescape(value, ["%0D", "%0A", "%3A", "%2C"]) for key, value in fields.items()}
        if "file" in values:
            message = unescape(match[3], ["%0D", "%0A"])
            yield Entry(name(values["file"].encode()), int(values["line"]), int(values["col"]), message)


def read_gitlab(output, _):
    rows = json.loads(whole(output))
    prints = [row["fingerprint"] for row in rows]
    need(len(set(prints)) == len(prints), "fingerprints that are not unique:", [p for p, n in collections.Counter(prints).items() if n > 1][:3])
    for row in rows:
        need(row["severity"] in SEVERITIES and row["check_name"] and not row["location"]["path"].startswith(("/", "./")), row)
        location = row["location"]
        begin = location["lines"]["begin"] if "lines" in location else location["positions"]["begin"]["line"]
        yield Entry(location["path"].encode(), begin, None, row["description"])


def read_sarif(output, schema):
    log = json.loads(whole(output))
    if schema:
        import jsonschema

        jsonschema.validate(log, schema)
    need(log["version"] == "2.1.0" and log["$schema"].startswith("https://") and len(log["runs"]) == 1, log.keys())
    run = log["runs"][0]
    need(run.get("columnKind") == "unicodeCodePoints", "columnKind", run.get("columnKind"))
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    prints = collections.Counter(json.dumps([r["locations"], r["partialFingerprints"]]) for r in run["results"])
    need(all(n == 1 for n in prints.values()), "results that are the same:", prints.most_common(1))
    for row in run["results"]:
        need(row["ruleId"] in rules and row["level"] == "error" and len(row["locations"]) == 1, row)
        location = row["locations"][0]["physicalLocation"]
        uri, region = location["artifactLocation"]["uri"], location["region"]
        need(re.fullmatch(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+", uri), "no relative URI:", uri)
        placed = re.match(r"byte (\d+):", row["message"]["text"])
        need(not placed or int(placed[1]) == region["byteOffset"], "byteOffset", row)
        # GitHub reads an end column that is past the last character, as is the rule.
        need(region.get("endColumn", region["startColumn"] + 1) > region["startColumn"], "endColumn", row)
        path = name(urllib.parse.unquote_to_bytes(uri))
        yield Entry(path, region["startLine"], region["startColumn"], row["message"]["text"])


def read_junit(output, _):
    piped(["xmllint", "--noout", "-"], output)
    root = xml.fromstring(output)
    need(root.tag == "testsuites" and len(root), root.tag)
    for element in [root, *root.findall("testsuite")]:
        for attribute, tag in (("tests", "testcase"), ("failures", "failure")):
            said, there = element.get(attribute), len(element.findall(f".//{tag}"))
            need(said is None and element is root or int(said) == there, element.tag, attribute, said, "but there are", there)
    for case in root.iter("testcase"):
        need(case.get("name"), "a test case without a name")
        for failure in case.iter("failure"):
            for line in (failure.text or failure.get("message")).strip("\n").split("\n"):
                match = GCC.match(line)
                need(match, "no message of gcc's form:", line)
                shown = name(match[1].encode())
                yield Entry(shown if plain(shown) else None, int(match[2]), int(match[3]), match[5])


READERS = {
    "json": read_json, "text": read_text, "github": read_github, "gitlab": read_gitlab, "sarif": read_sarif, "junit": read_junit,
}
