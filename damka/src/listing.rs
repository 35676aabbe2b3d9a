//! Lists of positions, of a game named at run time.

use crate::answer::{DtwStatus, distance};
use crate::{AskError, Color, Metric, Position, Side, Signature, Wdl};
use damka_games::{Pieces, Random};
use damka_probe::{
    Cursor, Filter, Listed, Listing, NoPlace, ProbeError, Query, Sample, Storage, Tables,
};
use damka_tables::{Indexable, Value};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Instant;

/// Which positions of a signature to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// The signature, such as `KKMvKM`. The pieces that it names first are White's: `KMvKKM` lists
    /// the positions of the same table with colours exchanged.
    pub signature: String,
    /// The metric of the values.
    pub metric: Metric,
    /// The conditions on a position.
    pub filter: Filter,
    /// The side to move; `None` for both.
    pub turn: Option<Color>,
    /// Whether [symmetric copies](Query::copies) are listed one by one.
    pub copies: bool,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRequest {
    /// What is listed.
    pub query: ListQuery,
    /// Where to begin: [`ListPage::next`] of the page before, or `None` for the first page.
    pub from: Option<Cursor>,
    /// The maximum number of positions of a page.
    pub limit: usize,
    /// When to return what has been found; checked every few milliseconds.
    pub deadline: Option<Instant>,
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage {
    /// The signature, the pieces of White first.
    pub signature: String,
    /// The positions, in the order of the table.
    pub positions: Vec<ListedPosition>,
    /// Where the list continues; `None` at its end.
    pub next: Option<Cursor>,
}

/// A position of a list, in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ListedPosition {
    /// The game's name.
    pub game: &'static str,
    /// The position.
    pub fen: String,
    /// Its value for the side to move.
    pub value: Wdl,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
    /// The only move that keeps the result, if requested, in the notation of the game.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub only_move: Option<String>,
    /// The only move by its squares.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub only_move_coordinates: Option<String>,
    /// The placement with the other side to move, if zugzwangs were requested.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub passed: Option<PassedPosition>,
    /// Its place in the list, a [`Cursor`] as text.
    pub cursor: String,
}

/// A listed placement with the other side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PassedPosition {
    /// The value for the other side.
    pub value: Wdl,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
}

/// A scan over the positions of a signature: a [`Listing`] of a game named at run time, with the
/// colours of the query.
pub trait AnyListing {
    /// Continues at a cursor.
    ///
    /// # Errors
    /// The list has no such place.
    fn resume(&mut self, cursor: Cursor) -> Result<(), NoPlace>;

    /// Where the scan continues; `None` at its end.
    fn cursor(&self) -> Option<Cursor>;

    /// The places of the positions that the table's header names, the longest wins and losses. The
    /// filter may exclude them.
    fn named(&self) -> Vec<Cursor>;

    /// The signature, the pieces of White first.
    fn signature(&self) -> String;

    /// The number of places scanned, and of all places. Each place has at most one position of the
    /// list.
    fn progress(&self) -> (u64, u64);

    /// Continues the scan for a few milliseconds and calls `found` with each position. If `found`
    /// returns `Break`, the next call continues after that position. Returns false at the end.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    fn advance(
        &mut self,
        found: &mut dyn FnMut(&dyn AnyListed) -> ControlFlow<()>,
    ) -> Result<bool, ProbeError>;

    /// Calls `found` with a [sample](Listing::sample) of the list, in order. `progress` gets the
    /// places done and in total. Returns false if `progress` returned `Break`, otherwise true.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    fn sample(
        self: Box<Self>,
        sample: Sample,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
        found: &mut dyn FnMut(&dyn AnyListed),
    ) -> Result<bool, ProbeError>;
}

/// A position that was listed: a [`Listed`] of a game named at run time.
pub trait AnyListed {
    /// Its place in the list.
    fn cursor(&self) -> Cursor;

    /// The game's name.
    fn game(&self) -> &'static str;

    /// The side to move.
    fn turn(&self) -> Color;

    /// All pieces.
    fn pieces(&self) -> Pieces;

    /// Appends the position as a FEN.
    fn write_fen(&self, text: &mut String);

    /// The value for the side to move.
    fn value(&self) -> Value;

    /// The only move that keeps the result, if requested: in the notation of the game, and by its
    /// squares.
    fn only_move(&self) -> Option<[String; 2]>;

    /// The value with the other side to move, if zugzwangs were requested.
    fn passed(&self) -> Option<Value>;
}

