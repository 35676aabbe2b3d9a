use crate::args::MatchArgs;
use crate::commands::input;
use crate::failure::Failure;
use crate::words::{count, note};
use damka_engine::Playable;
use damka_games::excerpt;
use damka_matches::Openings;
use damka_records as records;
use damka_system::read_whole;
use damka_tables::Signature;
use std::ops::RangeInclusive;
use std::path::Path;

/// The requested openings. With `tells_duplicates`, prints how many duplicates are left out.
pub(super) fn openings<G: Playable>(
    game: G,
    args: &MatchArgs,
    tells_duplicates: bool,
) -> Result<Openings<G>, Failure> {
    let bad = |expected: &str| {
        Failure::Input(format!("--openings {}: expected {expected}", excerpt(&args.openings)))
    };
    if let Some(choice) = &args.book {
        let book = input::book(game, choice)?;
        return match book.is_empty() {
            true => Err(Failure::Input("--book: the book is empty".to_owned())),
            false => Ok(Openings::book(book, args.plies.unwrap_or(usize::MAX), args.seed)),
        };
    }
    let are_made = args.openings == "chess960"
        || ["random:", "endings:"].iter().any(|it| args.openings.starts_with(it));
    if args.plies.is_some() && are_made {
        let message = "--plies is for openings from games or from a book";
        return Err(Failure::Input(message.to_owned()));
    }
    if args.openings == "chess960" {
        return Openings::chess960(game, args.seed).map_err(|_| {
            Failure::Input("--openings chess960: these are positions of chess".to_owned())
        });
    }
    let within = |openings: Openings<G>, margin: Option<&str>| match margin {
        None => Ok(openings),
        Some(margin) => {
            let margin = margin.parse().map_err(|_| bad("a margin in hundredths of a man"))?;
            Ok(openings.within(margin))
        }
    };
    if let Some(text) = args.openings.strip_prefix("random:") {
        let (plies, margin) = with_margin(text);
        let plies = plies.parse().ok().filter(|&plies| plies <= 40);
        let plies = plies.ok_or_else(|| bad("at most 40 plies"))?;
        return within(Openings::random(game, plies, args.seed), margin);
    }
    if let Some(text) = args.openings.strip_prefix("endings:") {
        let (pieces, margin) = with_margin(text);
        let (start, _) = Signature::<G>::of(&game.start());
        let pieces = range(pieces).filter(|pieces| *pieces.end() <= start.pieces());
        let pieces = pieces.ok_or_else(|| bad("numbers of pieces, such as 8-10"))?;
        return within(Openings::endings(game, pieces, args.seed), margin);
    }
    let path = Path::new(&args.openings);
    let bytes = read_whole(path).map_err(|error| {
        Failure::Input(format!(
            "--openings {}: {error}; expected a file, random:PLIES, endings:FROM-TO or chess960",
            path.display()
        ))
    })?;
    let text = records::decode(&bytes);
    let is = |name| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(name));
    let openings = match is("pdn") || is("pgn") {
        true => Openings::from_games(game, &text, args.plies),
        false => Openings::from_fens(game, &text),
    };
    let openings =
        openings.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    if tells_duplicates && openings.duplicates() > 0 {
        let left_out = count(openings.duplicates() as u64, "opening");
        note(&format!("{}: {left_out} left out: an earlier one is the same", path.display()));
    }
    Ok(openings)
}

/// Splits a description of random openings, such as `12:250`, before its margin.
fn with_margin(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(text, margin)| (text, Some(margin)))
}

/// Parses a range: `8-10` or `8`.
fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let range = from.parse().ok()?..=to.parse().ok()?;
    (*range.start() >= 2 && !range.is_empty()).then_some(range)
}
