//! The counts of a signature's tables.

use crate::answer::DtwStatus;
use crate::{AskError, Color, Metric, Position, Side, Signature, Value, Wdl};
use damka_probe::{Pending, ProbeError, Storage, Table, Tables};
use damka_tables::Indexable;
use damka_tables::metric::{Histogram, Longest};
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// The counts of a signature with one side to move, as the headers of its tables have them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SideStats {
    /// The game's name.
    pub game: &'static str,
    /// The pieces, White's first.
    pub signature: String,
    /// The side to move, `white` or `black`.
    pub to_move: &'static str,
    /// The number of positions.
    pub positions: u64,
    /// The number of positions that the side to move wins.
    pub wins: u64,
    /// The number of drawn positions.
    pub draws: u64,
    /// The number of positions that the side to move loses.
    pub losses: u64,
    /// Whether distances are known.
    pub dtw_status: DtwStatus,
    /// The longest win in plies.
    pub longest_win: Option<u16>,
    /// A position that is won in this many plies.
    pub longest_win_fen: Option<String>,
    /// The longest loss in plies.
    pub longest_loss: Option<u16>,
    /// A position that is lost in this many plies.
    pub longest_loss_fen: Option<String>,
    /// The size of the WDL table in bytes; `None` if it is missing.
    pub wdl_bytes: Option<u64>,
    /// The size of the DTW table in bytes; `None` if it is missing.
    pub dtw_bytes: Option<u64>,
    /// The digest of the WDL table's values, in hexadecimal digits.
    pub wdl_digest: Option<String>,
    /// The digest of the DTW table's values, in hexadecimal digits.
    pub dtw_digest: Option<String>,
}

/// How many positions of a signature with one side to move have each value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SideHistogram {
    /// The game's name.
    pub game: &'static str,
    /// The pieces, White's first.
    pub signature: String,
    /// The side to move, `white` or `black`.
    pub to_move: &'static str,
    /// The values that occur, best first.
    pub histogram: Vec<Bar>,
}

/// The positions of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bar {
    /// The value for the side to move.
    pub value: Wdl,
    /// The distance in plies; `None` for draws.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
    /// The number of positions.
    pub positions: u64,
}

/// The name of the side to move, as in [`SideStats::to_move`].
fn to_move(side: Side) -> &'static str {
    match side.color() {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The counts of a signature for both sides to move, from whichever of its tables exist.
pub(crate) fn stats<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    signature: &str,
) -> Result<[SideStats; 2], AskError> {
    let signature = Signature::parse(Tables::game(tables), signature)?;
    let open = |metric| match tables.open_table(signature, metric) {
        Err(error) if error.is_missing() => Ok(Err(error)),
        table => table.map(Ok::<_, ProbeError>),
    };
    let mut pending = Pending::new();
    let wdl = pending.or_later(open(Metric::Wdl))?;
    let dtw = pending.or_later(open(Metric::Dtw))?;
    pending.finish()?;
    let (wdl, dtw) = match (wdl, dtw) {
        (None | Some(Err(_)), Some(Err(missing))) => return Err(missing.into()),
        (wdl, dtw) => (wdl.and_then(Result::ok), dtw.and_then(Result::ok)),
    };
    let bytes = |table: &Option<Table<G, _>>| table.as_ref().map(|table| table.header().file_len());
    let digest =
        |table: &Option<Table<G, _>>| table.as_ref().map(|table| table.header().digest_hex());
    let table = dtw.as_ref().or(wdl.as_ref()).expect("one of them is there");
    Ok([Side::First, Side::Second].map(|side| {
        let summary = table.header().summary(side);
        let fen = |longest: &Longest| {
            let position = table.side_index(side).position(longest.number);
            match side.color() {
                Color::White => position.fen(),
                Color::Black => position.flip().fen(),
            }
        };
        SideStats {
            game: signature.game().name(),
            signature: signature.to_string(),
            to_move: to_move(side),
            positions: summary.positions(),
            wins: summary.wins,
            draws: summary.draws,
            losses: summary.losses,
            dtw_status: if dtw.is_some() { DtwStatus::Known } else { DtwStatus::Unknown },
            longest_win: summary.longest_win.map(|longest| longest.plies),
            longest_win_fen: summary.longest_win.as_ref().map(fen),
            longest_loss: summary.longest_loss.map(|longest| longest.plies),
            longest_loss_fen: summary.longest_loss.as_ref().map(fen),
            wdl_bytes: bytes(&wdl),
            dtw_bytes: bytes(&dtw),
            wdl_digest: digest(&wdl),
            dtw_digest: digest(&dtw),
        }
    }))
}

/// The histograms of both sides to move, if the table holds them.
pub(crate) fn stored_histogram<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    signature: &str,
) -> Result<Option<[SideHistogram; 2]>, AskError> {
    let signature = Signature::parse(Tables::game(tables), signature)?;
    let sides = signature.sides().iter();
    let stored = sides.map(|&side| tables.stored_histogram(&signature, side));
    let histograms = stored.collect::<Result<Option<Vec<Histogram>>, ProbeError>>()?;
    Ok(histograms.map(|histograms| of_sides(&signature, &histograms)))
}

/// The histograms of both sides to move. Unless the table holds them, `progress` gets the index
/// numbers done and in total; `Break` ends the work.
pub(crate) fn histogram<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    signature: &str,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<[SideHistogram; 2], AskError> {
    let signature = Signature::parse(Tables::game(tables), signature)?;
    let sides = signature.sides();
    let mut histograms = Vec::new();
    for (before, &side) in (0..).zip(sides) {
        let counted = tables.histogram(&signature, side, |done, total| {
            progress(done + before * total, total * sides.len() as u64)
        })?;
        histograms.push(counted.ok_or(AskError::Interrupted)?);
    }
    Ok(of_sides(&signature, &histograms))
}

/// The results for both sides to move. Where both sides have the same pieces there is one
/// histogram.
fn of_sides<G: Indexable>(
    signature: &Signature<G>,
    histograms: &[Histogram],
) -> [SideHistogram; 2] {
    [(Side::First, 0), (Side::Second, histograms.len() - 1)].map(|(side, number)| SideHistogram {
        game: signature.game().name(),
        signature: signature.to_string(),
        to_move: to_move(side),
        histogram: bars(&histograms[number]),
    })
}

/// The values that occur, best first, and how many positions have each.
fn bars(histogram: &Histogram) -> Vec<Bar> {
    let mut rows: Vec<(Value, u64)> = histogram.values().collect();
    rows.sort_unstable_by_key(|&(value, _)| Reverse(value));
    let bar = |(value, positions): (Value, u64)| Bar {
        value: value.wdl(),
        dtw: value.plies(),
        dtw_status: value.plies().map_or(DtwStatus::Draw, |_| DtwStatus::Known),
        positions,
    };
    rows.into_iter().map(bar).collect()
}
