//! Injected faults, at chosen moments or at random.

use super::http::{Reply, Request};
use damka_games::Random;
use serde_json::{Value, json};

/// A fault of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// All tokens have expired: 401.
    Expired,
    /// The user's tokens are no longer known: 403, with the server's message.
    Forgotten,
    /// An empty 403 to any request, which is not executed.
    Forbidden,
    /// An empty 404 to any request, which is not executed.
    NotFound,
    /// 500; the request is not executed.
    Failed,
    /// 500, but the request was executed.
    FailedAfter,
    /// A move is stored, but not the next player: 500.
    HalfStored,
    /// The server stops after it has stored a move, but not the next player, and restarts.
    StoppedHalfway,
    /// The site's page; the request is not executed.
    Page,
    /// An empty answer; the request was executed.
    Empty,
    /// Numbers are strings.
    Texts,
    /// A random field of the answer is missing.
    Missing,
    /// The answer is truncated.
    Cut,
    /// The answer is not JSON.
    Garbage,
    /// The request is executed at once, and answered late.
    Slow,
    /// The request is executed late.
    Late,
    /// The connection is dropped; the request is not executed.
    DroppedBefore,
    /// The connection is dropped; the request was executed.
    DroppedAfter,
    /// The server restarts, and is down for a while.
    Restart,
    /// Another user closes the session of the request before the answer.
    ClosedByOthers,
    /// The clock of the player to move runs out before the answer.
    ClockOut,
    /// Every value of the answer may be replaced.
    Mangled,
}

impl Fault {
    /// All faults under which a player must still play by the rules. [`Mangled`](Fault::Mangled) is not
    /// among them, because it gives players wrong information.
    pub const ALL: [Fault; 21] = [
        Fault::Expired,
        Fault::Forgotten,
        Fault::Forbidden,
        Fault::NotFound,
        Fault::Failed,
        Fault::FailedAfter,
        Fault::HalfStored,
        Fault::StoppedHalfway,
        Fault::Page,
        Fault::Empty,
        Fault::Texts,
        Fault::Missing,
        Fault::Cut,
        Fault::Garbage,
        Fault::Slow,
        Fault::Late,
        Fault::DroppedBefore,
        Fault::DroppedAfter,
        Fault::Restart,
        Fault::ClosedByOthers,
        Fault::ClockOut,
    ];

    /// The answer of a fault that keeps a request from being executed.
    pub(super) fn instead(self) -> Option<Reply> {
        match self {
            Fault::Forbidden => Some(Reply::Empty(403)),
            Fault::NotFound => Some(Reply::Empty(404)),
            Fault::Failed => Some(super::fields::query_failed()),
            Fault::Page => Some(Reply::Page),
            _ => None,
        }
    }

    /// The answer after the fault has changed it.
    pub(super) fn after(self, reply: Reply, random: &mut Random) -> Reply {
        match (self, reply) {
            (Fault::FailedAfter | Fault::HalfStored, _) => super::fields::query_failed(),
            (Fault::Empty, _) => Reply::Empty(200),
            (Fault::Garbage, _) => {
                Reply::Raw(200, (0..random.below(300)).map(|_| random.next() as u8).collect())
            }
            (Fault::Texts, Reply::Json(status, mut value)) => {
                to_texts(&mut value);
                Reply::Json(status, value)
            }
            (Fault::Missing, Reply::Json(status, mut value)) => {
                drop_field(&mut value, random);
                Reply::Json(status, value)
            }
            (Fault::Mangled, reply) => mangled(reply, random),
            (_, reply) => reply,
        }
    }
}

/// The faults to inject, and when.
#[derive(Default)]
pub struct Plan {
    chosen: Vec<Chosen>,
    chance: Option<Chance>,
}

struct Chosen {
    call: &'static str,
    /// The number of such calls that are still to pass before the fault.
    wait: usize,
    fault: Fault,
}

struct Chance {
    faults: Vec<Fault>,
    one_in: u64,
    random: Random,
}

impl Plan {
    /// Injects a fault into the `nth` call, from 0, named `call` (`POST /move`, `GET
    /// /session/current`).
    pub fn at(&mut self, call: &'static str, nth: usize, fault: Fault) {
        self.chosen.push(Chosen { call, wait: nth, fault });
    }

