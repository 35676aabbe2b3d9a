//! The definition of the command line. Help, man pages and completions are made from it.

mod annotate;
mod board;
mod book;
// A build without the bot also parses these options, so that its help explains them.
#[cfg_attr(not(feature = "bot"), allow(dead_code))]
mod bot;
mod generate;
mod matches;
mod play;
mod rules;
mod search;
mod serve;
mod shared;
mod site;
mod tables;
mod tune;

pub(crate) use annotate::AnnotateArgs;
pub(crate) use board::BoardArgs;
pub(crate) use book::{BookAddArgs, BookBuildArgs, BookCommand, BookShowArgs};
pub(crate) use bot::BotCommand;
#[cfg(feature = "bot")]
pub(crate) use bot::{DagazArgs, LogFormat, LogLevel};
use clap::builder::{PossibleValue, TypedValueParser, ValueParserFactory};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use damka_games::AnyGame;
pub(crate) use generate::{GenArgs, PlanArgs, PlanFormat, RehearseArgs};
pub(crate) use matches::MatchArgs;
pub(crate) use play::{EngineServerArgs, PlayArgs, ProtocolName};
pub(crate) use rules::RulesArgs;
pub(crate) use search::{BenchArgs, SearchArgs};
pub(crate) use serve::ServeArgs;
pub(crate) use shared::{AccessArg, MetricName, ProgressStyle, TablesArg};
pub(crate) use site::SiteArgs;
use std::ffi::OsStr;
use std::path::PathBuf;
pub(crate) use tables::{
    InventoryArgs, LineArgs, ListArgs, PerftArgs, ProbeArgs, StatsArgs, VerifyArgs,
};
pub(crate) use tune::{NetworkArg, TuneArgs};

/// Endgame tables for draughts, chess and Alapo: exact results, from the rules alone.
#[derive(Parser)]
#[command(name = "damka", bin_name = "damka", version, after_long_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Reads the command line. A negative number is read as a value, not as an option, so that the
    /// error is about the number.
    ///
    /// # Errors
    /// The arguments are wrong, or request help or the version.
    pub(crate) fn parse() -> Result<Args, clap::Error> {
        let command = with_negative_numbers(command());
        Args::from_arg_matches(&command.try_get_matches()?)
    }
}

/// The command line. Paragraphs of long texts are single lines, so that they are wrapped to the width of the
/// terminal.
pub(crate) fn command() -> clap::Command {
    with_paragraphs(Args::command())
}

fn with_paragraphs(command: clap::Command) -> clap::Command {
    // The text has no styles. Without `ansi`, clap would search it for styles to remove, at each start.
    let text = command.get_after_long_help().map(|text| joined(&text.ansi().to_string()));
    let command = match text {
        Some(text) => command.after_long_help(text),
        None => command,
    };
    command.mut_subcommands(with_paragraphs)
}

/// Joins the lines of each paragraph. Indented lines and headings stay as they are.
fn joined(text: &str) -> String {
    let is_text = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut joined = String::new();
    let mut last = "";
    for line in text.lines() {
        let continues = is_text(last) && !last.ends_with(':') && is_text(line);
        if !joined.is_empty() {
            joined.push(if continues { ' ' } else { '\n' });
        }
        joined.push_str(line);
        last = line;
    }
    joined
}

fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let with_values = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    };
    command.mut_args(with_values).mut_subcommands(with_negative_numbers)
}

const EXAMPLES: &str = "\
Examples:
  damka probe russian 'W:WKa1,Kc1,Ke1:BKh8'   who wins, how fast, with which move
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8'    best play to the end
  damka line chess '8/8/8/8/8/2k5/3r4/K7 b'   best play in chess, to mate
  damka gen russian 5                         all tables of 2 to 5 pieces
  damka stats russian KKKvK                   wins, draws, losses, longest win
  damka tables                                which tables there are, and where
  damka rules                                 the games, and the rules of each

Small tables, of up to 4 pieces (3 in Alapo), are built when they are needed. On a terminal damka
offers to build larger ones that take less than a minute; otherwise the error names the command that
builds them.

A directory that --tables or DAMKA_TABLES names must exist; only `damka gen` makes it.

