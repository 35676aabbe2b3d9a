//! Compares answers with the description of the API.

use crate::client::{Server, golden};
use damka_web::ServerOptions;
use serde_json::Value;

/// Checks a value against a schema, for the parts of JSON Schema that the description uses.
fn check(document: &Value, schema: &Value, value: &Value, place: &str) {
    let schema = match schema["$ref"].as_str() {
        Some(reference) => document
            .pointer(reference.strip_prefix('#').expect("a local reference"))
            .unwrap_or_else(|| panic!("{reference} is missing")),
        None => schema,
    };
    if let Some(constant) = schema.get("const") {
        assert_eq!(value, constant, "{place}");
    }
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{place}: {value}");
    }
    if let Some(choice) = schema["anyOf"].as_array() {
        // One of them is null.
        let fits = choice.iter().find(|of| (of["type"] == "null") == value.is_null());
        check(document, fits.unwrap_or_else(|| panic!("{place}: {value}")), value, place);
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let fits = |kind: &&str| match *kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("{place}: the type {kind} is not known here"),
    };
    assert!(kinds.iter().any(fits), "{place}: {value} is no {kinds:?}");
    if let (Some(least), Some(number)) = (schema["minimum"].as_u64(), value.as_u64()) {
        assert!(number >= least, "{place}: {value}");
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        check(document, &schema["items"], item, &format!("{place}/{number}"));
    }
    if let Some(object) = value.as_object().filter(|_| schema.get("properties").is_some()) {
        for key in schema["required"].as_array().into_iter().flatten() {
            let key = key.as_str().expect("a key");
            assert!(object.contains_key(key), "{place}: {key} is missing");
        }
        for (key, value) in object {
            let schema = schema["properties"].get(key);
            let schema = schema.unwrap_or_else(|| panic!("{place}: {key} is not described"));
            check(document, schema, value, &format!("{place}/{key}"));
        }
    }
}

/// Checks the answer to a request against the description of its path.
fn check_answer(document: &Value, route: &str, path: &str, server: &Server) {
    let reply = server.get(path);
    let responses = &document["paths"][route]["get"]["responses"];
    let response = responses.get(reply.status.to_string());
    let response = response.unwrap_or_else(|| panic!("{path}: {} is not described", reply.status));
    let content = reply.header("content-type").expect("a type").to_owned();
    let schema = &response["content"][&content]["schema"];
    assert!(schema.is_object(), "{path}: {content} is not described");
    check(document, schema, &reply.json(), path);
}

