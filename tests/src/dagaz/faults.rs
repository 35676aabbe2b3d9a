//! What goes wrong on purpose, at chosen moments or at random.

use super::http::{Reply, Request};
use damka_games::Random;
use serde_json::{Value, json};

/// Something that goes wrong with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// All tokens have grown too old: 401.
    Expired,
    /// The user's tokens are not known any more: 403, in the server's words.
    Forgotten,
    /// 403, empty, whatever was asked; nothing is done.
    Forbidden,
    /// 404, empty, whatever was asked; nothing is done.
    NotFound,
    /// 500; nothing is done.
    Failed,
    /// 500, but it was done.
    FailedAfter,
    /// A move is stored but the server does not note whose turn it is: 500.
    HalfStored,
    /// The server stops when it has stored a move, before it notes whose turn it is, and begins anew.
    StoppedHalfway,
    /// The site's page; nothing is done.
    Page,
    /// An empty answer; it was done.
    Empty,
    /// Numbers as texts.
    Texts,
    /// A field is missing somewhere in the answer.
    Missing,
    /// The answer breaks off.
    Cut,
    /// The answer is no JSON.
    Garbage,
    /// It is done at once, and the answer comes late.
    Slow,
    /// It is done late.
    Late,
    /// The connection is dropped; nothing is done.
    DroppedBefore,
    /// The connection is dropped; it was done.
    DroppedAfter,
    /// The server restarts: for a while there is none.
    Restart,
    /// Somebody else ends the session that the request is about, before it is answered.
    ClosedByOthers,
    /// The clock of who is to move runs out, before the request is answered.
    ClockOut,
    /// Every value of the answer may be another one.
    Mangled,
}

impl Fault {
    /// All that a player must live with, and still play by the rules: not
    /// [`Mangled`](Fault::Mangled), by which he may be told wrong things.
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

    /// The answer instead of doing anything, if that is what goes wrong.
    pub(super) fn instead(self) -> Option<Reply> {
        match self {
            Fault::Forbidden => Some(Reply::Empty(403)),
            Fault::NotFound => Some(Reply::Empty(404)),
            Fault::Failed => Some(super::fields::query_failed()),
            Fault::Page => Some(Reply::Page),
            _ => None,
        }
    }

    /// What has become of the answer.
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

/// When things go wrong.
#[derive(Default)]
pub struct Plan {
    chosen: Vec<Chosen>,
    chance: Option<Chance>,
}

struct Chosen {
    call: &'static str,
    /// So many of these calls are answered before.
    wait: usize,
    fault: Fault,
}

struct Chance {
    faults: Vec<Fault>,
    one_in: u64,
    random: Random,
}

impl Plan {
    /// The `nth` call, from 0, that is `call` (`POST /move`, `GET /session/current`) goes wrong.
    pub fn at(&mut self, call: &'static str, nth: usize, fault: Fault) {
        self.chosen.push(Chosen { call, wait: nth, fault });
    }

    /// One call in so many goes wrong, in one of these ways.
    pub fn at_random(&mut self, faults: &[Fault], one_in: u64, seed: u64) {
        let random = Random::new(seed);
        self.chance = Some(Chance { faults: faults.to_vec(), one_in, random });
    }

    /// From now on nothing goes wrong.
    pub fn clear(&mut self) {
        *self = Plan::default();
    }

    /// Whether all chosen moments have come.
    pub fn is_done(&self) -> bool {
        self.chosen.is_empty()
    }

    /// What goes wrong with a request.
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

/// A call without the numbers in its path.
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

/// The answer with other values, or something else.
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
