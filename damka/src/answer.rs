use damka_games::{Counted, Position};
use damka_probe::{ProbeError, RankedMove, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Value, Wdl};

/// Why an object has a distance or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum DtwStatus {
    /// The distance is known.
    Known,
    /// There is none: the position is drawn.
    Draw,
    /// There may be one, but no table at hand tells it.
    Unknown,
    /// There may be one, but the question was only who wins.
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

/// What tables say of a position, in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Answer {
    /// The game's name.
    pub game: &'static str,
    /// The position, with its move counters.
    pub fen: String,
    /// What the tables tell that answered: under [`Metric::Wdl`] no distance is known, neither
    /// the position's nor a move's.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub metric: Metric,
    /// Its value for the side to move.
    pub value: Wdl,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Why there is a distance or none.
    pub dtw_status: DtwStatus,
    /// All legal moves, best first: quick wins, slow wins, draws, slow losses, quick losses.
    pub moves: Vec<AnswerMove>,
    /// Best play to the end, if it was asked for; empty for a draw, which has no end.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub line: Option<Vec<Ply>>,
}

/// A legal move and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AnswerMove {
    /// The move as the game writes it.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: String,
    /// The move by its squares: UCI's `e2e4` in chess.
    pub coordinates: String,
    /// The position behind it.
    pub fen: String,
    /// The value for the side that plays it.
    pub value: Wdl,
    /// The distance to the win or loss in plies, the move included.
    pub dtw: Option<u16>,
    /// Why there is a distance or none.
    pub dtw_status: DtwStatus,
}

/// A move of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ply {
    /// The move as the game writes it.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub name: String,
    /// The move by its squares: UCI's `e2e4` in chess.
    pub coordinates: String,
    /// The position behind it.
    pub fen: String,
}

impl Answer {
    /// Asks `tables` about a position. Under [`Metric::Dtw`] the answer has distances, unless a
    /// table with distances is missing and the WDL tables are there; under [`Metric::Wdl`] it has
    /// none. [`metric`](Answer::metric) tells.
    ///
    /// # Errors
    /// As [`Tables::wdl`].
    pub fn of<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        asked: &Counted<G::Position>,
        metric: Metric,
    ) -> Result<Answer, ProbeError> {
        let error = match Answer::under(tables, asked, metric) {
            Err(error) if error.is_missing() && metric != Metric::Wdl => error,
            answer => return answer,
        };
        match Answer::under(tables, asked, Metric::Wdl) {
            Err(also) if also.is_missing() => Err(error),
            answer => answer.map(Answer::with_unknown_distances),
        }
    }

    /// Asks `tables` about a position under `metric`.
    fn under<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        asked: &Counted<G::Position>,
        metric: Metric,
    ) -> Result<Answer, ProbeError> {
        let value = tables.value(&asked.position, metric)?;
        let moves = tables.moves(&asked.position, metric)?;
        let (dtw, dtw_status) = distance(value, metric);
        Ok(Answer {
            game: tables.game().name(),
            fen: asked.fen(),
            metric,
            value: value.wdl(),
            dtw,
            dtw_status,
            moves: moves.iter().map(|ranked| AnswerMove::of::<G>(asked, ranked, metric)).collect(),
            line: None,
        })
    }

    /// Asks `tables` about a position, and for best play to its end, which needs distances.
    ///
    /// # Errors
    /// As [`Tables::wdl`].
    pub fn with_line<G: Indexable, S: Storage>(
        tables: &Tables<G, S>,
        asked: &Counted<G::Position>,
    ) -> Result<Answer, ProbeError> {
        let mut now = *asked;
        let ply = |ranked: RankedMove<G>| {
            let (name, coordinates) =
                (now.position.format_move(ranked.mv), now.position.coordinates(ranked.mv));
            now = now.play(ranked.mv);
            Ply { name, coordinates, fen: now.fen() }
        };
        let line = tables.line(&asked.position)?.into_iter().map(ply).collect();
        Ok(Answer { line: Some(line), ..Answer::under(tables, asked, Metric::Dtw)? })
    }

    /// Like an answer under [`Metric::Wdl`] to a question for distances that no table tells.
    pub fn with_unknown_distances(mut self) -> Answer {
        let moves = self.moves.iter_mut().map(|mv| &mut mv.dtw_status);
        for status in moves.chain([&mut self.dtw_status]) {
            if *status == DtwStatus::NotAsked {
                *status = DtwStatus::Unknown;
            }
        }
        self
    }
}

impl AnswerMove {
    fn of<G: Indexable>(
        asked: &Counted<G::Position>,
        ranked: &RankedMove<G>,
        metric: Metric,
    ) -> AnswerMove {
        let (dtw, dtw_status) = distance(ranked.value, metric);
        AnswerMove {
            name: asked.position.format_move(ranked.mv),
            coordinates: asked.position.coordinates(ranked.mv),
            fen: asked.play(ranked.mv).fen(),
            value: ranked.value.wdl(),
            dtw,
            dtw_status,
        }
    }
}

/// The distance of a value under `metric`, and why there is one or none.
pub(crate) fn distance(value: Value, metric: Metric) -> (Option<u16>, DtwStatus) {
    match value.plies() {
        None => (None, DtwStatus::Draw),
        plies if metric.has_distances() => (plies, DtwStatus::Known),
        Some(_) => (None, DtwStatus::NotAsked),
    }
}