Environment:
  DAMKA_TABLES     the directory of tables, unless --tables names one
  DAMKA_PASSWORD   the password of `damka bot`, unless --password-file names a file with it
  DAMKA_WASM       the directory of the reader for browsers, unless --wasm of `damka site` names one
  NO_COLOR         if it is set, `damka play` uses no colours

Files:
  ~/.local/share/damka   tables by default; on Windows %LOCALAPPDATA%\\damka

Exit codes:
  0     done
  1     the answer is no, some inputs failed, or the system failed
  2     wrong usage or bad input
  3     tables missing: the result, or the requested line, is unknown
  4     tables damaged
  5     verification failed
  130   interrupted: finished work is kept; gen, site, bot and book build --search can be resumed";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Build tables by retrograde analysis.
    #[command(after_long_help = "\
A number N selects all signatures of 2 to N pieces; a signature such as KKMvKM selects itself and
everything it leads to. The directory of tables is made if it is missing.

Sound tables are kept, damaged ones are built again. A table appears only when it is complete:
after an interruption of any kind the same command resumes the work, also within a signature that
takes longer than --checkpoint. Files that are not damka's own are left alone.

Examples:
  damka gen russian 5                   all signatures of 2 to 5 pieces
  damka gen russian 4 KKMvKM kkkvkk     and these two, with everything they lead to
  damka gen english 4 --metric wdl      win/draw/loss only
  damka gen chess 4 --metric dtm        distances to mate: in chess, dtm is another name of dtw
  damka gen alapo 3 --progress json     progress for a program to read")]
    Gen(GenArgs),
    /// Estimate time, memory and disk of what `gen` would build.
    #[command(after_long_help = "\
Signatures are listed in the order in which `gen` builds them; tables that exist are left out.
The figures are estimates from measured builds: within 15 % for all tables of up to 5, 6 or 7
pieces, but a single signature may take half or twice as much.

Examples:
  damka plan russian 8 --metric wdl
  damka plan russian 7 --metric wdl --threads 16
  damka plan english KKMvKM --json                one object per signature")]
    Plan(PlanArgs),
    /// Solve a part of a signature, to measure what the whole would take.
    #[command(after_long_help = "\
The positions in which every man has advanced at least --steps rows are solved, in the signature
and in every signature that promotions lead to. Captures are looked up in tables of fewer pieces,
which must exist. Nothing is written. The report has the columns of `gen --profile`: nanoseconds of
one core per position, beside the estimate of `plan`.

Examples:
  damka rehearse russian KKMMvKKMM               men one or two steps before promotion
  damka rehearse russian MMMMvMMMM --steps 6     one step before it")]
    Rehearse(RehearseArgs),
    /// Show the exact result of a position, and rank its moves.
    #[command(after_long_help = "\
