"""Parses reports of `utfconv check` as their readers do. Each format is parsed to the same list of entries.

Fields that a format lacks are `None` in an entry. Hints are removed, because JSON has them in a separate field.
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


def unquoted(shown):
    """Returns the file name for a displayed name, which may be quoted as `$'...'` for the shell."""
    shown = shown.encode("utf-8")
    if not shown.startswith(b"$'"):
        return shown
    escapes = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"'": b"'", b"\\": b"\\"}

    def character(match):
        code = match[1]
        if code[:1] == b"x":
            return bytes([int(code[1:], 16)])
        return chr(int(code[1:], 16)).encode() if code[:1] in b"uU" else escapes[code]

    need(shown.endswith(b"'"), "no end of quotes:", shown)
    return re.sub(rb"\\(x[0-9A-F]{2}|u[0-9A-F]{4}|U[0-9A-F]{8}|.)", character, shown[2:-1])


def without_hint(message):
    return message.partition("\nhint: ")[0]


def whole(output):
    """Decodes a report. Asserts that it is UTF-8 without a BOM and ends with a line feed."""
    need(output.endswith(b"\n") and not output.startswith(b"\xef\xbb\xbf"), "ends:", output[-80:])
    return output.decode("utf-8")


def piped(argv, output):
    """Passes the report to another program and returns its output; `None` if the program is not on the PATH."""
    if shutil.which(argv[0]):
        done = subprocess.run(argv, input=output, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        need(done.returncode == 0, argv, done.stdout)
        return done.stdout
    return None


def json_rows(output):
    """Returns the objects of a JSON report: all but the last, and the last, which is the summary."""
    rows = [json.loads(line) for line in whole(output).splitlines()]
    need(rows and rows[-1]["type"] == "summary", "no summary:", rows[-1:])
    count = piped(["jq", "-s", 'map(select(.type == "error")) | length'], output)
    need(count is None or int(count) == sum(row["type"] == "error" for row in rows), "jq counts", count)
    return rows[:-1], rows[-1]


def json_path(path):
    need(len(path) == 1, path)
    return base64.b64decode(path["bytes"], validate=True) if "bytes" in path else path["text"].encode()


def read_json(output, _):
    for row in json_rows(output)[0]:
        if row["type"] == "error":
            yield Entry(json_path(row["path"]), row["line"], row["column"], row["message"])


# The regular expression that editors use in problem matchers for messages of gcc.
GCC = re.compile(r"^(.*?):(\d+):(\d+):\s+(?:fatal\s+)?(warning|error|note):\s+(.*)$")


def gcc_message(line):
    match = GCC.match(line)
    need(match and match[4] == "error", "no error of gcc's form:", line)
    # The rule follows the sentence, unless the rule is ill-formed.
    message = match[5].removesuffix(" [wrong-encoding]")
    return Entry(unquoted(match[1]), int(match[2]), int(match[3]), message)


def read_text(output, _):
    return map(gcc_message, whole(output).split("\n")[:-1])


def read_github(output, _):
    """Parses GitHub workflow commands, as documented: `::name key=value,key=value::data`. Properties and data have different escapes."""

    def unescape(text, escapes):
        for code in escapes + ["%25"]:
            text = text.replace(code, urllib.parse.unquote(code))
        return text

    shown = 0
    for line in whole(output).split("\n")[:-1]:
        if match := re.fullmatch(r"::error (.*?)::(.*)", line):
            shown += 1
            fields = dict(field.split("=", 1) for field in match[1].split(","))
            values = {key: unescape(value, ["%0D", "%0A", "%3A", "%2C"]) for key, value in fields.items()}
            message = without_hint(unescape(match[2], ["%0D", "%0A"]))
            yield Entry(unquoted(values["file"]), int(values["line"]), int(values["col"]), message)
        elif not line.startswith("GitHub shows"):
            need(not line.lstrip().startswith("::") and "##[" not in line, "a command that is none of ours:", line)
            yield gcc_message(line)
    need(shown <= 10, shown, "annotations, of which GitHub shows ten")


def read_gitlab(output, _):
    rows = json.loads(whole(output))
    prints = [row["fingerprint"] for row in rows]
    need(len(set(prints)) == len(prints), "fingerprints that are not unique:", [p for p, n in collections.Counter(prints).items() if n > 1][:3])
    for row in rows:
        need(row["severity"] in SEVERITIES and row["check_name"] and not row["location"]["path"].startswith(("/", "./")), row)
        location = row["location"]
        begin = location["lines"]["begin"] if "lines" in location else location["positions"]["begin"]["line"]
        yield Entry(location["path"].encode(), begin, None, without_hint(row["description"]))


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
        # The end column is the column after the region. A fault without bytes is a missing BOM or newline, or a wrong
        # encoding.
        need(region.get("endColumn", region["startColumn"] + 1) >= region["startColumn"] + (region["byteLength"] > 0), "endColumn", row)
        message = without_hint(row["message"]["text"].replace("{{", "{").replace("}}", "}"))
        yield Entry(urllib.parse.unquote_to_bytes(uri), region["startLine"], region["startColumn"], message)


def read_junit(output, _):
    piped(["xmllint", "--noout", "-"], output)
    root = xml.fromstring(output)
    need(root.tag == "testsuites" and len(root), root.tag)
    for element in [root, *root.findall("testsuite")]:
        for attribute, tag in (("tests", "testcase"), ("failures", "failure")):
            said, there = element.get(attribute), len(element.findall(f".//{tag}"))
            need(said is None and element is root or int(said) == there, element.tag, attribute, said, "but there are", there)
    for case in root.iter("testcase"):
        for failure in case.iter("failure"):
            for line in failure.text.strip("\n").split("\n"):
                if not line.startswith("hint: "):
                    match = re.fullmatch(r"(\d+):(\d+): ([a-z-]+): (.*)", line)
                    need(match, "no line and column:", line)
                    yield Entry(unquoted(case.get("name")), int(match[1]), int(match[2]), match[4])


READERS = {
    "json": read_json, "text": read_text, "github": read_github, "gitlab": read_gitlab, "sarif": read_sarif, "junit": read_junit,
}
