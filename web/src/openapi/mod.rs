//! The description of the API, as OpenAPI 3.1: its paths; `schemas.txt` has its objects.

mod schemas;

use serde_json::{Map, Value, json};

/// The description.
pub(crate) fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "damka",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Exact results of endgame positions of draughts, chess and Alapo.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths(),
        "components": { "schemas": schemas::schemas() },
    })
}

/// A kind of request: a path, its parameters, and its answer.
struct Question {
    path: &'static str,
    summary: &'static str,
    parameters: &'static [&'static str],
    answer: &'static str,
    errors: &'static [u16],
}

const QUESTIONS: &[Question] = &[
    Question {
        path: "/api/games",
        summary: "All games, their boards, and the numbers and sizes of their tables.",
        parameters: &[],
        answer: "Games",
        errors: &[],
    },
    Question {
        path: "/api/{game}/probe",
        summary: "The value of a position, and its ranked moves.",
        parameters: &["game", "fen", "metric", "engine"],
        answer: "Answer",
        errors: &[400, 404, 422],
    },
    Question {
        path: "/api/{game}/line",
        summary: "The value of a position, its ranked moves, and best play to the end.",
        parameters: &["game", "fen"],
        answer: "Line",
        errors: &[400, 404, 422],
    },
    Question {
        path: "/api/{game}/map",
        summary: "The value of a position for each square of one piece, both sides to move.",
        parameters: &["game", "fen", "square", "metric"],
        answer: "SquareMap",
        errors: &[400, 404, 422],
    },
    Question {
        path: "/api/{game}/stats",
        summary: "The counts of all signatures.",
        parameters: &["game"],
        answer: "Stats",
        errors: &[400, 404],
    },
    Question {
        path: "/api/{game}/stats/{signature}",
        summary: "The counts of a signature.",
        parameters: &["game", "signature"],
        answer: "Stats",
        errors: &[400, 404, 422],
    },
    Question {
        path: "/api/{game}/histogram/{signature}",
        summary: "The number of positions of a signature for each value.",
        parameters: &["game", "signature"],
        answer: "Histograms",
        errors: &[400, 404, 413, 422],
    },
    Question {
        path: "/api/{game}/list/{signature}",
        summary: "Positions of a signature by value, distance and special properties.",
        parameters: &[
            "game",
            "signature",
            "metric",
            "value",
            "distance",
            "unique",
            "zugzwang",
            "all",
            "turn",
            "cursor",
            "limit",
        ],
        answer: "Page",
        errors: &[400, 404, 422],
    },
    Question {
        path: "/api/{game}/random/{signature}",
        summary: "A random position of a signature.",
        parameters: &[
            "game",
            "signature",
            "metric",
            "value",
            "distance",
            "unique",
            "zugzwang",
            "all",
            "turn",
            "seed",
        ],
        answer: "ListedPosition",
        errors: &[400, 404, 422],
    },
    Question {
        path: "/standard",
        summary: "A chess position in the protocol of lila-tablebase.",
        parameters: &["chess_fen"],
        answer: "LilaPosition",
        errors: &[400, 404],
    },
    Question {
        path: "/standard/mainline",
        summary: "The best line of a chess position in the protocol of lila-tablebase.",
        parameters: &["chess_fen"],
        answer: "LilaMainline",
        errors: &[400, 404],
    },
];

