//! The command line's one definition: help, man pages and completions come from
//! here.

use crate::failure::Failure;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum, ValueHint};
use damka_engine::book::BookChoice;
use damka_engine::contest::Setup;
use damka_engine::{Engine, Playable, check_memory};
use damka_games::Color;
use damka_tables::format::Metric;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::PathBuf;

/// Endgame tables for draughts and Alapo: exact results, from the rules alone.
#[derive(Parser)]
#[command(name = "damka", version, after_long_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  damka probe russian 'W:WKa1,Kc1,Ke1:BKh8'   who wins, how fast, with which move
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8'    best play to the end
  damka gen russian 5                         all tables of 2 to 5 pieces
  damka stats russian KKKvK                   wins, draws, losses, longest win

Tables are kept in $DAMKA_TABLES, or else in the platform's data directory;
--tables DIR names another place. Small ones are built when they are needed.

Exit codes:
  0 done   1 the answer is no, some inputs failed, or the system failed
  2 wrong usage or bad input   3 tables missing   4 tables damaged
  5 verification failed   130 interrupted";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Build tables by retrograde analysis.
    #[command(after_long_help = "\
Examples:
  damka gen russian 5                   all signatures of 2 to 5 pieces
  damka gen russian KKMvKM KKKvKK       these, and everything they lead to
  damka gen english 4 --metric wdl      win/draw/loss only
  damka gen alapo 3 --progress json     progress for a program to read

Sound tables that are there are kept, damaged ones are built again. A table
appears when it is complete: after an interruption of any kind the same command
goes on. So it does within a signature that takes longer than --checkpoint.")]
    Gen(GenArgs),
    /// Tell what `gen` would do: order, time, memory and disk of each signature.
    #[command(after_long_help = "\
Examples:
  damka plan russian 8 --metric wdl               before a night of work
  damka plan russian 7 --metric wdl --threads 16
  damka plan english KKMvKM --json                one object a signature

Times, memory and sizes are estimates from measured builds; tables that are
there are left out.")]
    Plan(PlanArgs),
    /// Solve a part of a signature and tell where the time goes: a trial before a night.
    #[command(after_long_help = "\
Examples:
  damka rehearse russian KKMMvKKMM               men one or two steps before promotion
  damka rehearse russian MMMMvMMMM --steps 6     one step before it

Solved are the positions in which every man has come that far, and the same
positions of every signature that promotions lead to; captures are looked up in
tables of fewer pieces, which must be there. Nothing is written. The report has
the columns of `gen --profile`: nanoseconds of one core for each position, and
what `plan` expects.")]
    Rehearse(RehearseArgs),
    /// Tell a position's exact result and rank its moves.
    #[command(after_long_help = "\
Examples:
  damka probe russian 'W:WKa1,Kc1,Ke1:BKh8'
  damka probe english 'B:W29,K30:BK1' --json
  damka probe alapo 'k5/6/6/6/6/F5 w'
  damka probe russian - --json < positions.txt    one position a line

Each object of --json has the keys game, fen, value (win, draw or loss for the
side to move), dtw (plies to the end, null for a draw) and moves, best first,
each with move, fen, value and dtw for the side that plays it.")]
    Probe(ProbeArgs),
    /// Show best play to the end.
    #[command(after_long_help = "\
Examples:
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8'
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8' --json

The winner takes the shortest way, the loser the longest. A draw has no end and
so no line.")]
    Line(ProbeArgs),
    /// Search a position for the best move.
    #[command(after_long_help = "\
Examples:
  damka search russian 'W:Wc3,e3,g3:Bb6,d6,f6'           for one second
  damka search english 'B:W29,K30:BK1,5' --depth 15
  damka search alapo 'rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w' --time 5000 --json

Tables are used where there are any. The object of --json has the keys game, fen,
move, score (hundredths of a man, for the side to move), value (win, draw, loss, or
unknown), dtw (plies to the end where known, else null), depth, nodes, tb_hits and
pv, the best line.")]
    Search(SearchArgs),
    /// Search fixed positions: what the search does, as a number, and how fast.
    #[command(after_long_help = "\
Example:
  damka bench russian

With one thread the number of nodes is always the same: a change of it is a change
of what the search does. No tables are used.")]
    Bench(BenchArgs),
    /// Let two settings of the engine, or other engines, play a match.
    #[command(after_long_help = "\
Examples:
  damka match russian --a time=100 --b opponent=plain,time=100
  damka match russian --a nodes=50000 --b nodes=50000,tables=none --play-on \\
      --openings endings:8-10
  damka match english --a time=100,threads=2 --b time=100 --games 20000 \\
      --sprt 0,10 --concurrency 4 --pdn games.pdn
  damka match russian --a time=100 --b 'hub=./other-engine --hub,time=100'
  damka match russian --a time=1000 --b dxp=192.0.2.1:27531,time=10000 --games 2

