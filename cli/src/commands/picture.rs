//! Pictures of positions, for `damka board` and other commands.

use super::board::diagram;
use super::input::{self, cannot_write};
use super::missing::Supply;
use crate::args::BoardArgs;
use crate::failure::Failure;
use damka::{Answer, AnyGame, Metric, SquareValue};
use damka_games::with_game;
use damka_system::write_atomically;
use damka_web::picture::{Arrow, Picture, PictureError, Tone};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// `damka board`.
pub(crate) fn board(args: &BoardArgs) -> Result<(), Failure> {
    let game = args.game.0;
    let fen = input::one_position(game, &args.fen)?;
    args.output.as_deref().map_or(Ok(()), input::check_new_file)?;
    let extension = args.output.as_deref().and_then(Path::extension);
    let is_png =
        args.png || !args.svg && extension.is_some_and(|it| it.eq_ignore_ascii_case("png"));
    let bytes = if args.text {
        with_game!(game, game => diagram(game, &input::position(game, &fen)?.position)).into_bytes()
    } else {
        let picture = Picture {
            is_flipped: args.flip,
            size: args.size,
            arrows: args.arrows.iter().map(|text| arrow(text, Tone::Plain)).collect(),
            marks: args.marks.clone(),
            values: map(args, &fen)?,
            ..Picture::new(game, &fen)
        };
        match is_png {
            true => png(&picture)?,
            false => picture.svg()?.into_bytes(),
        }
    };
    match &args.output {
        Some(path) => write_atomically(path, &bytes).map_err(|error| cannot_write(path, &error)),
        None if args.png && io::stdout().is_terminal() => Err(Failure::Input(
            "a terminal cannot show a PNG: name a file with --output".to_owned(),
        )),
        None => Ok(io::stdout().lock().write_all(&bytes)?),
    }
}

/// A picture of an answer, with its best move if it is known.
pub(super) fn of_answer(game: AnyGame, answer: &Answer) -> Result<String, Failure> {
    let arrows = answer.best().map(|best| arrow(&best.coordinates, Tone::Value(best.value)));
    let picture =
        Picture { arrows: arrows.into_iter().collect(), ..Picture::new(game, &answer.fen) };
    Ok(picture.svg()?)
}

/// The values of a map, if `--map` is given. Missing small tables are built.
fn map(args: &BoardArgs, fen: &str) -> Result<Vec<SquareValue>, Failure> {
    let Some(square) = &args.map else { return Ok(Vec::new()) };
    let directory = input::directory(&args.tables)?;
    let tables = input::any_tables(args.game.0, &directory, &args.access);
    let supply = Supply::new(args.game.0, &directory, args.build.no_build);
    supply.build_unless(&*tables, &tables.signature_of(fen)?, &[Metric::Dtw, Metric::Wdl])?;
    let values = tables.square_map(fen, square, None, Metric::Dtw)?;
    if values.iter().any(|value| value.value.is_none()) {
        // Probing the position itself gives the error that names the missing table.
        tables.wdl(fen)?;
    }
    Ok(values)
}

/// The arrow that a move or its squares describe: `c3-d4`, `c3xe5xg7`, `e2e4`.
fn arrow(text: &str, tone: Tone) -> Arrow {
    let mut squares: Vec<String> =
        text.split(['-', ':', 'x']).map(|square| square.trim().to_owned()).collect();
    // As in UCI, perhaps followed by the kind of a promotion.
    if let [squares_only] = &squares[..]
        && squares_only.is_ascii()
        && let (Some(from), Some(to)) = (squares_only.get(..2), squares_only.get(2..4))
    {
        squares = vec![from.to_owned(), to.to_owned()];
    }
    Arrow { squares, tone }
}

#[cfg(feature = "png")]
fn png(picture: &Picture) -> Result<Vec<u8>, Failure> {
    Ok(damka_web::picture::png(picture)?)
}

#[cfg(not(feature = "png"))]
fn png(_: &Picture) -> Result<Vec<u8>, Failure> {
    Err(Failure::Input(
        "this damka was built without PNG: use --svg, or in damka's source directory \
         `cargo install --path cli --locked --features png`"
            .to_owned(),
    ))
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Failure {
        match error {
            PictureError::Position(error) => error.into(),
            error => Failure::Input(error.to_string()),
        }
    }
}
