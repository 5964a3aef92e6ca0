//! Validates manifests and the JSON of conversions against their schemas in docs/.

#[cfg(unix)]
use std::path::Path;

use serde_json::Value;

#[cfg(unix)]
use crate::harness::{dir_with, has, sh};

fn schema(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    serde_json::from_slice(&std::fs::read(path).expect("reads")).expect("JSON")
}

/// Whether a value is valid under a schema. Implements only the keywords that the schemas use, and panics for other
/// keywords.
fn is_valid(value: &Value, schema: &Value, root: &Value) -> bool {
    let object = schema.as_object().expect("a schema is an object");
    object.iter().all(|(keyword, wanted)| match keyword.as_str() {
        "$schema" | "$defs" | "title" | "description" => true,
        "$ref" => {
            let pointer = wanted.as_str().expect("text").trim_start_matches('#');
            is_valid(value, root.pointer(pointer).expect(pointer), root)
        }
        "oneOf" => {
            wanted.as_array().expect("a list").iter().filter(|one| is_valid(value, one, root)).count() == 1
        }
        "const" => value == wanted,
        "enum" => wanted.as_array().expect("a list").contains(value),
        "type" => match wanted.as_str().expect("text") {
            "object" => value.is_object(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("unknown type {other}"),
        },
        "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().expect("a number")),
        "pattern" => matches(value.as_str().unwrap_or_default(), wanted.as_str().expect("text")),
        "required" => wanted
            .as_array()
            .expect("a list")
            .iter()
            .all(|key| value.get(key.as_str().expect("text")).is_some()),
        "properties" => wanted
            .as_object()
            .expect("an object")
            .iter()
            .all(|(key, schema)| value.get(key).is_none_or(|value| is_valid(value, schema, root))),
        "propertyNames" => value
            .as_object()
            .is_none_or(|object| object.keys().all(|key| is_valid(&Value::from(key.as_str()), wanted, root))),
        "additionalProperties" => {
            let known = object.get("properties").and_then(Value::as_object);
            let mut others = value
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(key, _)| known.is_none_or(|known| !known.contains_key(*key)));
            match wanted {
                Value::Bool(allowed) => *allowed || others.next().is_none(),
                schema => others.all(|(_, value)| is_valid(value, schema, root)),
            }
        }
        other => panic!("unknown keyword {other}"),
    })
}

/// Whether a text matches one of the two patterns in the schemas.
fn matches(text: &str, pattern: &str) -> bool {
    match pattern {
        "^[0-9a-f]{40}$" => {
            text.len() == 40 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        }
        "^[A-Za-z0-9+/]*={0,2}$" => {
            let text = text.strip_suffix('=').unwrap_or(text);
            let text = text.strip_suffix('=').unwrap_or(text);
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
        }
        other => panic!("unknown pattern {other}"),
    }
}

/// Asserts that each line is valid, also according to Python's jsonschema if installed. Returns the parsed lines.
#[cfg(unix)]
#[track_caller]
fn validated(dir: &Path, lines: &[u8], name: &str) -> Vec<Value> {
    let schema = schema(name);
    let text = std::str::from_utf8(lines).expect("UTF-8");
    let values: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(!values.is_empty());
    for value in &values {
        assert!(is_valid(value, &schema, &schema), "{value}");
    }
    if has("python3") && sh(dir, "python3 -c 'import jsonschema'").status == 0 {
        std::fs::write(dir.join("lines"), lines).expect("writes");
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
        let script = format!(
            "python3 -c 'import json, jsonschema, sys\nschema = json.load(open(sys.argv[1]))\n\
             for line in open(\"lines\"): jsonschema.validate(json.loads(line), schema)' {}",
            docs.display()
        );
        sh(dir, &script).expect(0, "", "");
        std::fs::remove_file(dir.join("lines")).expect("removes");
    }
    values
}

