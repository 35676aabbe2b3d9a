use super::board::diagram;
use super::input::{self, Positions};
use super::missing::Supply;
use crate::args::SearchArgs;
use crate::failure::Failure;
use crate::words;
use damka::engine::book::BookChoice;
use damka::{
    AnyEngine, AnyGame, AnyTables, AskError, Control, Limits, Metric, PlayerSettings, ProbeError,
    SearchLine, SearchReport, SearchRequest, Wdl, open_engine,
};
use damka_games::{Position, with_game};
use std::io::{self, Write};
use std::time::Duration;

/// The time of a search without limits.
const TIME: Duration = Duration::from_secs(1);

/// The heading of the progress lines.
const HEADING: &str = "depth  score             positions  line";

/// `damka search`.
pub(crate) fn search(args: &SearchArgs) -> Result<(), Failure> {
    // The command line is checked before tables are opened or built.
    let game = args.game.0;
    let positions = input::positions(game, &args.fen)?;
    let directory = input::directory(&args.tables)?;
    let mut searcher = Searcher {
        request: request(args),
        tables: input::any_tables(game, &directory, &args.access),
        // The search also works without tables.
        supply: Supply::new(game, &directory, args.build.no_build).without_asking(),
        settings: PlayerSettings {
            tables: Some(directory),
            access: args.access.access.into(),
            book: BookChoice::None,
            ..args.engine.settings(game)?
        },
        engine: None,
    };
    let fen = match positions {
        Positions::One(fen) => fen,
        Positions::Many(positions) => {
            return input::answer_each(positions, args.json, |fen| {
                let found = searcher.search(fen, &mut |_| ())?;
                Ok(if args.json { found.json() } else { plain(&found) }.into())
            });
        }
    };
    let mut printed = Ok(());
    let mut is_first = true;
    let found = searcher.search(&fen, &mut |report| {
        if !args.json && printed.is_ok() {
            let heading = if std::mem::take(&mut is_first) { HEADING } else { "" };
            printed = progress(report, heading);
        }
    })?;
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", found.json())?,
        false => write!(out, "{}", text(game, &found)?)?,
    }
    Ok(())
}

/// The request. Without JSON, the best move is shown as a line, too.
fn request(args: &SearchArgs) -> SearchRequest {
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
    let lines = args.lines.or((!args.json).then_some(1));
    SearchRequest { limits, lines: lines.map(usize::from) }
}

/// An engine with the existing tables.
struct Searcher {
    request: SearchRequest,
    tables: Box<dyn AnyTables>,
    supply: Supply,
    settings: PlayerSettings<AnyGame>,
    /// The engine, once the tables of a position have been looked for.
    engine: Option<Box<dyn AnyEngine>>,
}

impl Searcher {
    /// Searches a position as if it were the only one; builds missing small tables.
    fn search(
        &mut self,
        fen: &str,
        report: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchReport, Failure> {
        if self.build_missing(fen)? {
            self.engine = None;
        }
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(open(&self.settings)?),
        };
        engine.set_position(fen, &[])?;
        engine.new_game();
        let found = engine.search(&self.request, &Control::default(), report);
        input::tell_table_errors(engine.take_table_errors());
        Ok(found)
    }

    /// Builds the tables of a position if they are missing and small. Returns whether they were built.
    fn build_missing(&self, fen: &str) -> Result<bool, Failure> {
        let signature = self.tables.signature_of(fen)?;
        let is_missing = match self.tables.dtw(fen) {
            Err(AskError::Probe(ProbeError::Missing { .. })) => true,
            // No table can have the position, but tables of the positions after its moves may be missing.
            Err(AskError::Probe(ProbeError::NoTable(_))) => {
                matches!(self.tables.has_table(&signature, Metric::Dtw), Ok(false))
            }
            _ => false,
        };
        Ok(is_missing && self.supply.build(&signature)?)
    }
}

/// Opens an engine, with a note for each table that it cannot use.
fn open(settings: &PlayerSettings<AnyGame>) -> Result<Box<dyn AnyEngine>, Failure> {
    let engine = open_engine(settings)?;
    input::tell_table_errors(engine.take_table_errors());
    Ok(engine)
}

/// The score of a line as text; `draw` for a draw by tables.
fn verdict(line: &SearchLine) -> String {
    match line.value {
        Some(Wdl::Draw) => Wdl::Draw.word().to_owned(),
        _ => line.score.to_string(),
    }
}

/// The lines that a search has found, the best first; none if there is no legal move.
fn lines(report: &SearchReport) -> &[SearchLine] {
    report.lines.as_deref().unwrap_or_default()
}

/// Prints the lines of a depth: `12  +0.35    1,234,567  c3-d4 b6-a5`.
fn progress(report: &SearchReport, heading: &str) -> io::Result<()> {
    let mut err = io::stderr().lock();
    if !heading.is_empty() {
        writeln!(err, "{heading}")?;
    }
    for SearchLine { score, pv, .. } in lines(report) {
        let (score, nodes) = (score.to_string(), words::grouped(report.nodes));
        writeln!(err, "{:>5}  {score:<12}{nodes:>15}  {}", report.depth, pv.join(" "))?;
    }
    Ok(())
}

fn text(game: AnyGame, report: &SearchReport) -> Result<String, Failure> {
    let (text, result) = with_game!(game, game => {
        let position = input::position(game, &report.fen)?.position;
        let turn = position.turn();
        let result = words::result_of(game, report.value, report.dtw, turn);
        (format!("{}\n{turn} to move", diagram(game, &position)), result)
    });
    let lines = lines(report);
    let Some(best) = lines.first() else {
        return Ok(match report.value {
            Some(Wdl::Loss) => text + &format!(". {result}.\n"),
            _ => text + ". Draw: no legal move.\n",
        });
    };
    let mut text = text + &format!(". Best is {}: {}.\n\n", best.name, verdict(best));
    if let [line] = lines {
        text += &format!("{}\n", line.pv.join(" "));
    } else {
        text += "score       line\n";
        for line in lines {
            text += &format!("{:<12}{}\n", verdict(line), line.pv.join(" "));
        }
    }
    if report.nodes == 0 && report.table_hits > 0 {
        return Ok(text + "\nknown from tables, without a search\n");
    }
    let speed = report.nodes as f64 / report.time.as_secs_f64().max(1e-9);
    Ok(text
        + &format!(
            "\ndepth {}, {} positions, {} of them in tables, {} a second\n",
            report.depth,
            words::grouped(report.nodes),
            words::grouped(report.table_hits),
            words::grouped(speed as u64),
        ))
}

/// The lines of one position of many: its FEN, the score and the moves.
fn plain(report: &SearchReport) -> String {
    let SearchReport { fen, score, .. } = report;
    let lines = lines(report).iter();
    let texts: Vec<String> =
        lines.map(|line| format!("{fen}\t{}\t{}", line.score, line.pv.join(" "))).collect();
    match texts.is_empty() {
        true => format!("{fen}\t{score}\t"),
        false => texts.join("\n"),
    }
}