fn paths() -> Value {
    let mut paths = Map::new();
    for question in QUESTIONS {
        let parameters: Vec<Value> =
            question.parameters.iter().map(|name| parameter(name)).collect();
        let get = json!({
            "summary": question.summary,
            "operationId": operation(question.path),
            "parameters": parameters,
            "responses": responses(
                "The answer.",
                json!({ "application/json": { "schema": reference(question.answer) } }),
                question.errors,
            ),
        });
        paths.insert(question.path.to_owned(), json!({ "get": get }));
    }
    paths["/api/{game}/probe"]["post"] = json!({
        "summary": "The values of many positions, one per line.",
        "operationId": "batch",
        "parameters": [parameter("game"), parameter("metric"), parameter("moves")],
        "requestBody": {
            "required": true,
            "description": "Up to 10,000 lines: FENs, JSON strings, or objects with the key `fen`.",
            "content": {
                "application/x-ndjson": { "schema": { "type": "string" } },
                "text/plain": { "schema": { "type": "string" } },
            },
        },
        "responses": responses(
            "An object for each line: `BatchLine`. The code of a line that is not understood is `bad_line`.",
            json!({ "application/x-ndjson": { "schema": { "type": "string" } } }),
            &[400, 404, 408, 413],
        ),
    });
    paths.insert(
        "/api/{game}/annotate".to_owned(),
        json!({ "post": {
            "summary": "Recorded games, judged move by move by tables.",
            "operationId": "annotate",
            "parameters": [parameter("game")],
            "requestBody": {
                "required": true,
                "description": "Up to 100 games in PDN or PGN.",
                "content": { "text/plain": { "schema": { "type": "string" } } },
            },
            "responses": responses(
                "The games, and those that could not be read.",
                json!({ "application/json": { "schema": reference("Annotated") } }),
                &[400, 404, 408, 413],
            ),
        } }),
    );
    for (path, content, summary) in [
        ("/healthz", "text/plain", "Liveness check."),
        ("/metrics", "text/plain", "Counts for Prometheus."),
        ("/openapi.json", "application/json", "This description."),
    ] {
        let schema = if content == "text/plain" { "string" } else { "object" };
        let get = json!({
            "summary": summary,
            "operationId": operation(path),
            "responses": responses(
                "The answer.",
                json!({ content: { "schema": { "type": schema } } }),
                &[],
            ),
        });
        paths.insert(path.to_owned(), json!({ "get": get }));
    }
    Value::Object(paths)
}

/// The name of an operation, from the words of its path.
fn operation(path: &str) -> String {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !matches!(*word, "" | "api" | "game" | "json"));
    words.collect::<Vec<_>>().join("_")
}

fn responses(description: &str, content: Value, errors: &[u16]) -> Value {
    let mut responses = Map::new();
    responses.insert("200".to_owned(), json!({ "description": description, "content": content }));
    for (status, description) in [
        (400, "The request is not understood."),
        (404, "There is no such game, table or position."),
        (408, "The request body did not arrive in time."),
        (413, "The request is too large."),
        (422, "No table can have this."),
        (429, "Too many requests from this address."),
        (500, "A table is damaged."),
        (503, "The server is busy."),
    ] {
        if errors.contains(&status) || matches!(status, 429 | 500 | 503) {
            let content = json!({ "application/json": { "schema": reference("Error") } });
            let response = json!({ "description": description, "content": content });
            responses.insert(status.to_string(), response);
        }
    }
    Value::Object(responses)
}

/// A parameter by name; `chess_fen` is `fen` in paths that are only for chess.
fn parameter(name: &str) -> Value {
    let (schema, description) = match name {
        "game" => (reference("Game"), "The game."),
        "signature" => (text(), "The pieces, as in KKMvKM."),
        "fen" | "chess_fen" => (text(), "The position; underscores may stand for blanks."),
        "square" => (text(), "The square of the piece."),
        "metric" => (reference("Metric"), "The requested metric; dtw by default."),
        "engine" => {
            (flag(), "Whether an engine, if there is one, searches positions that are in no table.")
        }
        "value" => (reference("Known"), "The result for the side to move."),
        "distance" => (within(0, u16::MAX.into()), "The plies to the win or loss."),
        "unique" => (flag(), "Whether only one move keeps the result."),
        "zugzwang" => (flag(), "Whether either side would rather not move."),
        "all" => (
            flag(),
            "Whether symmetric positions are listed separately; otherwise they are listed once.",
        ),
        "turn" => (reference("Side"), "The side to move."),
        "cursor" => {
            let cursor = json!({ "type": "string", "pattern": "^[wb][0-9]{1,19}$" });
            (cursor, "The `next` of the page before.")
        }
        "limit" => (within(1, 1000), "The most positions; 20 by default."),
        "seed" => (within(0, u64::MAX), "The same position comes for the same seed."),
        _ => (flag(), "Whether moves are ranked as well."),
    };
    let is_path = matches!(name, "game" | "signature");
    let mut parameter = json!({
        "name": name.trim_start_matches("chess_"),
        "in": if is_path { "path" } else { "query" },
        "required": is_path || matches!(name, "fen" | "chess_fen" | "square"),
        "schema": schema,
        "description": description,
    });
    let example = match name {
        "game" => "russian",
        "signature" => "KvM",
        "fen" => "W:WKa1:BKg7",
        "chess_fen" => "k7/8/1K6/8/8/8/8/7R_w_-_-_0_1",
        "square" => "a1",
        _ => return parameter,
    };
    parameter["example"] = example.into();
    parameter
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn within(least: u64, most: u64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

fn flag() -> Value {
    json!({ "type": "boolean" })
}

fn words(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}