A player is a list of settings: time=MS, nodes=N or depth=N for each move, or
clock=MS+MS for a game and each move; threads=N, memory=SIZE, tables=DIR or none, book=FILE,
own or none (unless told); opponent=plain is a simple alpha-beta that counts material, a yardstick that never
gets better; hub=COMMAND another engine that speaks Hub, with its arguments behind
spaces; dxp=HOST:PORT a program that waits there for games by DXP. Where no limit is of time, the same games are played again for the same
seed, whatever the concurrency.

Other programs are told what their protocol has words for: the variant, limits and
clock by Hub; a clock of whole minutes by DXP, as in clock=300000+0. They set up the
rest themselves. One that ends, does not answer within its time and two seconds more,
or plays what is illegal, loses the game, and is started again; where it cannot be
started the match ends.

Each opening is played twice, with both colours. Openings are a file of positions, one
a line, or of games (.pdn); or random:PLIES, so many random moves to a position
that a short search finds balanced; or endings:FROM-TO, such positions with so many
pieces. A game ends where tables know the result, unless --play-on is given.

Each object of --json has the keys games, wins, draws and losses of the first player,
pairs (how many of them brought 0, 1/2, 1, 3/2 and 2 points), elo, elo_low and
elo_high (95 %), superiority (how sure it is that the first is stronger), and, with
--sprt, llr, llr_low, llr_high and verdict (H0, H1, or null).")]
    Match(Box<MatchArgs>),
    /// Make and read opening books.
    #[command(after_long_help = "\
Examples:
  damka book build russian my.book games.pdn --min-games 3
  damka book build russian own.book --self-play 200 --player nodes=20000
  damka book build russian own.book --search 2000 --self-play 200
  damka book add russian my.book more.pdn
  damka book show russian my.book
  damka book show russian my.book 'B:Wa1,a3,c1,c3:Bb8,d8,f8' --json

A move counts by its results: it is chosen in proportion to its points, and never if
it has only lost. Of the same games comes the same book.

--search begins with the start position and goes on with what is most likely to come
up: the moves of each position are searched, and those kept whose best lines are worth
about as much as the best. They count as drawn once; games of --self-play then begin
with them and tell what they are worth. What was searched is kept beside the book in
BOOK.searched until the book is made: after an interruption the same command goes on.")]
    Book {
        /// What to do.
        #[command(subcommand)]
        command: BookCommand,
    },
    /// Learn what positions are worth, from games.
    #[command(after_long_help = "\
Examples:
  damka match russian --a nodes=1000 --b nodes=1400 --games 50000 --pdn games.pdn
  damka tune russian new.weights games.pdn
  damka match russian --a time=50,weights=new.weights --b time=50 --games 400

Each quiet position of the games is a lesson: where tables know its value that is what
is learned, elsewhere the result of the game. How well results are foreseen is told in
bits, the fewer the better: for the games learned from, and for one game of twenty that
is kept for this exam. Of the same games come the same weights.

For self-play give the two players different limits: two that are alike play each
opening twice in the same way.")]
    Tune(TuneArgs),
    /// Play against the engine, in the terminal.
    #[command(after_long_help = "\
Examples:
  damka play russian
  damka play english --color black --time 5000
  damka play russian --fen 'W:WKa1,Kc1,Ke1:BKh8' --book my.book

Moves are typed in any usual notation: c3-d4, c3:e5:g7, 22-17, 22x15. `help` lists what
else can be typed.")]
    Play(PlayArgs),
    /// Show counts, longest wins and sizes of tables.
    #[command(after_long_help = "\
Examples:
  damka stats russian            every table there is
  damka stats russian KKKvK --json")]
    Stats(StatsArgs),
    /// Check every value against its successors, and every checksum.
    #[command(after_long_help = "\
Examples:
  damka verify russian           every table there is
  damka verify english KKvK KMvK
  damka verify russian --sample 100000000
  damka verify russian --sample 100000000 --seed 42    the same positions again

A sample is for sets that are too big to check whole: it is drawn from all tables
in proportion to their sizes, and nothing is loaded into memory. It tells nothing
about the counts and digests in the headers.")]
    Verify(VerifyArgs),
    /// Count the leaves of the tree of legal moves.
    #[command(after_long_help = "\
Examples:
  damka perft russian 9                   from the start position
  damka perft english 5 'B:W32:BK1' --divide")]
    Perft(PerftArgs),
    /// Play as an engine for other programs, in a protocol they speak.
    #[command(after_long_help = "\