/// The schemas must refuse wrong lines.
#[test]
fn other_lines_are_invalid() {
    for (line, name) in [
        (r#"{"type":"file"}"#, "manifest.schema.json"),
        (r#"{"type":"file","path":{"text":"a"},"more":1}"#, "manifest.schema.json"),
        (r#"{"type":"file","path":{"text":"a","bytes":""}}"#, "manifest.schema.json"),
        (r#"{"type":"change","input":-1,"output":0,"length":0,"old":""}"#, "manifest.schema.json"),
        (r#"{"type":"change","input":0,"output":0,"length":0,"old":"%"}"#, "manifest.schema.json"),
        (r#"{"type":"manifest","of":"utfconv","version":2}"#, "manifest.schema.json"),
        (r#"{"type":"directory","above":0,"name":{"text":"a"},"more":1}"#, "manifest.schema.json"),
        (
            r#"{"type":"step","directory":0,"inode":1,"old":{"text":"a"},"new":{"text":"b"},"kind":"remove"}"#,
            "manifest.schema.json",
        ),
        (r#"{"type":"end","length":1,"sha1":"?"}"#, "manifest.schema.json"),
        (r#"{"type":"file","path":{"text":"a"},"outcome":"lost"}"#, "changes.schema.json"),
        (r#"{"type":"file","path":{"text":"a"},"outcome":"failed","cause":"bad"}"#, "changes.schema.json"),
        (r#"{"type":"summary"}"#, "changes.schema.json"),
        (
            r#"{"type":"summary","dry_run":false,"skipped":{"bad":1},"failed":{},"input":0,"output":0,"status":0}"#,
            "changes.schema.json",
        ),
    ] {
        let schema = schema(name);
        assert!(!is_valid(&serde_json::from_str(line).expect("JSON"), &schema, &schema), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn manifests_of_all_commands_are_valid() {
    let dir =
        dir_with(&[("a", b"caf\xE9\nx\n"), ("b", b"\xEF\xBB\xBFx"), ("c", "cafÃ© dÃ©jÃ  vu\n".as_bytes())]);
    let at = dir.path();
    sh(at, "cp a $'n\\377'; $U -i -f latin1 --manifest=M1 a $'n\\377'").expect(0, "", "");
    sh(at, "$U check --fix --rule bom=forbid,final-newline --manifest=M2 b >/dev/null; $U repair -i --manifest=M3 c >/dev/null 2>&1; test -s M3")
        .expect(0, "", "1 file fixed; no error in 1 file");
    sh(at, "mkdir -p t/x; touch $'t/x/\\xe9'; ln -s $'x/\\xe9' $'t/\\xe8'; $U names -i --links -f latin1 --manifest=M4 t; $U names --undo=M4")
        .expect(0, "", "utfconv: 3 names converted\nutfconv: 3 names restored\n");
    let mut types = Vec::new();
    for (name, of) in
        [("M1", "utfconv"), ("M2", "utfconv check --fix"), ("M3", "utfconv repair"), ("M4", "utfconv names")]
    {
        let manifest = std::fs::read(at.join(name)).expect("reads");
        let values = validated(at, &manifest, "manifest.schema.json");
        assert_eq!(values[0]["of"], of);
        types.extend(values.iter().map(|value| value["type"].as_str().expect("text").to_string()));
    }
    types.sort();
    types.dedup();
    assert_eq!(types, ["change", "directory", "done", "end", "file", "manifest", "root", "step", "undone"]);
}

/// The report has one object per file and one summary, for every outcome.
#[cfg(unix)]
#[test]
fn conversions_are_reported_as_json() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "mkdir t; printf 'caf\\xe9\\n' > t/a; printf 'b\\x81\\n' > t/bad; echo plain > t/plain; echo café > t/utf8
        printf 'PNG\\0\\0' > t/i.png; printf 'x\\xe9\\n' > $'t/n\\377'";
    sh(at, make).expect(0, "", "");
    let lines = r#"{"type":"file","path":{"text":"gone"},"outcome":"failed","cause":"inaccessible","message":"No such file or directory"}
{"type":"file","path":{"text":"t/a"},"outcome":"converted","from":"windows-1252","to":"UTF-8","input":5,"output":6}
{"type":"file","path":{"text":"t/bad"},"outcome":"failed","cause":"ill-formed","message":"invalid windows-1252 (unassigned) at byte 1: 81: windows-1252 has no character there"}
{"type":"file","path":{"text":"t/i.png"},"outcome":"skipped","cause":"binary","message":"it is binary: as windows-1252, its text has NUL; use --binary=convert to convert it anyway"}
{"type":"file","path":{"bytes":"dC9u/w=="},"outcome":"converted","from":"windows-1252","to":"UTF-8","input":3,"output":4}
{"type":"file","path":{"text":"t/plain"},"outcome":"unchanged"}
{"type":"file","path":{"text":"t/utf8"},"outcome":"already","to":"UTF-8"}
"#;
    let summary = |dry: bool| {
        format!(
            "{{\"type\":\"summary\",\"dry_run\":{dry},\"converted\":2,\"unchanged\":1,\"already\":1,\"copied\":0,\
             \"skipped\":{{\"binary\":1}},\"failed\":{{\"ill-formed\":1,\"inaccessible\":1}},\
             \"input\":8,\"output\":10,\"status\":2}}\n"
        )
    };
    for (options, is_dry) in [("-i --dry-run", true), ("-i", false)] {
        let ran = sh(at, &format!("$U {options} -r -f windows-1252 --format=json gone t"));
        let messages = "2 failed (1 ill-formed, 1 cannot be read or replaced), 1 already converted";
        ran.expect_part(2, format!("{lines}{}", summary(is_dry)), messages);
        validated(at, &ran.stdout, "changes.schema.json");
    }
    // Errors that a mode handled are counted, and a guessed encoding is a failure.
    let ran = sh(
        at,
        "printf '\\xe9x\\xe9' > g; $U -i --format=json -f us-ascii --ill-formed=replace g; printf 'na\\xefve' > g; $U -i -f auto --format=json g",
    );
    let values = validated(at, &ran.stdout, "changes.schema.json");
    assert_eq!((ran.status, values.len(), &values[0]["ill_formed"]), (1, 4, &Value::from(2)), "{ran:?}");
    assert_eq!(values[2]["cause"], "unknown-encoding");
    for (options, text) in [
        ("--format=json a", "--format requires --list-ranges, --in-place or --output-dir"),
        ("-i --format=json --diff a", "--format=json and --diff cannot be used together"),
    ] {
        sh(at, &format!("$U {options}")).expect_part(2, "", text);
    }
}

/// `repair` and `--undo` print lines of the same schema, and `--failed` lists the files that are not correct.
#[cfg(unix)]
#[test]
fn repairs_and_undone_files_are_reported_as_json() {
    let dir = dir_with(&[("a", "cafÃ© dÃ©jÃ  vu\n".as_bytes()), ("b", b"ok\n")]);
    let at = dir.path();
    sh(at, "mkdir d; cp a d/a; printf 'PNG\\0\\0' | tee c.png > d/c.png").expect(0, "", "");
    let lines = |repaired: &str| {
        format!(
            r#"{{"type":"file","path":{{"text":"a"}},{repaired}}}
{{"type":"file","path":{{"text":"b"}},"outcome":"unchanged"}}
{{"type":"file","path":{{"text":"c.png"}},"outcome":"failed","cause":"binary","message":"it is binary"}}
{{"type":"file","path":{{"text":"d/a"}},{repaired}}}
{{"type":"file","path":{{"text":"d/c.png"}},"outcome":"skipped","cause":"binary","message":"it is binary"}}
{{"type":"file","path":{{"text":"gone"}},"outcome":"failed","cause":"inaccessible","message":"No such file or directory"}}
"#
        )
    };
    let repaired = lines(r#""outcome":"repaired","input":21,"output":17,"repairs":2,"not_repaired":1"#);
    let summary = |is_dry: bool| {
        format!(
            "{{\"type\":\"summary\",\"dry_run\":{is_dry},\"repaired\":2,\"unchanged\":1,\"skipped\":{{\"binary\":1}},\
             \"failed\":{{\"binary\":1,\"inaccessible\":1}},\"input\":42,\"output\":34,\"status\":2}}\n"
        )
    };
    for (options, is_dry) in [("", true), ("-i --dry-run", true), ("-i -j1 --manifest=M", false)] {
        let ran = sh(at, &format!("$U repair {options} --format=json --failed=F a b c.png d gone"));
        ran.expect_part(2, format!("{repaired}{}", summary(is_dry)), "c.png: it is binary");
        validated(at, &ran.stdout, "changes.schema.json");
        sh(at, "cat F; rm F").expect(0, "a\nc.png\nd/a\ngone\n", "");
    }
    sh(at, "echo more >> a").expect(0, "", "");
    let undone = |d: &str, counts: &str, [input, output]: [u32; 2]| {
        format!(
            r#"{{"type":"file","path":{{"text":"a"}},"outcome":"failed","cause":"changed","message":"not undone: it was changed since the run that is to be undone"}}
{{"type":"file","path":{{"text":"d/a"}},{d}}}
{{"type":"summary","dry_run":false,{counts},"skipped":{{}},"failed":{{"changed":1}},"input":{input},"output":{output},"status":2}}
"#
        )
    };
    let first =
        undone(r#""outcome":"restored","input":17,"output":21"#, r#""restored":1,"already":0"#, [17, 21]);
    let again = undone(r#""outcome":"already""#, r#""restored":0,"already":1"#, [0, 0]);
    for (command, text) in [("$U repair", &first), ("$U check", &again), ("$U", &again)] {
        let ran = sh(at, &format!("{command} --undo=M --format=json"));
        ran.expect_part(
            2,
            text.as_bytes(),
            "a: not undone: it was changed since the run that is to be undone",
        );
        validated(at, &ran.stdout, "changes.schema.json");
    }
    // The manifest was edited so that it names itself.
    sh(at, r#"sed 's/"text":"d.a"/"text":"N"/' M > N; $U --undo=N"#).expect(
        2,
        "",
        "utfconv: N: not undone: it is the manifest\n\
        utfconv: a: not undone: it was changed since the run that is to be undone\n\
        utfconv: N: no file restored, 2 not restored\n",
    );
    for (options, why) in [
        ("check --undo=M --format=sarif", "--undo reports as text or JSON; use --format=json"),
        ("check --failed=F a", "--failed requires --fix"),
        ("check --sync=none a", "--sync requires --fix"),
        ("repair --sync=none a", "--sync requires --in-place"),
        ("repair --dry-run", "--dry-run requires at least one PATH"),
        ("repair -i --dry-run --manifest=X a", "--manifest cannot be used with --dry-run"),
        ("repair --format=json < a", "--format=json requires a PATH that is not standard input"),
        ("repair --failed=F < a", "--failed requires a PATH that is not standard input"),
        ("repair -i --failed=no/F b", "no/F: No such file or directory"),
        ("repair -i --failed=b b", "the run would write b over it; nothing is changed"),
        ("repair -i --failed=F --manifest=F b", "F: cannot be both the manifest and the list of failures"),
    ] {
        sh(at, &format!("$U {options}")).expect_part(2, "", why);
    }
    sh(at, "printf 'a \\nb' > t; printf '\\xE9\\n' > bad; $U check -l --fix --rule=trailing-whitespace,bidi --failed0=F t bad b; tr '\\0' ' ' < F; cat t")
        .expect(0, "bad\nbad a\nb", "");
}
