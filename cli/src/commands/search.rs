use super::board::diagram;
use super::input::{self, Positions};
use super::missing::Supply;
use super::notation::written;
use crate::args::SearchArgs;
use crate::failure::Failure;
use crate::{json, words};
use damka::DtwStatus;
use damka_engine::{Control, History, Limits, Playable, Player, Report, Score};
use damka_games::{Counted, Position};
use damka_gen::Family;
use damka_probe::{ProbeError, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Signature, Wdl};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// The time for a search that nothing else limits.
const TIME: Duration = Duration::from_secs(1);

/// The columns of what is told on the way.
const HEADING: &str = "depth  score             positions  line";

#[derive(Serialize)]
struct ReportJson {
    game: &'static str,
    fen: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    coordinates: Option<String>,
    score: i32,
    value: &'static str,
    dtw: Option<u16>,
    dtw_status: DtwStatus,
    depth: u16,
    nodes: u64,
    tb_hits: u64,
    pv: Vec<String>,
    pv_coordinates: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<LineJson>>,
}

#[derive(Serialize)]
struct LineJson {
    #[serde(rename = "move")]
    mv: Option<String>,
    coordinates: Option<String>,
    score: i32,
    value: &'static str,
    dtw: Option<u16>,
    dtw_status: DtwStatus,
    pv: Vec<String>,
    pv_coordinates: Vec<String>,
}

/// `damka search`.
pub(crate) fn search<G: Family + Playable>(game: G, args: &SearchArgs) -> Result<(), Failure> {
    // All that can be read is, before tables are looked for or built.
    let positions = input::positions(args.game.0, &args.fen)?;
    let directory = input::directory(&args.tables)?;
    let mut player = args.engine.player(game)?;
    player.set_multi_pv(args.lines.unwrap_or(1).into());
    let tables = Arc::new(input::tables_in(game, &directory, &args.access));
    // A move is found without tables, too.
    let supply = Supply::new(args.game.0, &directory, args.build.no_build).without_asking();
    let mut searcher = Searcher { args, player, tables, supply, is_ready: false };
    let asked = match positions {
        Positions::One(fen) => input::position(game, &fen)?,
        Positions::Many(positions) => {
            return input::answer_each(positions, args.json, |fen| {
                let asked = input::position(game, fen)?;
                let found = searcher.search(&asked, |_| ())?;
                Ok(if args.json { object(args, &asked, &found) } else { plain(&asked, &found) })
            });
        }
    };
    let position = asked.position;
    let mut told = Ok(());
    let mut is_first = true;
    let found = searcher.search(&asked, |report| {
        if !args.json && told.is_ok() {
            let heading = if std::mem::take(&mut is_first) { HEADING } else { "" };
            told = progress(&position, report, heading);
        }
    })?;
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", object(args, &asked, &found))?,
        false => write!(out, "{}", text(&position, &found))?,
    }
    Ok(())
}

/// A player with the tables that there are.
struct Searcher<'a, G: Playable> {
    args: &'a SearchArgs,
    player: Player<G>,
    tables: Arc<Tables<G>>,
    supply: Supply,
    /// Whether the player has the tables that there are.
    is_ready: bool,
}

impl<G: Family + Playable> Searcher<'_, G> {
    /// Searches a position as if it were the only one; builds small tables that are missing.
    fn search(
        &mut self,
        asked: &Counted<G::Position>,
        report: impl FnMut(&Report<G>),
    ) -> Result<Report<G>, Failure> {
        self.make_ready(&asked.position)?;
        self.player.clear();
        let args = self.args;
        let mut limits = Limits {
            depth: args.depth,
            nodes: args.nodes,
            time: args.time.map(Duration::from_millis),
            ..Limits::default()
        };
        if limits == Limits::default() {
            limits.time = Some(TIME);
        }
        limits.is_analysis = true;
        self.player.set_history(History::new(*asked));
        Ok(self.player.search(&limits, &Control::default(), report))
    }

    /// Sees to it that the player has the tables that there are, among them small ones of the
    /// position.
    fn make_ready(&mut self, position: &G::Position) -> Result<(), Failure> {
        let (signature, _) = Signature::<G>::of(position);
        let asked = match self.tables.dtw(position) {
            // None can have the position; those behind its moves may be missing all the same.
            Err(ProbeError::NoTable(_)) => self.tables.preload(&signature, Metric::Dtw),
            answer => answer.map(drop),
        };
        let is_missing = matches!(asked, Err(ProbeError::Missing { .. }));
        let is_built = is_missing && self.supply.build(&signature.to_string())?;
        if is_built || !self.is_ready {
            self.player.set_tables(Some(Arc::new(input::endings(&self.tables)?)));
            self.is_ready = true;
        }
        Ok(())
    }
}

/// A line of play and what it comes to.
struct Line {
    score: Score,
    wdl: Option<Wdl>,
    names: Vec<String>,
    /// The moves by their squares.
    coordinates: Vec<String>,
}

impl Line {
    /// What it comes to, in words: a draw that is certain is no mere balance.
    fn verdict(&self) -> String {
        match self.wdl {
            Some(Wdl::Draw) => Wdl::Draw.word().to_owned(),
            _ => self.score.to_string(),
        }
    }
}