Examples:
  damka engine russian                              Hub, on standard input and output
  damka engine russian --protocol dxp               DXP, waiting for other programs
  damka engine english --protocol dxp --connect 192.0.2.1 --time 2000

Hub 2 is what graphical programs and libraries speak with an engine; its parameter
`variant` may change the game. With DXP two engines play each other over TCP: the one
that connects asks for a game, plays White, and ends with it; the one that listens
answers one program after the other until it is interrupted. The result of each game
is printed.

Squares are numbered from 1 (b8) to 32 (g1) in both, in all variants. Damaged or
missing tables are not used. DXP has no passwords: listen only where you trust others.")]
    Engine(ServeArgs),
    /// Print a completion script for a shell.
    #[command(after_long_help = "\
Example:
  damka completions bash > ~/.local/share/bash-completion/completions/damka")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the man page, or write the pages of all commands.
    #[command(after_long_help = "\
Example:
  damka man ~/.local/share/man/man1")]
    Man {
        /// Where to write the pages; the main one is printed if left out.
        directory: Option<PathBuf>,
    },
}

/// The games. A new one is registered here and in `with_game!`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameName {
    Russian,
    English,
    Brazilian,
    Pool,
    Alapo,
}

/// Calls a function generic over the game for the game of this name.
macro_rules! with_game {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name {
            $crate::args::GameName::Russian => $function::<damka_games::Russian>($($argument),*),
            $crate::args::GameName::English => $function::<damka_games::English>($($argument),*),
            $crate::args::GameName::Brazilian => $function::<damka_games::Brazilian>($($argument),*),
            $crate::args::GameName::Pool => $function::<damka_games::Pool>($($argument),*),
            $crate::args::GameName::Alapo => $function::<damka_games::Alapo>($($argument),*),
        }
    };
}
pub(crate) use with_game;

#[derive(ClapArgs)]
pub(crate) struct GenArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The largest number of pieces, or signatures such as KKMvKM.
    #[arg(value_name = "PIECES|SIGNATURE", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What to write: win/draw/loss for search, distances for study.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// The memory that may be used, e.g. 512M or 16G; with little, large arrays are kept in
    /// scratch files. [default: all there is]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// How often unfinished work on a signature is saved, in seconds; 0 for all the time.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub(crate) checkpoint: u32,
    /// At the end, tell where the time went: nanoseconds of one core for each position.
    #[arg(long)]
    pub(crate) profile: bool,
}

#[derive(ClapArgs)]
pub(crate) struct PlanArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The largest number of pieces, or signatures such as KKMvKM.
    #[arg(value_name = "PIECES|SIGNATURE", required = true)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What would be written.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl,dtw")]
    pub(crate) metric: Vec<MetricName>,
    /// The memory that may be used, e.g. 16G. [default: all there is]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Threads that would work. [default: one per processor]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) threads: u16,
    /// Print JSON, one object a signature.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct RehearseArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The signature.
    pub(crate) signature: String,
    /// Only positions in which every man has come at least so many steps.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// What would be written: distances take longer to solve.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "wdl")]
    pub(crate) metric: Vec<MetricName>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Where tables are.
#[derive(ClapArgs)]
pub(crate) struct TablesArg {
    /// The directory of tables. [default: the platform's data directory]
    // Unlike clap's own parser of paths, this one lets an empty variable pass.
    #[arg(long, value_name = "DIR", env = "DAMKA_TABLES", value_hint = ValueHint::DirPath,
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(crate) tables: Option<PathBuf>,
}

/// How long work is done.
#[derive(ClapArgs)]
pub(crate) struct WorkArgs {
    /// The number of threads; 0 for one per processor.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=256))]
    pub(crate) threads: u16,
    /// How to show progress, on standard error.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) progress: ProgressStyle,
}

#[derive(ClapArgs)]
pub(crate) struct ProbeArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The position; `-` reads one a line from standard input.
    #[arg(required = true, num_args = 1..)]
    pub(crate) fen: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not build missing small tables.
    #[arg(long)]
    pub(crate) no_build: bool,
}

#[derive(ClapArgs)]
pub(crate) struct SearchArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The position.
    #[arg(required = true, num_args = 1..)]
    pub(crate) fen: Vec<String>,
    /// The greatest depth, in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=250))]
    pub(crate) depth: Option<u16>,
    /// The time, in milliseconds. [default: 1000, if there is no other limit]
    #[arg(long, value_name = "MS")]
    pub(crate) time: Option<u64>,
    /// The number of positions.
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// Print a JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not build missing small tables.
    #[arg(long)]
    pub(crate) no_build: bool,
}

