//! The types of C except positions, and their conversions.

use crate::failure::Failure;
use crate::position::DamkaPosition;
use crate::status::DamkaStatus::{self, DAMKA_BUG, DAMKA_MISSING, DAMKA_OK};
use damka::{
    Access, AnyGame, Color, DtwStatus, Filter, ListQuery, Metric, TableInfo, Value, Wdl, read_setup,
};
use std::ffi::{c_char, c_int};

/// A result for the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaResult {
    /// The side to move loses.
    DAMKA_LOSS = -1,
    /// Neither side can force a win.
    DAMKA_DRAW = 0,
    /// The side to move wins.
    DAMKA_WIN = 1,
}

/// How table files are read.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaAccess {
    /// They are mapped into memory, which is the fastest way. If a table is truncated in place while it
    /// is open, or the disk fails, SIGBUS ends the process.
    DAMKA_MAP = 0,
    /// They are read with pread(), the default, so that every error is a status.
    DAMKA_READ = 1,
}

/// The metric: what a table stores.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaMetric {
    /// Win, draw or loss. If the WDL table is missing, the DTW table is used.
    DAMKA_WDL = 0,
    /// Distance to the win in plies; in chess to mate.
    DAMKA_DTW = 1,
}

use DamkaAccess::{DAMKA_MAP, DAMKA_READ};
use DamkaMetric::{DAMKA_DTW, DAMKA_WDL};
use DamkaResult::{DAMKA_DRAW, DAMKA_LOSS, DAMKA_WIN};

/// A distance that is unknown or was not requested.
pub const DAMKA_UNKNOWN_PLIES: u16 = 65535;

/// The room for a move or for a signature, in bytes, with the zero byte at the end.
pub const DAMKA_NAME_SIZE: usize = 64;

/// The value of a position.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamkaValue {
    /// DAMKA_OK, or why there is no result.
    pub status: DamkaStatus,
    /// The result for the side to move; DAMKA_DRAW if there is none.
    pub result: DamkaResult,
    /// The distance to the win or loss in plies, 0 for a draw, or DAMKA_UNKNOWN_PLIES.
    pub plies: u16,
}

/// A legal move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DamkaMove {
    /// The move in the notation of the game: `c3xe5`, `Qh4#`.
    pub name: [c_char; DAMKA_NAME_SIZE],
    /// The move by its squares: `c3e5`; in chess as in UCI, `d8h4`, `a7a8q`.
    pub coordinates: [c_char; DAMKA_NAME_SIZE],
    /// The value for the side that plays it; the distance includes the move.
    pub value: DamkaValue,
    /// The position after it.
    pub after: DamkaPosition,
}

/// A table.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamkaTable {
    /// Its pieces: `KKMvKM`.
    pub signature: [c_char; DAMKA_NAME_SIZE],
    /// Its metric: DAMKA_WDL or DAMKA_DTW.
    pub metric: i32,
    /// The number of its pieces.
    pub pieces: u32,
    /// The number of its values, with both sides to move.
    pub positions: u64,
    /// The size of its file in bytes.
    pub bytes: u64,
}

/// Any value, distance or side; see DamkaQuery.
pub const DAMKA_ANY: i32 = -2;

/// A query: the positions of a table that meet all conditions are listed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DamkaQuery {
    /// The pieces, White's first: `KKMvKM`.
    pub signature: *const c_char,
    /// The metric of the values: DAMKA_WDL or DAMKA_DTW.
    pub metric: i32,
    /// The result for the side to move: DAMKA_WIN, DAMKA_DRAW, DAMKA_LOSS or DAMKA_ANY.
    pub result: i32,
    /// The distance in plies, under DAMKA_DTW, or DAMKA_ANY.
    pub plies: i32,
    /// The side to move: DAMKA_WHITE, DAMKA_BLACK or DAMKA_ANY.
    pub turn: i32,
    /// If not 0, only mutual zugzwangs: each side would do better if the other were to move.
    pub zugzwang: i32,
    /// If not 0, only positions with several legal moves, exactly one of which keeps the win or the
    /// draw.
    pub only_move: i32,
}

/// A listed position.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DamkaListed {
    /// The position.
    pub position: DamkaPosition,
    /// Its value.
    pub value: DamkaValue,
}

impl DamkaValue {
    pub(crate) fn of(value: Value, metric: Metric) -> DamkaValue {
        let plies = match metric.has_distances() || value.wdl() == Wdl::Draw {
            true => value.plies().unwrap_or(0),
            false => DAMKA_UNKNOWN_PLIES,
        };
        DamkaValue { status: DAMKA_OK, result: result_of(value.wdl()), plies }
    }