A position is a FEN, or a tag [FEN \"...\"], or `start` for the start position. Blanks may replace
commas. Several positions get one line each. With `-` they are read from standard input, one
per line; empty lines and what follows a # are skipped. An error in one line does not stop the
rest: it is printed on standard error, or with --json as an object with the keys line (or
position, on the command line) and error.

Each object of --json has the keys game, fen, value (win, draw or loss for the side to move, or
unknown), dtw (plies to the end, or null), dtw_status (whether the distance is known; if not, why),
moves, best first, each with move, coordinates, fen, value, dtw and dtw_status for the side that
plays it, and, if tables are missing, missing. Moves of unknown value come last, or first if the
best one must be one of them. A side that has lost its last piece, or is checkmated, has lost in 0.
docs/JSON.md describes all objects.

In chess a FEN may end after the side to move. Tables include en passant, but no castling and no
50-move rule.

Examples:
  damka probe russian 'W:WKa1,Kc1,Ke1:BKh8'
  damka probe english 'B:W29,K30:BK1' --json
  damka probe alapo 'k5/6/6/6/6/F5 w'
  damka probe chess '8/8/8/3k4/8/8/3PK3/8 w - -'
  damka probe russian W:WKa1:BKh8 W:WKc1:BKa3     two positions
  damka probe russian W:WKa1:BKh8 --svg > a.svg   a picture with the best move
  damka probe russian - --json < positions.txt    one position per line")]
    Probe(ProbeArgs),
    /// Draw a position as SVG, PNG or text.
    #[command(after_long_help = "\
The SVG needs no font and no other file. PNG needs a damka that was built with the feature `png`.
With --map tables are probed for every square, for the side to move.

Examples:
  damka board russian 'W:WKf8,Ke7,Kh6:BKb8' > position.svg
  damka board chess '8/8/8/3k4/8/8/3PK3/8 w - -' --arrows e2-d3 --marks d5 -o position.svg
  damka board russian 'W:WKf8,Ke7,Kh6:BKb8' --map b8 -o map.svg
  damka board english --text                               the start position")]
    Board(BoardArgs),
    /// Show best play to the end.
    #[command(after_long_help = "\
The winner takes the shortest way, the loser the longest. A draw has no end, and so no line.
Positions are given as to `probe`.

Examples:
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8'
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8' --json")]
    Line(LineArgs),
    /// Search a position for the best move.
    #[command(after_long_help = "\
Tables are used where they exist; only small ones are built. Positions are given as to `probe`.
Several are searched independently of each other, and printed in lines of FEN, score and moves,
separated by tabs.

Each object of --json has the keys game, fen, move and coordinates (its squares), score (hundredths
of a man or pawn, for the side to move), value (win, draw, loss or unknown), dtw (plies to the end,
null if unknown), dtw_status, depth, nodes, tb_hits, pv (the best line) and pv_coordinates. With
--lines it also has lines, best first, each with the keys from move to dtw_status and those of its
line.

Examples:
  damka search russian 'W:Wc3,e3,g3:Bb6,d6,f6'           for one second
  damka search english 'B:W29,K30:BK1,5' --depth 15
  damka search chess --time 5000 --json                  the start position
  damka search russian --lines 3 --depth 12              the three best moves
  damka search russian - --nodes 50000 < positions.txt   one position per line")]
    Search(SearchArgs),
    /// Search fixed positions, and print the number of nodes and the speed.
    #[command(after_long_help = "\
With one thread the number of nodes is always the same: it changes only when the search does. No
tables are used.

Example:
  damka bench russian")]
    Bench(BenchArgs),
    /// Play a match between two settings of the engine, or other engines.
    #[command(after_long_help = "\
A player is a list of settings, separated by commas:

  time=MS, nodes=N, depth=N   the limit of each move
  clock=MS+MS                 the time for a game, and what each move adds
  threads=N, memory=SIZE      as for `search`
  tables=DIR|none             endgame tables
  weights=FILE                the weights of the evaluation, of features or a network
  book=FILE|own|none          the opening book; none is the default
  level=N                     how well it plays, from 1 to 10 (default); below 10 it needs no limit
  name=NAME                   its name in results and records; by default A, B and so on
  opponent=plain              a simple alpha-beta search that counts material, for comparison
  uci=COMMAND                 another engine that speaks UCI, with its arguments
  option.NAME=VALUE           an option of this engine, such as option.UCI_Elo=2000
  hub=COMMAND                 in draughts, one that speaks Hub
  dxp=HOST:PORT               a program that waits there for DXP games

With a third player, --c, and up to an eighth, --h, each player plays a match against every other (a
round robin). The table has each player's score, its strength relative to the mean of all, with 95 %
intervals, and its results against each of the others.

If no limit is a time, the same seed gives the same games, at any concurrency.

Other programs get the settings that their protocol supports: limits and clock by UCI, and threads
and memory if they have these options; variant, limits and clock by Hub; by DXP a clock of whole
minutes, as in clock=300000+0. A program that exits, plays an illegal move, or has not answered two
seconds after its time is over, loses the game and is started again. If it cannot be started, the
match ends.

Each opening is played twice, with colours exchanged. Openings are a file of positions, one per
line; a file of games (.pdn or .pgn); random:PLIES, positions after that many random moves that a
short search finds balanced; or endings:FROM-TO, balanced positions with that many pieces. Openings
that lead to the same position, or to its mirror image, are played once. If there are too few, they
are repeated, with a note. Choices from a player's book depend on --seed and on the number of the
pair.

A position is balanced if neither side is better by more than 40 hundredths of a man. To set another
margin, append it: with random:12:300 one side may be three men ahead. Many of the games that
`damka tune` learns from should begin with such positions.

A pair of games that is identical to an earlier pair is not new evidence. It is neither counted nor
written to --pdn; the result has the number of identical games.

A game ends when tables know the result, unless --play-on is given, and by the draw rules of the
game. In chess the 50-move rule and the third repetition end a game without a claim, as usual in
matches between engines. (By FIDE's laws a player must claim these; only 75 moves or the fifth
repetition end a game.)

Each object of --json has the keys games, wins, draws and losses of the first player,
pairs (the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points), identical (games that are not
counted because an earlier pair was identical), forfeits (the games that each player lost because
its program failed or its time was over), elo, elo_low and elo_high (95 % interval),
superiority (the likelihood that the first is stronger), and, with --sprt, llr, llr_low, llr_high
and verdict (H0, H1, or null).

Examples:
  damka match russian --a time=100 --b opponent=plain,time=100
  damka match russian --a nodes=50000 --b nodes=50000,tables=none --play-on \\
      --openings endings:8-10
  damka match english --a time=100,threads=2 --b time=100 --games 20000 \\
      --sprt 0,10 --concurrency 4 --pdn games.pdn
  damka match russian --a time=100 --b 'hub=./other-engine --hub,time=100'
  damka match chess --a time=100 --b 'uci=./other-engine,time=100' --openings openings.pgn
  damka match chess --a level=6,name=Damka --b \
      'uci=stockfish,name=Stockfish,option.UCI_LimitStrength=true,option.UCI_Elo=1500,time=100'
  damka match russian --a time=1000 --b dxp=192.0.2.1:27531,time=10000 --games 2")]
    Match(Box<MatchArgs>),
    /// Make and read opening books.
    #[command(after_long_help = "\
A move is chosen with a probability proportional to the points it has scored, and never if it has
only lost. The same games always give the same book.

--search begins with the start position and continues with the positions that are most likely to
arise. It searches all moves of each, and keeps those whose score is close to the best. Each
counts as one draw. The games of --self-play then begin with these moves and add their results.
Finished searches are kept in BOOK.searched until the book is complete: after an interruption
the same command continues.

A book without moves is not written. A file that is not a book is never overwritten.

Examples:
  damka book build russian my.book games.pdn --min-games 3
  damka book build russian own.book --self-play 200 --player nodes=20000
  damka book build russian own.book --search 2000 --self-play 200
  damka book build chess my.book games.pgn --min-games 10 --plies 30
  damka book add russian my.book more.pdn
  damka book show russian my.book
  damka book show russian own                   the book that is built in
  damka book show russian my.book 'B:Wa1,a3,c1,c3:Bb8,d8,f8' --json")]
    Book {
        /// What to do.
        #[command(subcommand)]
        command: BookCommand,
    },
    /// Learn the weights of the evaluation from games.
    #[command(after_long_help = "\
Each quiet position of the games is a training position. Its target is its value in the tables if
they have it, else the result of the game. A win in n plies by the tables counts as 0.5 + 0.5 *
0.98^n of a win, so that a player without tables makes progress. Equal positions and mirror images
are merged, with the mean of their results; identical games count once. The loss is printed in bits
per position, for the training set and for a validation set, which has all games of one opening in
twenty; an opening is the position that was set up for a game, or the one after its first 8 plies.
No position of the validation set is trained on. The same games always give the same weights.

With --trust the target is a weighted mean of the result and the score that `damka match` notes
with each move. This helps if there are few games.

Without --network the evaluation is a weighted sum of features, such as patterns of men. With
--network NEURONS it is a neural network with one hidden layer (NNUE), learned from scratch; with
--network FILE an existing network learns further. A network needs more games.

For games of self-play give the two players different limits: two equal players play each opening
twice in the same way.

If there is nothing to learn, nothing is written. Without games, the initial weights, or those of
--from, are written, but only to a new file.
Ctrl-C ends the learning after the current round, and the best weights so far are written.

Examples:
  damka match russian --a nodes=1000 --b nodes=1400 --games 50000 --pdn games.pdn
  damka tune russian new.weights games.pdn
  damka match russian --a time=50,weights=new.weights --b time=50 --games 400")]
    Tune(TuneArgs),
    /// Judge every move of recorded games, and write them with annotations.
    #[command(after_long_help = "\
Positions that are in tables are judged by tables, all others by the engine. A move is marked with
?? if it throws away a win or a draw by the tables. The engine marks it with ?!, ? or ?? if the
expected result, from -1 to 1, falls by 0.1, 0.2 or 0.3. A comment has the value of each move for
the side that plays it, as `win in 25 plies`, or as score and depth, `+0.25/12`, and says if it is
the only move by the tables; a variation has the best line.

A game that cannot be read is reported and left out; then the exit code is 1, or 2 if none can be
read. After Ctrl-C the games that are done are written. The summary counts for each player the
games, the moves, those judged by tables, and only moves. Moves marked by the engine are counted as
?!, ? and ??; moves marked by tables as wins lost and draws lost. A game counts as given up if its
result is worse for the player than its last position is by the tables. docs/JSON.md describes the
objects of --json.

Examples:
  damka annotate russian games.pdn -o annotated.pdn
  damka annotate chess game.pgn --time 1000
  damka annotate english games.pdn --time 0 --json    tables alone, for a program")]
    Annotate(AnnotateArgs),
    /// Play against the engine, in the terminal.
    #[command(after_long_help = "\
Moves are typed in any usual notation: c3-d4, c3:e5:g7, 22-17, 22x15; Nf3, exd8=Q, O-O, g1f3.
`help` lists the other commands. Your side is at the bottom, and the last move is marked. In games
with numbered squares the board shows the numbers. Pieces have colours on a terminal, unless
NO_COLOR is set. If there are no tables of the game, damka offers to build some; --build builds
them without asking.

`back` and `forward` step through the game; `load FILE` loads a recorded one. A move played in an
earlier position starts a variation, which `save` writes in parentheses and `load` reads. `go` lets
the engine move for the side to move. Going back stops the clocks.

The draw rules of the game apply. In chess the third repetition and 50 moves without a capture or a
pawn move end a game without a claim, as in matches between engines.

Examples:
  damka play russian
  damka play chess --level 3                   for learners, from 1 to 10
  damka play english --color black --time 5000
  damka play russian --fen 'W:WKa1,Kc1,Ke1:BKh8' --book my.book
  damka play russian --build 5                 with tables of up to 5 pieces
  damka play chess --build 4 --clock 5+3       five minutes each, and three seconds a move
  damka play chess --color both                a board for analysis: both sides by hand")]
    Play(PlayArgs),
    /// Show the rules of the games.
    #[command(after_long_help = "\
A game may be called by any name that `damka rules GAME` shows, in any case: checkers is
english, and shashki is russian.

Each object of --json has the keys game, names (other names of the game), basics (the rules of
its family), rules (its own), start (a FEN) and pieces (their letters in signatures).

Examples:
  damka rules                all games, one per line
  damka rules russian
  damka rules --json         one object per game")]
    Rules(RulesArgs),
    /// List the tables: where they are, their sizes and digests, what is damaged or unfinished.
    #[command(after_long_help = "\
Positions are those that are stored: symmetric ones count once. `damka stats` counts all of them.

A digest identifies the values of a table: every file with the same values has the same one. A list
of digests has a line for each table: game, signature, metric, digest and number of positions. Only
the headers of files are read; `damka verify` checks every byte. If a table is damaged the exit
code is 4.

The first object of --json has the key directory. There is one for each table, with the keys game,
signature, metric, positions (symmetric ones counted once), bytes, half (whether it has only one
side to move) and digest; for each that is damaged, game, signature, metric and error; for each
unfinished signature game, signature, journal (the file) and bytes.

Examples:
  damka tables                                in all: by game, pieces and metric
  damka tables russian                        each table: size and digest
  damka tables russian --digests > mine.txt   for `damka verify russian --digests mine.txt`")]
    Tables(InventoryArgs),
    /// Show counts, longest wins and sizes of tables.
    #[command(after_long_help = "\
Counts are of all legal placements, with each side to move. Each object of --json has the
keys game, signature, to_move, positions, wins, draws, losses, longest_win, longest_win_fen,
longest_loss, longest_loss_fen (null without distances, or where there is none), wdl_bytes,
dtw_bytes, wdl_digest and dtw_digest (null without such a table); --csv has the same columns.
With --histogram they have game, signature, to_move and histogram, a list of objects with
the keys value, dtw, dtw_status and positions, best values first. docs/JSON.md has more.

Examples:
  damka stats russian                     all tables
  damka stats russian KKKvK --json
  damka stats russian 4 --csv > counts.csv
  damka stats russian KKKvK --histogram   how many wins and losses of each length")]
    Stats(StatsArgs),
    /// List the positions of a signature by value, distance and what is special about them.
    #[command(after_long_help = "\
A line has a position and, after a #, its value; `probe -` reads such lines. --only-move adds the
move, --zugzwang the value with the other side to move. Positions are in the order of the table,
beginning with those in which the side that the table names first is to move.

Symmetric positions are listed once, unless --all is given: images under the symmetries of the
board; if both sides have the same pieces, positions with colours exchanged; and mutual zugzwangs
with either side to move.

docs/JSON.md describes the objects of --json, docs/NPY.md the array of --npy.

Examples:
  damka list russian KKKvK --value win --distance 25     wins that take exactly 25 plies
  damka list russian KMvKM --value win --only-move       where one move alone wins
  damka list russian KMvK --zugzwang --limit 0           all mutual zugzwangs
  damka list russian KKKvK --distance 25 | damka probe russian -
  damka list chess KPvKP --zugzwang --count
  damka list russian KMvKM --value win --sample 1000 --seed 7 --csv > sample.csv
  damka list russian KKMvKM --npy KKMvKM.npy             all of them, for NumPy")]
    List(ListArgs),
    /// Check every value against its successors, and every checksum.
    #[command(after_long_help = "\
A sample is for sets that are too large to be checked as a whole. It is drawn from all tables in
proportion to their sizes, and no table is loaded into memory. It does not check the counts and
digests in the headers.

With a list of digests, as `damka tables --digests` prints it, tables are compared with those of
another person: all values are read, and must have the digests of the list. damka reports tables
that differ (exit code 5), tables of the list that are missing (3), and tables that are not in the
list (1).

Examples:
  damka verify russian           all tables
  damka verify english KKvK KMvK
  damka verify russian --sample 100000000
  damka verify russian --sample 100000000 --seed 42    the same positions again
  damka verify russian 6 --digests tables/results/digests/russian.txt")]
    Verify(VerifyArgs),
    /// Count the leaves of the tree of legal moves.
    #[command(after_long_help = "\
Examples:
  damka perft russian 9                   from the start position
  damka perft english 5 'B:W32:BK1' --divide
  damka perft chess 5 '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w'")]
    Perft(PerftArgs),
    /// Run as an engine for other programs, by UCI, Hub or DXP.
    #[command(after_long_help = "\
UCI is the protocol of chess GUIs: add an engine with the command `damka engine chess`. If the GUI
takes only a program without arguments, use a script of one line. The options Hash, Threads,
TablePath, Book and EvalFile (--weights) are those of the command line. There are also TableCache,
MultiPV, Ponder, Move Overhead (milliseconds lost with each move), Variety (as --variety of `play`),
UCI_LimitStrength and UCI_Elo (the nearest level), UCI_AnalyseMode, UCI_ShowWDL and Clear Hash. In
other games moves are written as in `play`. Errors are reported by `info string`.

Hub 2 is the protocol of draughts GUIs and libraries; its parameter `variant` selects the game. By
DXP two engines play over TCP: the one that connects requests a game, plays White, and exits after
it. The one that listens plays one program after the other until it is interrupted, and refuses
others during a game. A program that hangs up, or is silent for --idle seconds, is disconnected and
its search stopped. The result of each game is printed.

After an invalid `pos` of Hub or `position` of UCI there is no position until the next valid one.
Until then Hub answers `go` with an error, and UCI with the move 0000.

Hub and DXP define only the board of 50 squares. On 32 squares positions are written from b8 to g1.
Moves have the square numbers that clients use: in games whose squares are named by letter and
digit, such as russian, 1 is a1 and 32 is h8; in the others the numbers are those of PDN, except
that by Hub, as in pydraughts, 1 is g1 and 32 is b8 in english. For other clients set --numbering,
or the Hub parameter of that name.

Tables are read, not mapped into memory, so that a truncated file does not end the server;
--access map (the Hub parameter access) changes this. Damaged or missing tables are not used. DXP
has no passwords: listen only where you trust the network.

Examples:
  damka engine russian                              Hub, on standard input and output
  damka engine chess                                UCI, on standard input and output
  damka engine russian --protocol dxp               DXP, waiting for other programs
  damka engine english --protocol dxp --connect 192.0.2.1 --time 2000
  damka engine russian --numbering top              for a client that numbers from b8
  damka engine russian --build 5                    with tables of up to 5 pieces")]
    Engine(EngineServerArgs),
    /// Serve the explorer: a page for people, and answers in JSON for programs.
    #[command(after_long_help = "\
The page is at the address that the command prints; docs/SERVER.md describes the API for programs.
Missing small tables of all games are built first, in about half a minute, unless --no-build is
given; in a directory that --tables names only if it has no table at all. After that the server
reads only tables, and writes no files.

Tables may be added, replaced and removed while it runs: it checks every few seconds, and on Unix
at once at a SIGHUP. Ctrl-C, and on Unix SIGTERM, end it after the requests that have begun.

If other machines are to reach it, put a proxy with HTTPS in front of it. For requests that a proxy
on this machine forwards, --rate applies to the last address in their X-Forwarded-For.

Examples:
  damka serve
  damka serve --listen 0.0.0.0:8080 --tables /var/lib/damka --cache 1G
  damka serve --tables /ssd/tables --tables /archive/tables     from the first that has a table
  damka serve --origin https://example.org                      only its pages may use the API")]
    Serve(ServeArgs),
    /// Write the explorer as files, for any web server.
    #[command(after_long_help = "\
The files need no program on the server: copy them to web space, GitHub Pages or a memory stick
with a small web server. Pages of the site read the tables in the browser, and work offline after
the first visit. docs/SITE.md describes sizes and settings of servers.

The same command adds new tables: existing files are kept, and files that no longer belong to the
site are removed at the end. If the command is interrupted, the previous site still works. A
directory with other files is refused.

Examples:
  damka site public --tables /var/lib/damka
  damka site public --games russian,english --pieces 5 --wasm bindings/wasm/dist
  python3 -m http.server --directory public")]
    Site(SiteArgs),
    /// Play on a game server as one of its users.
    #[cfg_attr(
        not(feature = "bot"),
        doc = "",
        doc = "This damka was built without the bot: `cargo install --path cli --locked --features bot`",
        doc = "installs one with it."
    )]
    #[command(after_long_help = "\