#[derive(ClapArgs)]
pub(crate) struct BenchArgs {
    /// The game.
    #[arg(value_enum, default_value = "russian")]
    pub(crate) game: GameName,
    /// The depth, in plies. [default: one that takes some seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=250))]
    pub(crate) depth: Option<u16>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(ClapArgs)]
pub(crate) struct MatchArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The first player, whose results are shown: settings such as time=100,threads=2.
    #[arg(long, value_name = "KEY=VALUE,...")]
    pub(crate) a: Setup,
    /// The second player.
    #[arg(long, value_name = "KEY=VALUE,...")]
    pub(crate) b: Setup,
    /// The number of games, made even.
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// A file of positions or games, random:PLIES or endings:FROM-TO (pieces).
    #[arg(long, value_name = "OPENINGS", default_value = "random:8")]
    pub(crate) openings: String,
    /// Take openings from a book instead, at random.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        conflicts_with = "openings")]
    pub(crate) book: Option<PathBuf>,
    /// Only so many plies of each game in a file of openings, or of what a book plays.
    #[arg(long, value_name = "N")]
    pub(crate) plies: Option<usize>,
    /// What random openings depend on.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many games are played at the same time.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: u16,
    /// After so many plies a game is drawn.
    #[arg(long, value_name = "PLIES", default_value_t = 400)]
    pub(crate) longest: usize,
    /// Play games to their end even where tables know it.
    #[arg(long)]
    pub(crate) play_on: bool,
    /// Write the games to this file, as PDN.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) pdn: Option<PathBuf>,
    /// End the match as soon as the first player is known to be stronger by ELO1 rather than
    /// by ELO0, with errors of 5 %.
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        value_delimiter = ',',
        num_args = 1,
        allow_negative_numbers = true
    )]
    pub(crate) sprt: Vec<f64>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// Print one JSON object, the result.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum BookCommand {
    /// Make a book from recorded games, or games that the engine plays with itself.
    Build(Box<BookBuildArgs>),
    /// Show the moves of a position.
    Show(BookShowArgs),
    /// Add recorded games to a book.
    Add(BookAddArgs),
}

#[derive(ClapArgs)]
pub(crate) struct BookBuildArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The book to write.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) book: PathBuf,
    /// Recorded games.
    #[arg(value_name = "PDN", value_hint = ValueHint::FilePath, required_unless_present_any = ["self_play", "search"])]
    pub(crate) games: Vec<PathBuf>,
    /// Search the moves of so many positions, from the start on, and keep the good ones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) search: Option<u32>,
    /// How many positions a search of a move looks at.
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "search",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// By how much a move may be worse than the best, in hundredths of a man.
    #[arg(long, value_name = "N", default_value_t = 15, requires = "search",
        value_parser = clap::value_parser!(u16).range(..=1000))]
    pub(crate) margin: u16,
    /// Let the engine play so many games, made even, with itself.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) self_play: Option<u64>,
    /// How it plays them: settings as those of `damka match`.
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "nodes=20000")]
    pub(crate) player: Setup,
    /// How many random plies they begin with; what was searched takes their place.
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(..=40))]
    pub(crate) random: u32,
    /// What random moves depend on.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many games are played, or moves searched, at the same time.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: u16,
    /// Leave out moves that were played in fewer games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_games: u64,
    /// Only so many plies of each game.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) plies: usize,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
}

#[derive(ClapArgs)]
pub(crate) struct TuneArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The weights to write.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) weights: PathBuf,
    /// Recorded games. Of none come the weights that learning begins with.
    #[arg(value_name = "PDN", value_hint = ValueHint::FilePath)]
    pub(crate) games: Vec<PathBuf>,
    /// Begin with these weights.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,
    /// How often each lesson is learned.
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
}

#[derive(ClapArgs)]
pub(crate) struct BookShowArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The book.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) book: PathBuf,
    /// The position; the start position if left out.
    #[arg(num_args = 0..)]
    pub(crate) fen: Vec<String>,
    /// Print a JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct BookAddArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The book to change.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) book: PathBuf,
    /// Recorded games.
    #[arg(value_name = "PDN", value_hint = ValueHint::FilePath, required = true)]
    pub(crate) games: Vec<PathBuf>,
    /// Only so many plies of each game.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) plies: usize,
}