    /// A value of an answer, which may be unknown.
    pub(crate) fn of_answer(
        value: Option<Wdl>,
        plies: Option<u16>,
        status: DtwStatus,
    ) -> DamkaValue {
        let Some(wdl) = value else { return DamkaValue::without_result(DAMKA_MISSING) };
        let plies = match status {
            DtwStatus::Draw => 0,
            _ => plies.unwrap_or(DAMKA_UNKNOWN_PLIES),
        };
        DamkaValue { status: DAMKA_OK, result: result_of(wdl), plies }
    }

    pub(crate) fn without_result(status: DamkaStatus) -> DamkaValue {
        DamkaValue { status, result: DAMKA_DRAW, plies: DAMKA_UNKNOWN_PLIES }
    }
}

impl DamkaMove {
    pub(crate) fn of(
        game: AnyGame,
        [name, coordinates]: [&str; 2],
        fen: &str,
        value: DamkaValue,
    ) -> Result<DamkaMove, Failure> {
        let after = DamkaPosition::of(game, &read_setup(game, fen)?);
        Ok(DamkaMove { name: name_of(name)?, coordinates: name_of(coordinates)?, value, after })
    }
}

impl DamkaTable {
    pub(crate) fn of(table: &TableInfo) -> Result<DamkaTable, Failure> {
        let TableInfo { pieces, positions, bytes, .. } = *table;
        let metric = match table.metric {
            Metric::Wdl => DAMKA_WDL,
            Metric::Dtw => DAMKA_DTW,
        };
        let (signature, metric) = (name_of(&table.signature)?, metric as i32);
        Ok(DamkaTable { signature, metric, pieces, positions, bytes })
    }
}

/// Converts a query.
pub(crate) fn query_of(query: &DamkaQuery, signature: &str) -> Result<ListQuery, Failure> {
    let other = |name: &str, number: i32| Failure::bad(format!("{name} must not be {number}"));
    let DamkaQuery { metric, result, plies, turn, zugzwang, only_move, .. } = *query;
    let wdl = match result {
        DAMKA_ANY => None,
        _ => Some(wdl_of(result).ok_or_else(|| other("result", result))?),
    };
    let plies = match plies {
        DAMKA_ANY => None,
        _ => Some(u16::try_from(plies).map_err(|_| other("plies", plies))?),
    };
    let turn = match turn {
        DAMKA_ANY => None,
        _ => Some(color_of(turn).ok_or_else(|| other("turn", turn))?),
    };
    let (zugzwang, only_move) = (zugzwang != 0, only_move != 0);
    Ok(ListQuery {
        signature: signature.to_owned(),
        metric: metric_of(metric)?,
        filter: Filter { wdl, plies, only_move, zugzwang },
        turn,
        copies: false,
    })
}

/// The access with this number.
pub(crate) fn access_of(access: c_int) -> Result<Access, Failure> {
    match access {
        map if map == DAMKA_MAP as c_int => Ok(Access::Map),
        read if read == DAMKA_READ as c_int => Ok(Access::Read),
        other => Err(Failure::bad(format!("there is no access {other}"))),
    }
}

pub(crate) fn metric_of(metric: c_int) -> Result<Metric, Failure> {
    match metric {
        wdl if wdl == DAMKA_WDL as c_int => Ok(Metric::Wdl),
        dtw if dtw == DAMKA_DTW as c_int => Ok(Metric::Dtw),
        other => Err(Failure::bad(format!("there is no metric {other}"))),
    }
}

pub(crate) fn result_of(wdl: Wdl) -> DamkaResult {
    match wdl {
        Wdl::Loss => DAMKA_LOSS,
        Wdl::Draw => DAMKA_DRAW,
        Wdl::Win => DAMKA_WIN,
    }
}

fn wdl_of(result: i32) -> Option<Wdl> {
    let all = [Wdl::Loss, Wdl::Draw, Wdl::Win];
    all.into_iter().find(|&wdl| result_of(wdl) as i32 == result)
}

fn color_of(turn: i32) -> Option<Color> {
    Color::BOTH.into_iter().find(|&color| color as i32 == turn)
}

/// A name, followed by zero bytes.
fn name_of(name: &str) -> Result<[c_char; DAMKA_NAME_SIZE], Failure> {
    if name.len() >= DAMKA_NAME_SIZE {
        let text = format!("`{name}` is longer than {} bytes", DAMKA_NAME_SIZE - 1);
        return Err(Failure { status: DAMKA_BUG, text });
    }
    let mut room = [0; DAMKA_NAME_SIZE];
    room.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte as c_char);
    Ok(room)
}