Examples:
  damka bot dagaz --help
  damka bot dagaz --url https://HOST --user NAME --password-file FILE --dry-run
  damka bot dagaz --url https://HOST --user NAME --password-file FILE --accept")]
    Bot {
        /// The kind of server.
        #[command(subcommand)]
        command: BotCommand,
    },
    /// Print a completion script for a shell.
    #[command(after_long_help = "\
Examples:
  damka completions bash > ~/.local/share/bash-completion/completions/damka
  damka completions fish > ~/.config/fish/completions/damka.fish
  damka completions zsh > ~/.zfunc/_damka     # a directory of fpath
  damka completions powershell >> $PROFILE")]
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

/// A game, by one of its names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameName(pub(crate) AnyGame);

/// Reads the name of a game. Completions offer the main names, not the other names that are
/// understood.
#[derive(Clone)]
pub(crate) struct GameNameParser;

impl ValueParserFactory for GameName {
    type Parser = GameNameParser;

    fn value_parser() -> GameNameParser {
        GameNameParser
    }
}

impl TypedValueParser for GameNameParser {
    type Value = GameName;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<GameName, clap::Error> {
        let parse = |name: &str| name.parse::<AnyGame>().map(GameName);
        TypedValueParser::parse_ref(&parse, command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(AnyGame::all().map(|game| PossibleValue::new(game.name()))))
    }
}
