//! The answers of the server, read leniently: numbers may be texts, and an absent value, null and 0
//! mean the same.

use crate::foreign::Foreign;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A row of a list of sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Row {
    /// The session.
    #[serde(deserialize_with = "number")]
    pub(super) id: u64,
    /// [Waiting](Row::WAITING), [started](Row::STARTED) or [finished](Row::FINISHED).
    #[serde(deserialize_with = "number")]
    pub(super) status: u64,
    /// The number of the game on the site.
    #[serde(rename = "variant_id", deserialize_with = "number")]
    pub(super) variant: u64,
    /// The position; empty before the first one is sent.
    #[serde(rename = "last_setup")]
    pub(super) setup: Foreign,
    /// The number of plies; may lag behind.
    #[serde(deserialize_with = "number")]
    pub(super) last_turn: u64,
    /// The number of the start position.
    #[serde(rename = "selector_value", deserialize_with = "number")]
    pub(super) selector: u64,
    /// Whether the opponent's page plays the other side.
    #[serde(rename = "ai", deserialize_with = "flag")]
    pub(super) is_ai: bool,
    /// The names of the players with their seats.
    #[serde(rename = "player_name")]
    pub(super) players: Foreign,
}

impl Row {
    /// The `status` of a session that waits for an opponent.
    pub(super) const WAITING: u64 = 1;
    /// The `status` of a session that is being played.
    pub(super) const STARTED: u64 = 2;
    /// The `status` of a session that is over.
    pub(super) const FINISHED: u64 = 3;

    /// The seat of a player by name, from a text such as `Anna (1) / damka (2)`.
    pub(super) fn player(&self, name: &str) -> Option<u64> {
        let number = |seat: &str| match seat.strip_prefix(name)? {
            " (1)" => Some(1),
            " (2)" => Some(2),
            _ => None,
        };
        self.players.as_str().split(" / ").find_map(number)
    }
}

/// The state of a session, as the server reports it to a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Recovery {
    /// The session.
    #[serde(deserialize_with = "number")]
    pub(super) id: u64,
    /// The number of the seat; 0 if the game is over, or belongs to others.
    #[serde(deserialize_with = "number")]
    pub(super) uid: u64,
    /// The seat of the user: 1 for the side that began, White on the site, and 2 for the other.
    #[serde(rename = "player_num", deserialize_with = "number")]
    pub(super) player: u64,
    #[serde(rename = "variant_id", deserialize_with = "number")]
    pub(super) variant: u64,
    #[serde(rename = "last_setup")]
    pub(super) setup: Foreign,
    /// The number of plies.
    #[serde(deserialize_with = "number")]
    pub(super) last_turn: u64,
    /// The remaining time, in milliseconds; negative if the clock is overdrawn.
    #[serde(deserialize_with = "signed")]
    pub(super) time_limit: Option<i64>,
    /// By how much the clock may be overdrawn, in milliseconds.
    #[serde(deserialize_with = "signed")]
    pub(super) additional_time: Option<i64>,
}

/// A statement of the opponent, or a move, that has not been answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Statement {
    /// The result that the opponent proposes; 0 if this is a move.
    #[serde(rename = "result_id", deserialize_with = "number")]
    pub(super) result: u64,
}

impl Statement {
    /// The `result` by which the opponent resigns.
    pub(super) const LOST: u64 = 2;
    /// The `result` by which the opponent offers a draw.
    pub(super) const DRAW: u64 = 3;
}

/// The result of a session for a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct SessionResult {
    /// Numbered as in [`Statement`]; 1 for a win.
    #[serde(rename = "result_id", deserialize_with = "number")]
    pub(super) result: u64,
}

/// A move of a session's record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Played {
    /// The number of the ply, from 1.
    #[serde(deserialize_with = "number")]
    pub(super) turn: u64,
    /// The seat that played it, 1 or 2.
    #[serde(deserialize_with = "number")]
    pub(super) player: u64,
    #[serde(rename = "move")]
    pub(super) text: Foreign,
}

/// A tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Tournament {
    #[serde(deserialize_with = "number")]
    pub(super) id: u64,
    #[serde(deserialize_with = "flag")]
    pub(super) closed: bool,
    #[serde(deserialize_with = "flag")]
    pub(super) is_joined: bool,
}

/// The answer to a login.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Admission {
    #[serde(rename = "access_token", deserialize_with = "only_text")]
    pub(super) token: Foreign,
}

/// Reads an object; the default if the value is not an object.
pub(super) fn object<T: for<'a> Deserialize<'a> + Default>(value: Value) -> T {
    read(value).unwrap_or_default()
}

