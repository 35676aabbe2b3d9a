//! What the server tells, read leniently: numbers may be texts, and what is absent, null or 0 is
//! the same.

use super::foreign::Foreign;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A row of a list of sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Row {
    /// The session.
    #[serde(deserialize_with = "number")]
    pub(super) id: u64,
    /// Waiting, started or finished.
    #[serde(deserialize_with = "number")]
    pub(super) status: u64,
    /// The game, by the site's number.
    #[serde(rename = "variant_id", deserialize_with = "number")]
    pub(super) variant: u64,
    /// The position; empty as long as nobody has sent one.
    #[serde(rename = "last_setup")]
    pub(super) setup: Foreign,
    /// The number of moves made; it may be too small.
    #[serde(deserialize_with = "number")]
    pub(super) last_turn: u64,
    /// Which of several start positions it is.
    #[serde(rename = "selector_value", deserialize_with = "number")]
    pub(super) selector: u64,
    #[serde(rename = "timecontrol_id", deserialize_with = "number")]
    pub(super) time_control: u64,
    /// Whether the other side is played by the page of the one player.
    #[serde(rename = "ai", deserialize_with = "flag")]
    pub(super) is_ai: bool,
    /// Who plays.
    #[serde(rename = "player_name")]
    pub(super) players: Foreign,
}

impl Row {
    /// The `status` of a session that waits for an opponent.
    pub(super) const WAITING: u64 = 1;
    /// The `status` of one that has begun, and has not ended.
    pub(super) const STARTED: u64 = 2;
    /// The `status` of one that has ended.
    pub(super) const FINISHED: u64 = 3;

    /// The seat's number of a player, if he is named: `Anna (1) / damka (2)`.
    pub(super) fn player(&self, name: &str) -> Option<u64> {
        let number = |seat: &str| match seat.strip_prefix(name)? {
            " (1)" => Some(1),
            " (2)" => Some(2),
            _ => None,
        };
        self.players.as_str().split(" / ").find_map(number)
    }
}

/// What the server tells a player of a session of his.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Recovery {
    /// The session.
    #[serde(deserialize_with = "number")]
    pub(super) id: u64,
    /// The seat; 0 if the game is over, or another's.
    #[serde(deserialize_with = "number")]
    pub(super) uid: u64,
    /// 1 for White, 2 for Black.
    #[serde(rename = "player_num", deserialize_with = "number")]
    pub(super) player: u64,
    #[serde(rename = "variant_id", deserialize_with = "number")]
    pub(super) variant: u64,
    #[serde(rename = "last_setup")]
    pub(super) setup: Foreign,
    /// The number of moves made.
    #[serde(deserialize_with = "number")]
    pub(super) last_turn: u64,
    /// What is left on the clock, in milliseconds: less than nothing after the flag has fallen.
    #[serde(deserialize_with = "signed")]
    pub(super) time_limit: Option<i64>,
    /// By so much it may be overdrawn, in milliseconds.
    #[serde(deserialize_with = "signed")]
    pub(super) additional_time: Option<i64>,
}

/// What the opponent has said and was not answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Said {
    /// What the game should end with; 0 if this is a move.
    #[serde(rename = "result_id", deserialize_with = "number")]
    pub(super) result: u64,
}

impl Said {
    /// The `result` by which the opponent says that he has lost.
    pub(super) const LOST: u64 = 2;
    /// The `result` of an offer of a draw.
    pub(super) const DRAW: u64 = 3;
}

/// What a session has ended with, for a player of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Outcome {
    /// By the server's number, as in [`Said`]; 1 if he has won.
    #[serde(rename = "result_id", deserialize_with = "number")]
    pub(super) result: u64,
}

/// A move of a session's record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Played {
    /// Which move it is, from 1.
    #[serde(deserialize_with = "number")]
    pub(super) turn: u64,
    /// Whose it is, 1 or 2.
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

/// An answer to a login.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Admission {
    #[serde(rename = "access_token", deserialize_with = "only_text")]
    pub(super) token: Foreign,
}

/// An answer, or one with nothing in it if it is no object.
pub(super) fn object<T: for<'a> Deserialize<'a> + Default>(value: Value) -> T {
    read(value).unwrap_or_default()
}

/// The objects of a list; none if it is no list.
pub(super) fn list<T: for<'a> Deserialize<'a> + Default>(value: Value) -> Vec<T> {
    match value {
        Value::Array(rows) => rows.into_iter().filter_map(read).collect(),
        _ => Vec::new(),
    }
}

fn read<T: for<'a> Deserialize<'a>>(value: Value) -> Option<T> {
    // A list would be taken for the fields in their order.
    if value.is_object() { T::deserialize(value).ok() } else { None }
}

/// A whole number, also as a text or with a fraction of nothing.
fn whole(value: &Value) -> Option<i64> {
    /// From here on not every whole number is one of these.
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

/// A text, and nothing else.
fn only_text<'a, D: Deserializer<'a>>(from: D) -> Result<Foreign, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Foreign::from(text.as_str()),
        _ => Foreign::default(),
    })
}

/// Whether there is something that is not "none".
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
    fn numbers_may_be_texts_and_nothing_has_three_forms() {
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
        // What is no whole number that can be told from others is none.
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
    fn what_is_no_list_is_empty() {
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
        fn anything_is_read(value in any_value()) {
            let _: (Recovery, Row) = (object(value.clone()), object(value.clone()));
            let _: (Vec<Row>, Vec<Said>) = (list(value.clone()), list(value.clone()));
            let _: (Vec<Played>, Vec<Tournament>) = (list(value.clone()), list(value));
        }
    }
}
