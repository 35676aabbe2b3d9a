use super::input;
use super::missing::Supply;
use crate::args::ListArgs;
use crate::failure::Failure;
use crate::words::{self, note};
use damka_games::{Color, Position};
use damka_gen::Family;
use damka_probe::{Filter, Listed, Table};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow::{Break, Continue};

#[derive(Serialize)]
struct ListedJson {
    game: &'static str,
    fen: String,
    value: &'static str,
    dtw: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    only_move: Option<String>,
}

/// `damka list`.
pub(crate) fn list<G: Family>(game: G, args: &ListArgs) -> Result<(), Failure> {
    let signature = input::signature(game, &args.signature)?;
    let directory = input::directory(&args.tables)?;
    let supply = Supply::new(&directory, args.build.no_build);
    supply.build_unless(signature, &[Metric::Dtw])?;
    let filter = Filter {
        wdl: args.value.map(Into::into),
        plies: args.distance,
        only_move: args.only_move,
        zugzwang: args.zugzwang,
    };
    // Without distances the tables still know who wins.
    let has_distances = match Table::open(&directory, signature, Metric::Dtw) {
        Err(error) if error.is_missing() && args.distance.is_none() => false,
        table => table.map(|_| true)?,
    };
    let metric = if has_distances { Metric::Dtw } else { Metric::Wdl };
    let tables = input::tables_in(game, &directory, &args.access);
    let turn: Option<Color> = args.turn.map(Into::into);
    let is_listed = |side: &Side| turn.is_none_or(|turn| turn == side.color());
    let limit = if args.limit == 0 { u64::MAX } else { args.limit };
    let mut out = io::stdout().lock();
    let (mut count, mut written) = (0, Ok(()));
    for side in [Side::First, Side::Second].into_iter().filter(is_listed) {
        if count == limit || written.is_err() {
            break;
        }
        tables.list(&signature, side, metric, filter, |listed| {
            written = match args.json {
                true => writeln!(out, "{}", json(&listed, metric)),
                false => writeln!(out, "{}", line(&listed, metric)),
            };
            count += 1;
            if count == limit || written.is_err() { Break(()) } else { Continue(()) }
        })?;
    }
    written?;
    out.flush()?;
    if !has_distances {
        note("there are no distances for these pieces (no DTW table)");
    }
    if count == 0 {
        note("there is no such position");
    }
    if count == limit {
        let positions = if count == 1 { "position is" } else { "positions are" };
        note(&format!("{count} {positions} listed: more with --limit, all with --limit 0"));
    }
    Ok(())
}

fn json<G: Indexable>(listed: &Listed<G>, metric: Metric) -> String {
    let listed = ListedJson {
        game: listed.position.game().name(),
        fen: listed.position.fen(),
        value: listed.value.wdl().word(),
        dtw: words::plies(listed.value, metric),
        only_move: only_move(listed),
    };
    serde_json::to_string(&listed).unwrap_or_default()
}

/// A line that `probe -` reads: what is known of the position is behind a `#`.
fn line<G: Indexable>(listed: &Listed<G>, metric: Metric) -> String {
    let (fen, outcome) = (
        listed.position.fen(),
        words::outcome(listed.value.wdl(), words::plies(listed.value, metric)),
    );
    match only_move(listed) {
        Some(mv) => format!("{fen}  # {outcome}, only with {mv}"),
        None => format!("{fen}  # {outcome}"),
    }
}

fn only_move<G: Indexable>(listed: &Listed<G>) -> Option<String> {
    listed.only_move.map(|mv| listed.position.format_move(mv))
}
