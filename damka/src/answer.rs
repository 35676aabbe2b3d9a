//! The answer to a query about one position. Values that no table has are unknown; the answer has
//! all others, and names the missing tables.

use damka_games::{Counted, Game, Position};
use damka_probe::{Pending, ProbeError, RankedMove, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Value, Wdl};
use std::cmp::Reverse;
use std::fmt;

/// Whether the distance to the win or loss is known, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum DtwStatus {
    /// The distance is known.
    Known,
    /// There is none: the position is drawn.
    Draw,
    /// There may be one, but no table at hand has it.
    Unknown,
    /// There may be one, but only win, draw or loss was requested.
    NotAsked,
}

impl DtwStatus {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            DtwStatus::Known => "known",
            DtwStatus::Draw => "draw",
            DtwStatus::Unknown => "unknown",
            DtwStatus::NotAsked => "not_asked",
        }
    }
}

/// The value of a position and of its moves by tables, in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Answer {
    /// The game's name.
    pub game: &'static str,
    /// The position, with its move counters.
    pub fen: String,
    /// The value for the side to move; `None` if it is unknown, although the values of some moves
    /// may be known.
    #[cfg_attr(feature = "serde", serde(serialize_with = "value_word"))]
    pub value: Option<Wdl>,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
    /// All legal moves, best first: quick wins, slow wins, draws, slow losses, quick losses. Moves whose
    /// value is unknown are at the end, or at the beginning if the best move must be one of them.
    pub moves: Vec<AnswerMove>,
    /// Best play to the end, if requested; empty for a draw, which has no end.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub line: Option<Vec<Ply>>,
    /// The tables that were not found, each once. With these tables, and those that they lead to,
    /// the answer would be complete.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub missing: Vec<MissingTable>,
}

/// The value of a position by tables, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PositionValue {
    /// The game's name.
    pub game: &'static str,
    /// The position, with its move counters.
    pub fen: String,
    /// The value for the side to move.
    pub value: Wdl,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
}

impl PositionValue {
    /// Looks up a position in `tables`. If the DTW table is missing, the WDL table gives the
    /// result.
    ///
    /// # Errors
    /// The tables are missing or damaged, or cannot be read.
    pub fn of<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        counted: &Counted<G::Position>,
        metric: Metric,
    ) -> Result<PositionValue, ProbeError> {
        let known = Asker { tables, metric, missing: Vec::new() }.ask(&counted.position)??;
        let (_, dtw, dtw_status) = Known::fields(Some(known), metric);
        let (game, fen, value) = (tables.game().name(), counted.fen(), known.value.wdl());
        Ok(PositionValue { game, fen, value, dtw, dtw_status })
    }
}

/// A legal move and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnswerMove {
    /// The move in the notation of the game.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: String,
    /// The move by its squares: UCI's `e2e4` in chess.
    pub coordinates: String,
    /// The position after it.
    pub fen: String,
    /// The value for the side that plays it; `None` if it is unknown.
    #[cfg_attr(feature = "serde", serde(serialize_with = "value_word"))]
    pub value: Option<Wdl>,
    /// The distance to the win or loss in plies, the move included.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
}

/// A move of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ply {
    /// The move in the notation of the game.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: String,
    /// The move by its squares: UCI's `e2e4` in chess.
    pub coordinates: String,
    /// The position after it.
    pub fen: String,
}

/// A table that is missing for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MissingTable {
    /// The pieces, as in `KKMvKM`.
    pub signature: String,
    /// The metric of the table.
    pub metric: Metric,
}

impl MissingTable {
    /// The table whose absence an error reports.
    pub fn of(error: &ProbeError) -> Option<MissingTable> {
        match error {
            ProbeError::Missing { signature, metric, .. } => {
                Some(MissingTable { signature: signature.clone(), metric: *metric })
            }
            _ => None,
        }
    }
}

impl fmt::Display for MissingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.signature, self.metric)
    }
}