/// A scan with the colours of the query.
struct Ordered<'a, G: Indexable, S: Storage> {
    listing: Listing<'a, G, S>,
    /// The side of the signature that White has.
    white: Side,
}

impl<G: Indexable, S: Storage> AnyListing for Ordered<'_, G, S> {
    fn resume(&mut self, cursor: Cursor) -> Result<(), NoPlace> {
        self.listing.resume(cursor)
    }

    fn cursor(&self) -> Option<Cursor> {
        self.listing.cursor()
    }

    fn named(&self) -> Vec<Cursor> {
        self.listing.named()
    }

    fn signature(&self) -> String {
        self.listing.signature().in_order(self.white)
    }

    fn progress(&self) -> (u64, u64) {
        self.listing.progress()
    }

    fn advance(
        &mut self,
        found: &mut dyn FnMut(&dyn AnyListed) -> ControlFlow<()>,
    ) -> Result<bool, ProbeError> {
        let white = self.white;
        self.listing.advance(|listed| found(&in_order(listed, white)))
    }

    fn sample(
        self: Box<Self>,
        sample: Sample,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
        found: &mut dyn FnMut(&dyn AnyListed),
    ) -> Result<bool, ProbeError> {
        let Ordered { listing, white } = *self;
        let Some(chosen) = listing.sample(sample, progress)? else { return Ok(false) };
        chosen.into_iter().for_each(|listed| found(&in_order(listed, white)));
        Ok(true)
    }
}

/// A position that was listed, with the pieces of side `white` as White's.
fn in_order<G: Indexable>(listed: Listed<G>, white: Side) -> Listed<G> {
    if white == Side::First {
        return listed;
    }
    let position = listed.position.flip();
    // Only one move leads to that position: a second one would keep the result, too.
    let only_move = listed.only_move.and_then(|mv| {
        let after = listed.position.play(mv).flip();
        position.moves().into_iter().find(|&mv| position.play(mv) == after)
    });
    Listed { position, only_move, ..listed }
}

impl<G: Indexable> AnyListed for Listed<G> {
    fn cursor(&self) -> Cursor {
        self.cursor
    }

    fn game(&self) -> &'static str {
        damka_games::Game::name(self.position.game())
    }

    fn turn(&self) -> Color {
        self.position.turn()
    }

    fn pieces(&self) -> Pieces {
        self.position.all_pieces()
    }

    fn write_fen(&self, text: &mut String) {
        self.position.write_fen(text);
    }

    fn value(&self) -> Value {
        self.value
    }

    fn only_move(&self) -> Option<[String; 2]> {
        let written = |mv| [self.position.format_move(mv), self.position.coordinates(mv)];
        self.only_move.map(written)
    }

    fn passed(&self) -> Option<Value> {
        self.passed
    }
}

impl ListedPosition {
    /// A position that tables have listed under `metric`. Under [`Metric::Wdl`] all distances are
    /// reported as unknown.
    pub fn of(listed: &dyn AnyListed, metric: Metric) -> ListedPosition {
        let distance = |value| match distance(value, metric) {
            (None, DtwStatus::NotAsked) => (None, DtwStatus::Unknown),
            distance => distance,
        };
        let (dtw, dtw_status) = distance(listed.value());
        let mut fen = String::new();
        listed.write_fen(&mut fen);
        let (only_move, only_move_coordinates) =
            listed.only_move().map(|[name, coordinates]| (name, coordinates)).unzip();
        ListedPosition {
            game: listed.game(),
            fen,
            value: listed.value().wdl(),
            dtw,
            dtw_status,
            only_move,
            only_move_coordinates,
            passed: listed.passed().map(|value| {
                let (dtw, dtw_status) = distance(value);
                PassedPosition { value: value.wdl(), dtw, dtw_status }
            }),
            cursor: listed.cursor().to_string(),
        }
    }
}

/// Begins a list.
pub(crate) fn begin<'a, G: Indexable, S: Storage>(
    tables: &'a Tables<G, S>,
    query: &ListQuery,
) -> Result<Box<dyn AnyListing + 'a>, AskError> {
    let &ListQuery { metric, filter, copies, .. } = query;
    if filter.plies.is_some() && (!metric.has_distances() || filter.wdl == Some(Wdl::Draw)) {
        return Err(AskError::NoDistance);
    }
    let (signature, white) = Signature::parse_in_order(Tables::game(tables), &query.signature)?;
    let side = query.turn.map(|turn| match white {
        Side::First => Side::of_color(turn),
        Side::Second => Side::of_color(!turn),
    });
    let listing = tables.list(Query { signature, metric, filter, side, copies })?;
    Ok(Box::new(Ordered { listing, white }))
}