#[test]
fn answers_are_as_described() {
    let server = Server::golden();
    let document = server.json("/openapi.json");
    assert_eq!(document["openapi"], "3.1.0");
    for (route, path) in [
        ("/api/games", "/api/games"),
        ("/api/{game}/probe", "/api/russian/probe?fen=W:WKa1:BKg7"),
        ("/api/{game}/probe", "/api/russian/probe?fen=W:WKa1:BKg7&metric=wdl"),
        ("/api/{game}/probe", "/api/russian/probe?fen=W:WKa1,Kc1:BKh8"),
        ("/api/{game}/probe", "/api/russian/probe?fen=start"),
        ("/api/{game}/probe", "/api/russian/probe?fen=B:nonsense"),
        ("/api/{game}/probe", "/api/russian/probe?fen=W:Wa1,c1:Bb8,d8"),
        ("/api/{game}/line", "/api/russian/line?fen=W:WKa1:BKh8"),
        ("/api/{game}/line", "/api/russian/line?fen=W:WKa1,Kc1:BKh8"),
        ("/api/{game}/map", "/api/russian/map?fen=W:WKa1:BKh2&square=h2"),
        ("/api/{game}/map", "/api/russian/map?fen=W:WKa1:BKh2&square=h4"),
        ("/api/{game}/stats", "/api/russian/stats"),
        ("/api/{game}/stats/{signature}", "/api/russian/stats/KvM"),
        ("/api/{game}/stats/{signature}", "/api/russian/stats/KKvK"),
        ("/api/{game}/stats/{signature}", "/api/russian/stats/x"),
        ("/api/{game}/histogram/{signature}", "/api/russian/histogram/KvM"),
        ("/api/{game}/list/{signature}", "/api/russian/list/KvM?limit=5"),
        ("/api/{game}/list/{signature}", "/api/russian/list/KvM?unique=true&value=win"),
        ("/api/{game}/list/{signature}", "/api/russian/list/KvM?zugzwang=true"),
        ("/api/{game}/list/{signature}", "/api/russian/list/KvM?zugzwang=x"),
        ("/api/{game}/random/{signature}", "/api/russian/random/KvM?seed=1"),
        ("/api/{game}/random/{signature}", "/api/russian/random/KvM?value=loss&turn=white"),
        ("/standard", "/standard?fen=4k3/8/8/8/8/8/8/4K3_w"),
        ("/standard/mainline", "/standard/mainline?fen=4k3/8/8/8/8/8/8/4K3_w"),
        ("/openapi.json", "/openapi.json"),
    ] {
        check_answer(&document, route, path, &server);
    }
    let body = "W:WKa1:BKg7\nnonsense\nW:Wa1,c1:Bb8,d8\n";
    let schemas = &document["components"]["schemas"];
    let game = "[FEN \"W:WKa1:BKg7\"]\n\n1. a1xh8 1-0\n\n1. nonsense *\n";
    let annotated = server.request("POST", "/api/russian/annotate", "", game).json();
    check(&document, &schemas["Annotated"], &annotated, "annotate");
    let line = &schemas["BatchLine"];
    for moves in [true, false] {
        let path = format!("/api/russian/probe?moves={moves}");
        for text in server.request("POST", &path, "", body).text().lines() {
            check(&document, line, &serde_json::from_str(text).expect("JSON"), text);
        }
    }
}

#[test]
fn an_estimate_is_as_described() {
    let engine_time = Some(std::time::Duration::from_millis(5));
    let options = ServerOptions { engine_time, ..ServerOptions::new(vec![golden()]) };
    let server = Server::of(options);
    let document = server.json("/openapi.json");
    let path = "/api/russian/probe?fen=W:Wc3,g1:BKd4,h8&engine=true";
    check_answer(&document, "/api/{game}/probe", path, &server);
    check_answer(&document, "/api/games", "/api/games", &server);
}

/// Every described path exists, and every reference can be resolved.
#[test]
fn what_is_described_is_there() {
    let server = Server::golden();
    let document = server.json("/openapi.json");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        if methods.get("get").is_none() {
            continue;
        }
        let path = path.replace("{game}", "russian").replace("{signature}", "KvM");
        let reply = server.get(&path);
        assert!(reply.status == 200 || reply.status == 400, "{path}: {}", reply.text());
    }
}

/// The examples in docs/SERVER.md are answers of the server.
#[test]
fn the_examples_of_the_page_are_answers() {
    let page = include_str!("../../../docs/SERVER.md");
    let server = Server::golden();
    let mut lines = page.lines().peekable();
    let mut examples = 0;
    while let Some(line) = lines.next() {
        let got = line.strip_prefix("$ curl 'localhost:8080").and_then(|it| it.strip_suffix('\''));
        let sent = line.strip_prefix("$ printf '").and_then(|it| {
            it.strip_suffix("' | curl --data-binary @- localhost:8080/api/russian/probe")
        });
        let answer = match (got, sent) {
            (Some(path), _) => server.get(path).text(),
            (_, Some(body)) => {
                let body = body.replace("\\n", "\n");
                server.request("POST", "/api/russian/probe", "", &body).text()
            }
            _ => continue,
        };
        examples += 1;
        for expected in answer.lines() {
            assert_eq!(lines.next(), Some(expected), "{line}");
        }
    }
    assert_eq!(examples, 4);
}