/// The word for a value in JSON.
#[cfg(feature = "serde")]
pub(crate) fn value_word<S: serde::Serializer>(
    value: &Option<Wdl>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.map_or("unknown", Wdl::word))
}

/// A value from tables, whose distance may be unknown.
#[derive(Clone, Copy)]
struct Known {
    value: Value,
    /// Whether the distance of the value is meaningful; true for every draw.
    has_distance: bool,
}

impl Known {
    /// A value of a table under `metric`.
    fn under(metric: Metric, value: Value) -> Known {
        Known { value, has_distance: metric.has_distances() || value == Value::DRAW }
    }

    fn before_move(self) -> Known {
        Known { value: self.value.before_move(), ..self }
    }

    /// The sort key of a move: the best move has the greatest. A win of unknown distance is worse
    /// than the other wins, a loss of unknown distance better than the other losses.
    fn rank(known: Option<Known>) -> (u8, Value) {
        let Some(Known { value, has_distance }) = known else { return (0, Value::DRAW) };
        match (value.wdl(), has_distance) {
            (Wdl::Win, true) => (5, value),
            (Wdl::Win, false) => (4, Value::DRAW),
            (Wdl::Draw, _) => (3, value),
            (Wdl::Loss, false) => (2, Value::DRAW),
            (Wdl::Loss, true) => (1, value),
        }
    }

    /// The value of a position that follows from the values of all its moves, which must be sorted.
    fn of_moves<P: Position>(position: &P, moves: &[Option<Known>]) -> Option<Known> {
        let all_known = moves.iter().all(Option::is_some);
        let all_distances = moves.iter().flatten().all(|known| known.has_distance);
        match moves.first() {
            None => {
                let value = Value::without_moves::<P::Game>(position);
                Some(Known { value, has_distance: true })
            }
            // No win is quicker than in 1 ply, so the values of the other moves do not matter.
            Some(&Some(best)) if best.has_distance && best.value.plies() == Some(1) => Some(best),
            Some(&Some(best)) if all_known => {
                let has_distance = all_distances || best.value.wdl() == Wdl::Draw;
                Some(Known { has_distance, ..best })
            }
            Some(&Some(best)) if best.value.wdl() == Wdl::Win => {
                Some(Known { has_distance: false, ..best })
            }
            _ => None,
        }
    }

    /// The fields of an answer to a query under `metric`: the result, the distance, and why there
    /// is one or none.
    fn fields(known: Option<Known>, metric: Metric) -> (Option<Wdl>, Option<u16>, DtwStatus) {
        let without = match metric.has_distances() {
            true => DtwStatus::Unknown,
            false => DtwStatus::NotAsked,
        };
        let Some(Known { value, has_distance }) = known else { return (None, None, without) };
        match value.plies() {
            None => (Some(Wdl::Draw), None, DtwStatus::Draw),
            plies if has_distance => (Some(value.wdl()), plies, DtwStatus::Known),
            _ => (Some(value.wdl()), None, without),
        }
    }
}

/// Sorts moves, the best first. Sorts only ranks and indices, so that the sorting code, which is
/// large, is compiled once for all games.
fn sort<M: Copy>(moves: &mut Vec<(Option<Known>, M)>) {
    let ranked = moves.iter().map(|&(known, _)| Reverse(Known::rank(known)));
    let mut order: Vec<(Reverse<(u8, Value)>, usize)> = ranked.zip(0..).collect();
    order.sort_unstable();
    *moves = order.into_iter().map(|(_, place)| moves[place]).collect();
}

/// The known value of a position, or the error that names the missing table.
type KnownOrMissing = Result<Known, ProbeError>;

/// Looks up positions, and collects the missing tables.
struct Asker<'a, G: Indexable, S: Storage> {
    tables: &'a Tables<G, S>,
    metric: Metric,
    missing: Vec<MissingTable>,
}