    /// Injects a random one of these faults into one call of every `one_in`, on average.
    pub fn at_random(&mut self, faults: &[Fault], one_in: u64, seed: u64) {
        let random = Random::new(seed);
        self.chance = Some(Chance { faults: faults.to_vec(), one_in, random });
    }

    /// Ends all faults.
    pub fn clear(&mut self) {
        *self = Plan::default();
    }

    /// Whether all faults at chosen moments have been injected.
    pub fn is_done(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The fault of a request, if any.
    pub(super) fn draw(&mut self, request: &Request) -> Option<Fault> {
        let name = name_of(request);
        for (i, chosen) in self.chosen.iter_mut().enumerate() {
            if chosen.call == name {
                if chosen.wait == 0 {
                    return Some(self.chosen.remove(i).fault);
                }
                chosen.wait -= 1;
            }
        }
        let chance = self.chance.as_mut()?;
        let goes_wrong = chance.random.below(chance.one_in) == 0;
        goes_wrong.then(|| chance.random.pick(&chance.faults)).flatten()
    }
}

/// The name of a call: its path without numbers.
pub(super) fn name_of(request: &Request) -> String {
    let parts = request.path.split('/');
    let words = parts.filter(|part| part.is_empty() || part.parse::<i64>().is_err());
    format!("{} {}", request.method, words.collect::<Vec<_>>().join("/"))
}

fn to_texts(value: &mut Value) {
    match value {
        Value::Number(number) => *value = number.to_string().into(),
        Value::Array(values) => values.iter_mut().for_each(to_texts),
        Value::Object(fields) => fields.values_mut().for_each(to_texts),
        _ => {}
    }
}

fn drop_field(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(values) if !values.is_empty() => {
            let at = random.below(values.len() as u64) as usize;
            drop_field(&mut values[at], random);
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = random.below(fields.len() as u64) as usize;
            let name = fields.keys().nth(at).cloned();
            name.and_then(|name| fields.remove(&name));
        }
        _ => {}
    }
}

/// The answer with replaced values, or another answer.
fn mangled(reply: Reply, random: &mut Random) -> Reply {
    const STATUSES: [u16; 9] = [200, 201, 204, 302, 400, 401, 403, 404, 500];
    match (random.below(4), reply) {
        (0, _) => {
            let bytes = (0..random.below(300)).map(|_| random.next() as u8).collect();
            Reply::Raw(random.pick(&STATUSES).unwrap_or(200), bytes)
        }
        (1, _) => Reply::Json(random.pick(&STATUSES).unwrap_or(200), any_value(random, 3)),
        (_, Reply::Json(status, mut value)) => {
            mangle(&mut value, random);
            Reply::Json(status, value)
        }
        (_, reply) => reply,
    }
}

fn mangle(value: &mut Value, random: &mut Random) {
    match value {
        _ if random.below(12) == 0 => *value = any_value(random, 2),
        Value::Array(values) => values.iter_mut().for_each(|value| mangle(value, random)),
        Value::Object(fields) => fields.values_mut().for_each(|value| mangle(value, random)),
        Value::String(text) if random.below(6) == 0 => {
            let at = random.below(text.len() as u64 + 1) as usize;
            let at = (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(at);
        }
        _ => {}
    }
}

fn any_value(random: &mut Random, depth: u64) -> Value {
    const TEXTS: [&str; 8] = [
        "",
        "1",
        "-1",
        "1e300",
        "?turn=0;&setup=",
        "?turn=1;&setup=6/6/6/6/6/6 b",
        "\u{1F980}",
        "x",
    ];
    match random.below(if depth > 0 { 9 } else { 7 }) {
        0 => Value::Null,
        1 => Value::Bool(random.below(2) == 0),
        2 => json!(random.next() as i64),
        3 => json!(random.below(200)),
        4 => json!(-1.5e300),
        5 => json!(u64::MAX),
        6 => random.pick(&TEXTS).unwrap_or_default().into(),
        7 => (0..random.below(4)).map(|_| any_value(random, depth - 1)).collect(),
        _ => {
            const NAMES: [&str; 6] =
                ["id", "uid", "last_setup", "last_turn", "variant_id", "status"];
            let names =
                (0..random.below(5)).filter_map(|_| random.pick(&NAMES)).collect::<Vec<_>>();
            let fields =
                names.into_iter().map(|name| (name.to_owned(), any_value(random, depth - 1)));
            Value::Object(fields.collect())
        }
    }
}
