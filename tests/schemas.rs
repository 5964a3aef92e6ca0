//! Manifests and the JSON of conversions, validated against their schemas in docs/.

#[cfg(unix)]
use std::path::Path;

use serde_json::Value;

#[cfg(unix)]
use crate::harness::{dir_with, has, sh};

fn schema(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    serde_json::from_slice(&std::fs::read(path).expect("reads")).expect("JSON")
}

/// Whether a value is as a schema has it; only the keywords that the schemas use. An unknown one fails.
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

/// The two patterns that the schemas have.
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

/// Asserts that each line is valid, also by Python's jsonschema where it is; returns the lines.
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

/// The schema is not so wide that anything is valid.
#[test]
fn other_lines_are_invalid() {
    for (line, name) in [
        (r#"{"type":"file"}"#, "manifest.schema.json"),
        (r#"{"type":"file","path":{"text":"a"},"more":1}"#, "manifest.schema.json"),
        (r#"{"type":"file","path":{"text":"a","bytes":""}}"#, "manifest.schema.json"),
        (r#"{"type":"change","input":-1,"output":0,"length":0,"old":""}"#, "manifest.schema.json"),
        (r#"{"type":"change","input":0,"output":0,"length":0,"old":"%"}"#, "manifest.schema.json"),
        (r#"{"type":"manifest","of":"utfconv","version":2}"#, "manifest.schema.json"),
        (r#"{"type":"file","path":{"text":"a"},"outcome":"lost"}"#, "conversions.schema.json"),
        (
            r#"{"type":"file","path":{"text":"a"},"outcome":"failed","cause":"bad"}"#,
            "conversions.schema.json",
        ),
        (r#"{"type":"summary"}"#, "conversions.schema.json"),
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
        .expect(0, "", "1 file fixed");
    let mut types = Vec::new();
    for (name, of) in [("M1", "utfconv"), ("M2", "utfconv check --fix"), ("M3", "utfconv repair")] {
        let manifest = std::fs::read(at.join(name)).expect("reads");
        let values = validated(at, &manifest, "manifest.schema.json");
        assert_eq!(values[0]["of"], of);
        types.extend(values.iter().map(|value| value["type"].as_str().expect("text").to_string()));
    }
    types.sort();
    types.dedup();
    assert_eq!(types, ["change", "end", "file", "manifest"]);
}

/// One object per file, one summary; every outcome.
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
        ran.expect(2, format!("{lines}{}", summary(is_dry)), messages);
        validated(at, &ran.stdout, "conversions.schema.json");
    }
    // What a policy handled is counted, and a guess is a failure.
    let ran = sh(
        at,
        "printf '\\xe9x\\xe9' > g; $U -i --format=json -f us-ascii --ill-formed=replace g; printf 'na\\xefve' > g; $U -i -f auto --format=json g",
    );
    let values = validated(at, &ran.stdout, "conversions.schema.json");
    assert_eq!((ran.status, values.len(), &values[0]["ill_formed"]), (1, 4, &Value::from(2)), "{ran:?}");
    assert_eq!(values[2]["cause"], "unknown-encoding");
    for (options, text) in [
        ("--format=json a", "--format requires --list-ranges, --in-place or --output-dir"),
        ("-i --format=json --diff a", "--format=json and --diff cannot be used together"),
    ] {
        sh(at, &format!("$U {options}")).expect(2, "", text);
    }
}