/// The lines that a search has found, the best first; none if there is no legal move.
fn lines<G: Playable>(position: &G::Position, report: &Report<G>) -> Vec<Line> {
    let of = |score: Score, wdl, moves: &[G::Move]| Line {
        score,
        wdl,
        names: written::<G>(position, moves.iter().copied(), G::Position::format_move),
        coordinates: written::<G>(position, moves.iter().copied(), G::Position::coordinates),
    };
    let best = of(report.score, report.value.map(|value| value.wdl()), &report.pv);
    let others = report.other_lines.iter().map(|line| of(line.score, line.wdl, &line.moves));
    let lines = std::iter::once(best).chain(others);
    lines.filter(|line| !line.names.is_empty()).collect()
}

/// Tells of one depth, a line for each line of play: `12  +0.35    1,234,567  c3-d4 b6-a5`.
fn progress<G: Playable>(
    position: &G::Position,
    report: &Report<G>,
    heading: &str,
) -> io::Result<()> {
    let mut err = io::stderr().lock();
    if !heading.is_empty() {
        writeln!(err, "{heading}")?;
    }
    for Line { score, names, .. } in lines(position, report) {
        let (score, nodes) = (score.to_string(), words::grouped(report.nodes));
        writeln!(err, "{:>5}  {score:<12}{nodes:>15}  {}", report.depth, names.join(" "))?;
    }
    Ok(())
}

fn text<G: Playable>(position: &G::Position, report: &Report<G>) -> String {
    let mut text = format!("{}\n{} to move", diagram(position.game(), position), position.turn());
    let lines = lines(position, report);
    let Some(best) = lines.first() else {
        return match position.loses_when_stuck() {
            true => {
                let turn = position.turn();
                text + &format!(". {} has won: {turn} {}.\n", !turn, G::LOST)
            }
            false => text + ". Draw: no legal move.\n",
        };
    };
    text += &format!(". Best is {}: {}.\n\n", best.names[0], best.verdict());
    if lines.len() == 1 {
        text += &format!("{}\n", best.names.join(" "));
    } else {
        text += "score       line\n";
        for line in &lines {
            text += &format!("{:<12}{}\n", line.verdict(), line.names.join(" "));
        }
    }
    let speed = report.nodes as f64 / report.time.as_secs_f64().max(1e-9);
    text + &format!(
        "\ndepth {}, {} positions, {} of them in tables, {} a second\n",
        report.depth,
        words::grouped(report.nodes),
        words::grouped(report.table_hits),
        words::grouped(speed as u64),
    )
}

/// The lines of one position of many: its FEN, the score and the moves.
fn plain<G: Playable>(asked: &Counted<G::Position>, report: &Report<G>) -> String {
    let fen = asked.fen();
    let lines = lines(&asked.position, report).into_iter();
    let texts: Vec<String> =
        lines.map(|line| format!("{fen}\t{}\t{}", line.score, line.names.join(" "))).collect();
    match texts.is_empty() {
        true => format!("{fen}\t{}\t", report.score),
        false => texts.join("\n"),
    }
}

fn object<G: Playable>(
    args: &SearchArgs,
    asked: &Counted<G::Position>,
    report: &Report<G>,
) -> String {
    let lines = lines(&asked.position, report).into_iter();
    let lines: Vec<LineJson> = lines
        .map(|line| LineJson {
            mv: line.names.first().cloned(),
            coordinates: line.coordinates.first().cloned(),
            score: line.score.hundredths(),
            value: value(line.score, line.wdl),
            dtw: line.score.plies(),
            dtw_status: dtw_status(line.score, line.wdl),
            pv: line.names,
            pv_coordinates: line.coordinates,
        })
        .collect();
    let best = lines.first();
    let pv = best.map(|line| line.pv.clone()).unwrap_or_default();
    let pv_coordinates = best.map(|line| line.pv_coordinates.clone()).unwrap_or_default();
    let known = report.value.map(|value| value.wdl());
    json::object(ReportJson {
        game: asked.position.game().name(),
        fen: asked.fen(),
        mv: pv.first().cloned(),
        coordinates: pv_coordinates.first().cloned(),
        score: report.score.hundredths(),
        value: value(report.score, known),
        dtw: report.score.plies(),
        dtw_status: dtw_status(report.score, known),
        depth: report.depth,
        nodes: report.nodes,
        tb_hits: report.table_hits,
        pv,
        pv_coordinates,
        lines: args.lines.map(|_| lines),
    })
}

/// Why a line has a distance or none.
fn dtw_status(score: Score, known: Option<Wdl>) -> DtwStatus {
    match (score.plies(), known) {
        (Some(_), _) => DtwStatus::Known,
        (None, Some(Wdl::Draw)) => DtwStatus::Draw,
        (None, _) => DtwStatus::Unknown,
    }
}

/// The result, as far as it is certain.
fn value(score: Score, known: Option<Wdl>) -> &'static str {
    match known {
        Some(wdl) => wdl.word(),
        None if score.is_win() => Wdl::Win.word(),
        None if score.is_loss() => Wdl::Loss.word(),
        None => "unknown",
    }
}