#[derive(ClapArgs)]
pub(crate) struct PlayArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// Your side.
    #[arg(long, value_enum, default_value = "white")]
    pub(crate) color: ColorName,
    /// The engine's time for a move, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time: u64,
    /// The engine's greatest depth, in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=250))]
    pub(crate) depth: Option<u16>,
    /// The position to begin with; the start position if left out.
    #[arg(long)]
    pub(crate) fen: Option<String>,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorName {
    White,
    Black,
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Color {
        match name {
            ColorName::White => Color::White,
            ColorName::Black => Color::Black,
        }
    }
}

/// What the engine plays openings from.
#[derive(ClapArgs)]
pub(crate) struct BookArgs {
    /// The engine's opening book: its own, none, or a file.
    #[arg(long, value_name = "own|none|FILE", default_value = "own", value_hint = ValueHint::FilePath)]
    pub(crate) book: BookChoice,
    /// What choices from the book depend on. [default: chance]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl BookArgs {
    /// What choices depend on.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(()))
    }
}

/// What the engine may use.
#[derive(ClapArgs)]
pub(crate) struct EngineArgs {
    /// The number of threads; 0 for one per processor.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(..=256))]
    threads: u16,
    /// The memory for what the engine remembers of positions, e.g. 512M or 4G.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_size)]
    memory: u64,
}

impl EngineArgs {
    /// The memory for what the engine remembers, in bytes.
    ///
    /// # Errors
    /// The machine has not that much.
    pub(crate) fn memory(&self) -> Result<usize, Failure> {
        let checked = check_memory(self.memory);
        checked.map_err(|error| Failure::Input(format!("--memory: {error}")))?;
        Ok(usize::try_from(self.memory).unwrap_or(usize::MAX))
    }

    /// An engine that uses these.
    ///
    /// # Errors
    /// The machine has not that much memory.
    pub(crate) fn engine<G: Playable>(&self) -> Result<Engine<G>, Failure> {
        let engine = Engine::try_new(self.memory()?);
        let mut engine = engine.map_err(|error| Failure::System(format!("--memory: {error}")))?;
        engine.set_threads(self.threads());
        Ok(engine)
    }

    /// The number of threads, at least one.
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { all() } else { self.threads.into() }
    }
}

#[derive(ClapArgs)]
pub(crate) struct StatsArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM; every table there is if left out.
    pub(crate) signature: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct VerifyArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// Signatures such as KKMvKM; every table there is if left out.
    pub(crate) signature: Vec<String>,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    /// Check this many positions, chosen by chance; all if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) sample: Option<u64>,
    /// Choose the same positions as a sample that was told to have this seed.
    #[arg(long, value_name = "S", requires = "sample")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(ClapArgs)]
pub(crate) struct PerftArgs {
    /// The game.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// How many plies deep.
    pub(crate) depth: u32,
    /// The position; the start position if left out.
    #[arg(num_args = 0..)]
    pub(crate) fen: Vec<String>,
    /// Print the count behind each move.
    #[arg(long)]
    pub(crate) divide: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ServeArgs {
    /// The game: draughts only.
    #[arg(value_enum)]
    pub(crate) game: GameName,
    /// The protocol.
    #[arg(long, value_enum, default_value = "hub")]
    pub(crate) protocol: ProtocolName,
    #[command(flatten)]
    pub(crate) tables: TablesArg,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    /// DXP: the time for each move, in milliseconds. [default: what the game's clock allows]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub(crate) time: Option<u64>,
    /// DXP: wait here for programs that ask for games; the port is 27531 if left out.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", conflicts_with = "connect")]
    pub(crate) listen: String,
    /// DXP: ask the program that waits there for a game.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) connect: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolName {
    /// Hub 2, on standard input and output.
    Hub,
    /// DXP, over TCP.
    Dxp,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricName {
    /// Win, draw or loss.
    Wdl,
    /// Distance to win.
    Dtw,
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Wdl => Metric::Wdl,
            MetricName::Dtw => Metric::Dtw,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressStyle {
    /// A bar on a terminal, plain lines otherwise.
    Auto,
    /// Plain lines.
    Plain,
    /// One JSON object a line.
    Json,
    /// Nothing.
    None,
}

/// Reads a size in bytes: a number and K, M, G or T, powers of 1024.
fn parse_size(text: &str) -> Result<u64, String> {
    let error = || format!("`{text}` is no size: a number with K, M, G or T expected, as in 512M");
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[number.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "" => 0,
        "K" | "KB" => 10,
        "M" | "MB" => 20,
        "G" | "GB" => 30,
        "T" | "TB" => 40,
        _ => return Err(error()),
    };
    let number: u64 = number.parse().map_err(|_| error())?;
    number.checked_mul(1 << shift).filter(|&size| size > 0).ok_or_else(error)
}