/// The page that `request` describes. `listing` is at its start.
pub(crate) fn page(
    mut listing: Box<dyn AnyListing + '_>,
    request: &ListRequest,
) -> Result<ListPage, AskError> {
    if let Some(cursor) = request.from {
        listing.resume(cursor)?;
    }
    let mut positions = Vec::new();
    while positions.len() < request.limit {
        let goes_on = listing.advance(&mut |listed| {
            positions.push(ListedPosition::of(listed, request.query.metric));
            if positions.len() == request.limit { Break(()) } else { Continue(()) }
        })?;
        if !goes_on || is_late(request.deadline) {
            break;
        }
    }
    Ok(ListPage { signature: listing.signature(), positions, next: listing.cursor() })
}

/// A function that begins a list. It hides the type of the tables.
type Begin<'a, 'b> = dyn FnMut(&ListQuery) -> Result<Box<dyn AnyListing + 'a>, AskError> + 'b;

/// A random position of the list that `begin` begins.
pub(crate) fn random<'a>(
    begin: &mut Begin<'a, '_>,
    query: &ListQuery,
    seed: u64,
    deadline: Option<Instant>,
) -> Result<Option<ListedPosition>, AskError> {
    /// The maximum number of random places that are tried, as a place may hold no position of the
    /// list.
    const TRIES: u32 = 20;
    /// The number of steps in which a scan finds a position, unless positions of the list are rare.
    const FEW: u32 = 16;
    /// The maximum number of steps of a scan for each side to move: about a million places.
    const STEPS: u32 = 128;
    let mut random = Random::new(seed);
    let turns = match query.turn {
        Some(turn) => vec![turn],
        None if random.below(2) == 0 => vec![Color::White, Color::Black],
        None => vec![Color::Black, Color::White],
    };
    for turn in turns {
        let mut listing = begin(&ListQuery { turn: Some(turn), ..query.clone() })?;
        // A list that is empty by the header of its table has no start.
        let Some(start) = listing.cursor() else { continue };
        let (_, places) = listing.progress();
        let mut scan = Scan { listing: &mut *listing, metric: query.metric, left: STEPS, deadline };
        let mut found = None;
        for _ in 0..TRIES.min(places.try_into().unwrap_or(TRIES)) {
            let place = start.place + random.below(places - start.place);
            let place = Cursor { place, ..start };
            let before = scan.left;
            // If the list starts at a position that the header names, that position can be
            // returned: a short scan is enough.
            let most = if start.place > 0 { FEW } else { STEPS };
            let mut next = scan.first_from(place, most)?;
            if next.is_none() {
                next = scan.first_from(start, STEPS)?;
            }
            let is_there = next.as_ref().is_none_or(|next| next.cursor == place.to_string());
            found = next.or(found);
            // If positions are rare, a random place hardly ever holds one.
            let is_rare = before - scan.left > FEW;
            if is_there || start.place > 0 || is_rare || scan.is_over() {
                break;
            }
        }
        if found.is_none() {
            found = scan.named()?;
        }
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// A scan over a list with a limited total number of steps.
struct Scan<'a, 'b> {
    listing: &'a mut (dyn AnyListing + 'b),
    metric: Metric,
    left: u32,
    deadline: Option<Instant>,
}

impl Scan<'_, '_> {
    /// The first position of the list at or after a place; `None` if there is none, if it takes
    /// more than `most` steps, or if the scan is over.
    fn first_from(&mut self, place: Cursor, most: u32) -> Result<Option<ListedPosition>, AskError> {
        self.listing.resume(place)?;
        let mut first = None;
        for _ in 0..most.min(self.left) {
            self.left -= 1;
            let goes_on = self.listing.advance(&mut |listed| {
                first = Some(ListedPosition::of(listed, self.metric));
                Break(())
            })?;
            if !goes_on || first.is_some() || is_late(self.deadline) {
                break;
            }
        }
        Ok(first)
    }

    /// A position of the list that the table's header names.
    fn named(&mut self) -> Result<Option<ListedPosition>, AskError> {
        for place in self.listing.named() {
            self.left = self.left.max(1);
            let found = self.first_from(place, 1)?;
            if found.as_ref().is_some_and(|found| found.cursor == place.to_string()) {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        self.left == 0 || is_late(self.deadline)
    }
}

fn is_late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}
