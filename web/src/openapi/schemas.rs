//! The objects of the API as JSON Schema, from a readable list.

use super::words;
use damka::AnyGame;
use serde_json::{Map, Value, json};

/// The list; a comment in it describes its syntax.
const LIST: &str = include_str!("schemas.txt");

/// The schemas by name.
pub(super) fn schemas() -> Value {
    let mut schemas = Map::new();
    let games: Vec<&str> = AnyGame::all().map(AnyGame::name).collect();
    schemas.insert("Game".to_owned(), words(&games));
    let mut object = "";
    for line in LIST.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if let Some((name, choice)) = line.split_once(" = ") {
            let choice: Vec<&str> = choice.split(' ').collect();
            schemas.insert(name.to_owned(), words(&choice));
        } else if let Some((key, kind)) = line.trim_start().split_once(' ') {
            add(&mut schemas[object], key, schema(kind));
        } else {
            object = line;
            schemas.insert(
                object.to_owned(),
                // Later versions may add keys.
                json!({ "type": "object", "properties": {}, "required": [] }),
            );
        }
    }
    Value::Object(schemas)
}

/// Adds a key to an object.
fn add(object: &mut Value, key: &str, schema: Value) {
    let name = key.trim_end_matches('?');
    object["properties"][name] = schema;
    if let (false, Some(required)) = (key.ends_with('?'), object["required"].as_array_mut()) {
        required.push(name.into());
    }
}

/// The schema of a type.
fn schema(kind: &str) -> Value {
    if let Some(item) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        return json!({ "type": "array", "items": schema(item) });
    }
    if let Some(kind) = kind.strip_suffix("|null") {
        return json!({ "anyOf": [schema(kind), { "type": "null" }] });
    }
    match kind {
        "text" => json!({ "type": "string" }),
        "number" => json!({ "type": "integer", "minimum": 0 }),
        "integer" => json!({ "type": "integer" }),
        "flag" => json!({ "type": "boolean" }),
        "words" => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        kind => match kind.parse::<u32>() {
            Ok(number) => json!({ "const": number }),
            Err(_) => super::reference(kind),
        },
    }
}
