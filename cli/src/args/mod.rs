//! The command line's one definition: help, man pages and completions come from
//! here.

mod annotate;
mod book;
// What a build without the bot does not read, it explains all the same.
#[cfg_attr(not(feature = "bot"), allow(dead_code))]
mod bot;
mod generate;
mod matches;
mod play;
mod rules;
mod search;
mod serve;
mod shared;
mod tables;
mod tune;

pub(crate) use annotate::AnnotateArgs;
pub(crate) use book::{BookAddArgs, BookBuildArgs, BookCommand, BookShowArgs};
pub(crate) use bot::BotCommand;
#[cfg(feature = "bot")]
pub(crate) use bot::{DagazArgs, LogFormat, LogLevel};
use clap::builder::{PossibleValue, TypedValueParser, ValueParserFactory};
use clap::{Arg, Parser, Subcommand};
use damka_games::AnyGame;
pub(crate) use generate::{GenArgs, PlanArgs, RehearseArgs};
pub(crate) use matches::MatchArgs;
pub(crate) use play::{EngineServerArgs, PlayArgs, ProtocolName};
pub(crate) use rules::RulesArgs;
pub(crate) use search::{BenchArgs, SearchArgs};
pub(crate) use serve::ServeArgs;
pub(crate) use shared::{AccessArg, MetricName, ProgressStyle, TablesArg};
use std::ffi::OsStr;
use std::path::PathBuf;
pub(crate) use tables::{InventoryArgs, ListArgs, PerftArgs, ProbeArgs, StatsArgs, VerifyArgs};
pub(crate) use tune::TuneArgs;

/// Endgame tables for draughts, chess and Alapo: exact results, from the rules alone.
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
  damka line chess '8/8/8/8/8/2k5/3r4/K7 b'   best play in chess, to mate
  damka gen russian 5                         all tables of 2 to 5 pieces
  damka stats russian KKKvK                   wins, draws, losses, longest win
  damka tables                                which tables there are, and where
  damka rules                                 the games, and the rules of each

Small tables, of up to 3 or 4 pieces, are built when they are needed. On a terminal larger ones
are offered if they take less than a minute; else the error names the command that builds them.

A directory that --tables or DAMKA_TABLES names must exist; only `damka gen` makes it.

Environment:
  DAMKA_TABLES     the directory of tables, unless --tables names one
  DAMKA_PASSWORD   the password of `damka bot`, unless --password-file names a file with it
  NO_COLOR         no colours in `damka play`, if it is set

Files:
  ~/.local/share/damka   tables, or the platform's own place for data, unless named

Exit codes:
  0     done
  1     the answer is no, some inputs failed, or the system failed
  2     wrong usage or bad input
  3     tables missing
  4     tables damaged
  5     verification failed
  130   interrupted: finished tables stay, and the same command goes on";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Build tables by retrograde analysis.
    #[command(after_long_help = "\
A number of pieces stands for all signatures of 2 to that many pieces; a signature such as KKMvKM
stands for itself and everything it leads to. The directory of tables is made if it is missing.

Sound tables are kept, damaged ones are built again. A table appears only when it is complete:
after an interruption of any kind the same command goes on, also within a signature that takes
longer than --checkpoint. Files that are not damka's own are left alone.

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
  damka plan english KKMvKM --json                one object a signature")]
    Plan(PlanArgs),
    /// Solve a part of a signature, to measure what the whole would take.
    #[command(after_long_help = "\
Solved are the positions in which every man has advanced at least --steps rows, in the
signature and in every signature that promotions lead to. Captures are looked up in tables of
fewer pieces, which must exist. Nothing is written. The report has the columns of `gen
--profile`: nanoseconds of one core for each position, beside the estimate of `plan`.

Examples:
  damka rehearse russian KKMMvKKMM               men one or two steps before promotion
  damka rehearse russian MMMMvMMMM --steps 6     one step before it")]
    Rehearse(RehearseArgs),
    /// Show the exact result of a position, and rank its moves.
    #[command(after_long_help = "\