impl<G: Indexable, S: Storage> Asker<'_, G, S> {
    /// The value of a position by the tables.
    ///
    /// # Errors
    /// A table is damaged, or cannot be read.
    fn ask(&mut self, position: &G::Position) -> Result<KnownOrMissing, ProbeError> {
        let error = match self.tables.value(position, self.metric) {
            Ok(value) => return Ok(Ok(Known::under(self.metric, value))),
            Err(error) if error.is_missing() => error,
            Err(error) => return Err(error),
        };
        if let ProbeError::Missing { signature, metric, .. } = &error {
            let missing = MissingTable { signature: signature.clone(), metric: *metric };
            if !self.missing.contains(&missing) {
                self.missing.push(missing);
            }
        }
        if self.metric == Metric::Wdl {
            return Ok(Err(error));
        }
        match self.tables.value(position, Metric::Wdl) {
            Ok(value) => Ok(Ok(Known::under(Metric::Wdl, value))),
            Err(also) if also.is_missing() => Ok(Err(error)),
            Err(error) => Err(error),
        }
    }
}

impl Answer {
    /// Looks up a position and its moves in `tables`; under [`Metric::Wdl`] without distances.
    /// Where a table is missing, the table of the other metric or the moves may still give the
    /// value; otherwise it is unknown. [`missing`](Answer::missing) names the missing tables.
    ///
    /// # Errors
    /// A table is damaged or cannot be read, or nothing at all is known: neither the position's
    /// value nor that of any move. If no table can have the position, the error names one that is missing for
    /// its moves.
    pub fn of<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        counted: &Counted<G::Position>,
        metric: Metric,
    ) -> Result<Answer, ProbeError> {
        let position = &counted.position;
        let mut asker = Asker { tables, metric, missing: Vec::new() };
        let mut pending = Pending::new();
        let own = pending.or_later(asker.ask(position))?;
        let (mut moves, mut no_table_of_move) = (Vec::new(), None);
        for mv in position.moves() {
            match pending.or_later(asker.ask(&position.play(mv)))? {
                Some(Ok(known)) => moves.push((Some(known.before_move()), mv)),
                Some(Err(error)) => {
                    moves.push((None, mv));
                    if matches!(error, ProbeError::Missing { .. }) {
                        no_table_of_move.get_or_insert(error);
                    }
                }
                None => {}
            }
        }
        pending.finish()?;
        sort(&mut moves);
        let values: Vec<Option<Known>> = moves.iter().map(|&(known, _)| known).collect();
        let known = match own {
            Some(Ok(known)) if known.has_distance => Some(known),
            own => {
                let derived = Known::of_moves(position, &values);
                match (own, derived) {
                    (_, Some(derived)) if derived.has_distance => Some(derived),
                    (Some(Ok(known)), _) => Some(known),
                    (Some(Err(error)), None) if values.iter().all(Option::is_none) => {
                        // A position that no table can have gets its value from those of its moves.
                        return Err(match error {
                            ProbeError::NoTable(_) => no_table_of_move.unwrap_or(error),
                            error => error,
                        });
                    }
                    (_, derived) => derived,
                }
            }
        };
        let missing = asker.missing;
        let mut answer =
            Answer { missing, ..Answer::from_known(tables.game(), counted, known, moves, metric) };
        if answer.value.is_some() && answer.best().is_none() {
            // No move of known value is as good as the position, so the best move is one of unknown
            // value.
            let known = answer.moves.iter().take_while(|mv| mv.value.is_some()).count();
            answer.moves.rotate_left(known);
        }
        Ok(answer)
    }

    /// Like [`of`](Answer::of), but reads nothing: `None` unless the values of the position and of
    /// all moves follow from decoded blocks of tables under `metric`.
    pub fn of_decoded<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        counted: &Counted<G::Position>,
        metric: Metric,
    ) -> Option<Answer> {
        let decoded = |position: &G::Position| {
            let value = tables.value_if_decoded(position, metric).ok()??;
            Some(Known::under(metric, value))
        };
        let known = decoded(&counted.position)?;
        let legal = counted.position.moves();
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            moves.push((Some(decoded(&counted.position.play(mv))?.before_move()), mv));
        }
        sort(&mut moves);
        Some(Answer::from_known(tables.game(), counted, Some(known), moves, metric))
    }

    /// The legal moves of a position. All values are unknown.
    pub fn without_tables<G: Game>(game: G, counted: &Counted<G::Position>) -> Answer {
        let moves = counted.position.moves().into_iter().map(|mv| (None, mv)).collect();
        Answer::from_known(game, counted, None, moves, Metric::Dtw)
    }

    /// The answer that consists of these values; the moves are in order.
    fn from_known<G: Game>(
        game: G,
        counted: &Counted<G::Position>,
        known: Option<Known>,
        moves: Vec<(Option<Known>, G::Move)>,
        metric: Metric,
    ) -> Answer {
        let (value, dtw, dtw_status) = Known::fields(known, metric);
        let moves = moves.into_iter();
        Answer {
            game: game.name(),
            fen: counted.fen(),
            value,
            dtw,
            dtw_status,
            moves: moves
                .map(|(known, mv)| AnswerMove::of::<G>(counted, mv, known, metric))
                .collect(),
            line: None,
            missing: Vec::new(),
        }
    }

    /// The best move, if it is known: the first of [`moves`](Answer::moves), if it has the value of
    /// the position. Where a distance is unknown, another move may be quicker.
    pub fn best(&self) -> Option<&AnswerMove> {
        let first = self.moves.first()?;
        let is_as_quick = self.dtw.is_none() || first.dtw.is_none() || first.dtw == self.dtw;
        (self.value.is_some() && first.value == self.value && is_as_quick).then_some(first)
    }

    /// The value of a position as far as `tables` have it: the result, the distance in plies, and
    /// why there is a distance or none. Moves are not looked at.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(crate) fn value<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        position: &G::Position,
        metric: Metric,
    ) -> Result<(Option<Wdl>, Option<u16>, DtwStatus), ProbeError> {
        let known = Asker { tables, metric, missing: Vec::new() }.ask(position)?.ok();
        Ok(Known::fields(known, metric))
    }

    /// Looks up a position, its moves, and best play to the end, which needs distances, in
    /// `tables`.
    ///
    /// # Errors
    /// As [`Tables::line`].
    pub fn with_line<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        counted: &Counted<G::Position>,
    ) -> Result<Answer, ProbeError> {
        let mut now = *counted;
        let ply = |ranked: RankedMove<G>| {
            let (name, coordinates) =
                (now.position.format_move(ranked.mv), now.position.coordinates(ranked.mv));
            now = now.play(ranked.mv);
            Ply { name, coordinates, fen: now.fen() }
        };
        let line = tables.line(&counted.position)?.into_iter().map(ply).collect();
        Ok(Answer { line: Some(line), ..Answer::of(tables, counted, Metric::Dtw)? })
    }
}

impl AnswerMove {
    fn of<G: Game>(
        counted: &Counted<G::Position>,
        mv: G::Move,
        known: Option<Known>,
        metric: Metric,
    ) -> AnswerMove {
        let (value, dtw, dtw_status) = Known::fields(known, metric);
        AnswerMove {
            name: counted.position.format_move(mv),
            coordinates: counted.position.coordinates(mv),
            fen: counted.play(mv).fen(),
            value,
            dtw,
            dtw_status,
        }
    }
}

/// The distance of a value under `metric`, and why there is one or none.
pub(crate) fn distance(value: Value, metric: Metric) -> (Option<u16>, DtwStatus) {
    let has_distance = metric.has_distances();
    let (_, dtw, status) = Known::fields(Some(Known { value, has_distance }), metric);
    (dtw, status)
}