/// Reads the objects of a list; empty if the value is not a list.
pub(super) fn list<T: for<'a> Deserialize<'a> + Default>(value: Value) -> Vec<T> {
    match value {
        Value::Array(rows) => rows.into_iter().filter_map(read).collect(),
        _ => Vec::new(),
    }
}

fn read<T: for<'a> Deserialize<'a>>(value: Value) -> Option<T> {
    // Serde would also accept a list, as the fields in their order.
    if value.is_object() { T::deserialize(value).ok() } else { None }
}

/// A whole number, which may be written as a text or with a fraction of 0.
fn whole(value: &Value) -> Option<i64> {
    /// From here on, not every whole number can be represented as a floating-point number.
    const LEAST_UNSAFE: f64 = (1u64 << 53) as f64;
    let of_float =
        |float: f64| (float.fract() == 0.0 && float.abs() < LEAST_UNSAFE).then_some(float as i64);
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(of_float)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(of_float))
        }
        _ => None,
    }
}

fn signed<'a, D: Deserializer<'a>>(from: D) -> Result<Option<i64>, D::Error> {
    Ok(whole(&Value::deserialize(from)?))
}

fn number<'a, D: Deserializer<'a>>(from: D) -> Result<u64, D::Error> {
    Ok(signed(from)?.and_then(|number| u64::try_from(number).ok()).unwrap_or_default())
}

/// A text; empty for other values.
fn only_text<'a, D: Deserializer<'a>>(from: D) -> Result<Foreign, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Foreign::from(text.as_str()),
        _ => Foreign::default(),
    })
}

/// Whether a value is present and does not mean "no".
fn flag<'a, D: Deserializer<'a>>(from: D) -> Result<bool, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Null => false,
        Value::Bool(flag) => flag,
        Value::String(text) => !matches!(text.trim(), "" | "0" | "false" | "null"),
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Array(_) | Value::Object(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn numbers_may_be_texts_and_absence_has_three_forms() {
        let plain = json!({"id": 7, "status": 2, "variant_id": 134, "last_setup": "x", "last_turn": 0, "ai": null});
        let other = json!({"id": "7", "status": "2", "variant_id": "134.00", "last_setup": "x", "timecontrol_id": null,
            "game": "Alapo (7)", "ai": 0, "selector_value": {}});
        let row: Row = object(plain);
        assert_eq!(row, object(other));
        assert_eq!((row.id, row.status, row.variant, row.is_ai), (7, 2, 134, false));
        let recovery: Recovery =
            object(json!({"time_limit": "-1799986", "additional_time": 20000.0, "uid": "-3"}));
        assert_eq!(recovery.time_limit, Some(-1_799_986));
        assert_eq!((recovery.additional_time, recovery.uid), (Some(20_000), 0));
        assert_eq!(object::<Recovery>(json!({"time_limit": null})), Recovery::default());
        // Numbers that are not exact whole numbers are treated as absent.
        for number in [json!(1.5), json!("1.5"), json!(u64::MAX), json!(1e300), json!("NaN")] {
            assert_eq!(object::<Row>(json!({"id": number})).id, 0, "{number}");
        }
        assert!(object::<Row>(json!({"last_setup": null})).setup.is_empty());
        assert!(object::<Row>(json!({"ai": "165"})).is_ai);
        assert!(!object::<Tournament>(json!({"closed": null})).closed);
        assert!(object::<Tournament>(json!({"closed": "2026-02-18T00:00:00Z"})).closed);
    }

    #[test]
    fn players_are_named_with_their_seats() {
        let row: Row = object(json!({"player_name": "Anna (1) / damka (2)"}));
        let players = ["Anna", "damka", "dam", "AI", ""].map(|name| row.player(name));
        assert_eq!(players, [Some(1), Some(2), None, None, None]);
        let row: Row = object(json!({"player_name": "(2) (1) / (1) (2)"}));
        assert_eq!(["(2)", "(1)"].map(|name| row.player(name)), [Some(1), Some(2)]);
    }

    #[test]
    fn other_values_are_empty_lists() {
        for value in [json!(null), json!("<html>"), json!({"id": 1}), json!([[], 3, "x", null])] {
            assert_eq!(list::<Row>(value), []);
        }
        assert_eq!(list::<Row>(json!([5, {"id": 1}])).len(), 1);
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        let key = "id|uid|status|variant_id|last_setup|last_turn|time_limit|turn|move|result_id|ai";
        leaf.prop_recursive(3, 32, 8, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map(key, inner, 0..8)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_is_read(value in any_value()) {
            let _: (Recovery, Row) = (object(value.clone()), object(value.clone()));
            let _: (Vec<Row>, Vec<Statement>) = (list(value.clone()), list(value.clone()));
            let _: (Vec<Played>, Vec<Tournament>) = (list(value.clone()), list(value));
        }
    }
}