A position is a FEN, also as it is pasted with its tag, [FEN \"...\"]; blanks will do for
commas, and `start` is the start position. Several positions are answered in one line each.
With `-` they are read from standard input, one a line; empty lines are skipped, and so is what
follows a #. An error in a line does not stop the rest: it is printed on standard error, or
with --json as an object with the keys line (or position, on the command line) and error.

Each object of --json has the keys game, fen, value (win, draw or loss for the side to move),
dtw (plies to the end; null for a draw or where no distance is known) and moves, best first,
each with move, fen, value and dtw for the side that plays it. A side that has lost its last
piece, or is checkmated, has lost in 0.

In chess a FEN may end after the side to move. Tables know en passant, but no castling and no
50-move rule.

Examples:
  damka probe russian 'W:WKa1,Kc1,Ke1:BKh8'
  damka probe english 'B:W29,K30:BK1' --json
  damka probe alapo 'k5/6/6/6/6/F5 w'
  damka probe chess '8/8/8/3k4/8/8/3PK3/8 w - -'
  damka probe russian W:WKa1:BKh8 W:WKc1:BKa3     two positions
  damka probe russian - --json < positions.txt    one position a line")]
    Probe(ProbeArgs),
    /// Show best play to the end.
    #[command(after_long_help = "\
The winner takes the shortest way, the loser the longest. A draw has no end, and so no line.
Positions are given as to `probe`.

Examples:
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8'
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8' --json")]
    Line(ProbeArgs),
    /// Search a position for the best move.
    #[command(after_long_help = "\
Tables are used where they exist; only small ones are built. Positions are given as to `probe`.
Several are searched independently of each other, and printed in lines of FEN, score and moves,
separated by tabs.

Each object of --json has the keys game, fen, move, score (hundredths of a man or pawn, for the
side to move), value (win, draw, loss or unknown), dtw (plies to the end, null if unknown),
depth, nodes, tb_hits and pv, the best line. With --lines it also has lines, best first, each
with move, score, value, dtw and pv.

Examples:
  damka search russian 'W:Wc3,e3,g3:Bb6,d6,f6'           for one second
  damka search english 'B:W29,K30:BK1,5' --depth 15
  damka search chess --time 5000 --json                  the start position
  damka search russian --lines 3 --depth 12              the three best moves
  damka search russian - --nodes 50000 < positions.txt   one position a line")]
    Search(SearchArgs),
    /// Search fixed positions, and print the number of nodes and the speed.
    #[command(after_long_help = "\
With one thread the number of nodes is always the same: it changes only when the search does. No
tables are used.

Example:
  damka bench russian")]
    Bench(BenchArgs),
    /// Let two settings of the engine, or other engines, play a match.
    #[command(after_long_help = "\
A player is a list of settings: time=MS, nodes=N or depth=N for each move, or clock=MS+MS for a
game and each move; threads=N, memory=SIZE, tables=DIR or none, weights=FILE, book=FILE, own or
none (unless told); opponent=plain is a simple alpha-beta that counts material, a yardstick
that never gets better; uci=COMMAND another engine that speaks UCI, with its arguments behind
spaces; in draughts hub=COMMAND one that speaks Hub; dxp=HOST:PORT a program that waits there
for games by DXP. Where no limit is of time, the same games are played again for the same seed,
whatever the concurrency.

Other programs are told what their protocol has words for: limits and clock by UCI, and threads
and memory if they have such options; the variant, limits and clock by Hub; a clock of whole
minutes by DXP, as in clock=300000+0. They set up the
rest themselves. One that ends, does not answer within its time and two seconds more,
or plays what is illegal, loses the game, and is started again; where it cannot be
started the match ends.

Each opening is played twice, with both colours. Openings are a file of positions, one
a line, or of games (.pdn or .pgn); or random:PLIES, so many random moves to a position
that a short search finds balanced; or endings:FROM-TO, such positions with so many
pieces. Openings that lead to the same position, or to a mirror image of it, are played once;
if there are too few, they are played again, which a note tells. Choices from a player's book
depend on --seed and on the number of the pair.

A pair of games that is identical to an earlier pair is no new evidence: it is neither counted
nor written to --pdn, and the result tells how many games were identical.

A game ends where tables know the result, unless --play-on is given, and by the draw rules of
the game. In chess these are the rule of 50 moves and the third repetition, as usual in matches
of engines: they end a game without a claim. (By FIDE's laws a player claims them, and only 75
moves or the fifth repetition end a game.)

Each object of --json has the keys games, wins, draws and losses of the first player,
pairs (how many of them brought 0, 1/2, 1, 3/2 and 2 points), identical (games that are not
counted, since those of an earlier pair are identical), elo, elo_low and
elo_high (95 %), superiority (how sure it is that the first is stronger), and, with
--sprt, llr, llr_low, llr_high and verdict (H0, H1, or null).

Examples:
  damka match russian --a time=100 --b opponent=plain,time=100
  damka match russian --a nodes=50000 --b nodes=50000,tables=none --play-on \\
      --openings endings:8-10
  damka match english --a time=100,threads=2 --b time=100 --games 20000 \\
      --sprt 0,10 --concurrency 4 --pdn games.pdn
  damka match russian --a time=100 --b 'hub=./other-engine --hub,time=100'
  damka match chess --a time=100 --b 'uci=./other-engine,time=100' --openings openings.pgn
  damka match russian --a time=1000 --b dxp=192.0.2.1:27531,time=10000 --games 2")]
    Match(Box<MatchArgs>),
    /// Make and read opening books.
    #[command(after_long_help = "\
A move is chosen in proportion to the points it has scored, and never if it has only lost. The
same games always make the same book.

--search starts at the start position and goes on with the positions that are most likely to
arise: it searches all moves of each, and keeps those whose score is close to the best. They
count as drawn once; games of --self-play then begin with them and show what they score.
Finished searches are kept in BOOK.searched until the book is made, so that after an
interruption the same command goes on.

A book without moves is not written, and a file that is no book is never overwritten.

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
    /// Learn what positions are worth, from games.
    #[command(after_long_help = "\
Each quiet position of the games is a lesson: where tables know its value that is what
is learned, elsewhere the result of the game. A position that comes again, or a mirror image of
it, is one lesson, with the mean of the results; identical games count once. How well results
are foreseen is told in bits, the fewer the better: for the positions learned from, and for an
exam. Of twenty openings the games of one are kept for the exam; an opening is the position that
was set up for a game, or that after its first 8 plies. No position of the exam is learned from.
Of the same games come the same weights.

Of few games more is learned with --trust: then what is learned is a mean of the result and
of the score that `damka match` notes with each move, which says more of one position.

For self-play give the two players different limits: two that are alike play each
opening twice in the same way.

Where there is nothing to learn, nothing is written; without games only a new file is.

Examples:
  damka match russian --a nodes=1000 --b nodes=1400 --games 50000 --pdn games.pdn
  damka tune russian new.weights games.pdn
  damka match russian --a time=50,weights=new.weights --b time=50 --games 400")]
    Tune(TuneArgs),
    /// Judge every move of recorded games, and write them with annotations.
    #[command(after_long_help = "\
As soon as tables know the result, they tell it; before that the engine does. A move is marked with ??
if it throws away a win or a draw that tables know. By the engine it is marked with ?!, ? or ?? if
it loses 10, 20 or 30 % of the expected result. A comment has the value of each move for the
side that plays it, as `win in 25 plies`, or as score and depth, `+0.25/12`, and what tables call
the only move; a variation has the best line.

A game that cannot be read is reported and left out; then the exit code is 1. After Ctrl-C the
games that are done are written. The summary counts for each player the games, the moves, those
that tables know, only moves, and mistakes. docs/JSON.md describes the objects of --json.

Examples:
  damka annotate russian games.pdn -o annotated.pdn
  damka annotate chess game.pgn --time 1000
  damka annotate english games.pdn --time 0 --json    tables alone, for a program")]
    Annotate(AnnotateArgs),
    /// Play against the engine, in the terminal.
    #[command(after_long_help = "\
Moves are typed in any usual notation: c3-d4, c3:e5:g7, 22-17, 22x15; Nf3, exd8=Q, O-O, g1f3.
Type `help` to see what else can be typed. The board is turned to your side, and the last move
is marked; where moves are written in numbers, the squares show theirs. Pieces have colours on
a terminal, unless NO_COLOR is set. Where there are no tables of the game, some are offered;
--build builds them without asking.

`back` and `forward` walk through the game, and `load FILE` through a recorded one. A move played at
an earlier position starts a variation, which `save` writes in parentheses and `load` reads. `go`
has the engine move for the side to move. Going back stops the clocks.

Games are drawn by the rules of the game. In chess these are the third repetition and 50 moves
without a capture or a pawn move, without a claim, as in engine matches.

Examples:
  damka play russian
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
  damka rules                all games, one a line
  damka rules russian
  damka rules --json         one object a game")]
    Rules(RulesArgs),
    /// List the tables: where they are, their sizes and digests, what is damaged or unfinished.
    #[command(after_long_help = "\
A digest tells the values of a table: it is the same for every file that holds them, and
follows its game, signature and metric in a list of digests, with the number of positions
behind it. Files are looked at, not read: `damka verify` checks every byte. Where a table is
damaged the exit code is 4.

The first object of --json has the key directory. There is one for each table, with the keys
game, signature, metric, positions (symmetric ones counted once), bytes and digest; for each
that is damaged, game, signature, metric and error; for each unfinished signature game,
signature, journal (the file) and bytes.

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
  damka stats russian                     every table there is
  damka stats russian KKKvK --json
  damka stats russian 4 --csv > counts.csv
  damka stats russian KKKvK --histogram   how many wins and losses of each length")]
    Stats(StatsArgs),
    /// List the positions of a signature by value, distance and what is special about them.
    #[command(after_long_help = "\
A line has a position, and behind a # its value, so that `probe -` reads it. With --only-move
it has the move as well, with --zugzwang the value for the other side if that is to move.
Positions come in the order of the table, first those with White to move.

Symmetric positions are one, unless --all is given: images under the symmetries of the board;
where both sides have the same pieces, also positions with colours exchanged; and zugzwangs
with one side and with the other to move.

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
A sample is for sets that are too big to check whole: it is drawn from all tables
in proportion to their sizes, and nothing is loaded into memory. It tells nothing
about the counts and digests in the headers.

A list of digests, as `damka tables --digests` prints it, tells whether tables are the same as
somebody else's: all is read, and the values must have the digests of the list. It tells
which tables differ (exit code 5), which of the list are missing (3), and, if that is all,
which are not in the list (1).

Examples:
  damka verify russian           every table there is
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
    /// Play as an engine for other programs, in a protocol they speak.
    #[command(after_long_help = "\
UCI is what graphical programs of chess speak with an engine: in one, give `damka engine` and
the game as the command of a new engine; where it takes a program without arguments, a script
of one line will do. Options of the same names as here are Hash, Threads, TablePath and Book;
besides there are TableCache, MultiPV, Ponder, and Move Overhead, the milliseconds that are
lost between the two programs with each move. In games without a word of their own for it the
moves are those that `play` takes. What cannot be done is told by `info string`.

Hub 2 is what graphical programs and libraries of draughts speak with an engine; its parameter
`variant` may change the game. With DXP two engines play each other over TCP: the one
that connects asks for a game, plays White, and ends with it; the one that listens
answers one program after the other until it is interrupted, and refuses those that come
while it plays. A program that hangs up, or says nothing for --idle seconds, is let go, and
what was searched for it ends. The result of each game is printed.

A `pos` that is refused leaves no position: a `go` behind it is an error as well, until another
`pos` is understood. By UCI it is answered by the move 0000.

Hub and DXP describe a board of 50 squares only. Positions are written from b8 to g1,
moves with the numbers that clients use, those of PDN: 1 is a1 and 32 is h8 in russian and so on;
in english 1 is b8 and 32 is g1 by DXP, but g1 and b8 by Hub, as pydraughts has it. Where a
client does otherwise, tell --numbering, or by Hub the parameter of that name.

Tables are read, not mapped into memory, unless --access map is given (by Hub the parameter
access): a file that is cut short then ends no server. Damaged or missing tables are not
used. DXP has no passwords: listen only where you trust others.

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
The page is at the address that the command prints; docs/SERVER.md describes what programs can ask.
The server reads nothing but tables, and writes nothing. Where there are no tables at all, small ones
of all games are built first, in seconds, unless --no-build is given.

Tables may be added, replaced and removed while it runs: it looks every few seconds, and at once at
a SIGHUP. SIGTERM and Ctrl-C end it, after the requests that have begun.

To other machines it is best served by a proxy that speaks HTTPS. Requests that a proxy on this
machine passes on count as those of the address that it tells in X-Forwarded-For.

Examples:
  damka serve
  damka serve --listen 0.0.0.0:8080 --tables /var/lib/damka --cache 1G
  damka serve --tables /ssd/tables --tables /archive/tables     from the first that has a table
  damka serve --origin https://example.org                      only its pages may use the API")]
    Serve(ServeArgs),
    /// Play on a server of games, as one of its users, for days.
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
        /// The server.
        #[command(subcommand)]
        command: BotCommand,
    },
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

/// A game, by one of its names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameName(pub(crate) AnyGame);

/// Reads the name of a game. Completions offer the names that the games have, and not those that
/// are understood besides.
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
