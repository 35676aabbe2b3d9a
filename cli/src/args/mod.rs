//! The command line's one definition: help, man pages and completions come from
//! here.

mod book;
// What a build without the bot does not read, it explains all the same.
#[cfg_attr(not(feature = "bot"), allow(dead_code))]
mod bot;
mod generate;
mod matches;
mod play;
mod search;
mod shared;
mod tables;
mod tune;

pub(crate) use book::{BookAddArgs, BookBuildArgs, BookCommand, BookShowArgs};
pub(crate) use bot::BotCommand;
#[cfg(feature = "bot")]
pub(crate) use bot::{DagazArgs, LogFormat, LogLevel};
use clap::builder::PossibleValue;
use clap::{Parser, Subcommand, ValueEnum};
use damka_games::AnyGame;
pub(crate) use generate::{GenArgs, PlanArgs, RehearseArgs};
pub(crate) use matches::MatchArgs;
pub(crate) use play::{PlayArgs, ProtocolName, ServeArgs};
pub(crate) use search::{BenchArgs, SearchArgs};
pub(crate) use shared::{AccessArg, MetricName, ProgressStyle, TablesArg};
use std::path::PathBuf;
use std::sync::LazyLock;
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
  damka line chess '8/8/8/8/8/2k5/3r4/K7 b'   the same of chess, to mate
  damka gen russian 5                         all tables of 2 to 5 pieces
  damka stats russian KKKvK                   wins, draws, losses, longest win
  damka tables                                which tables there are, and where

Behind a command that has a game, --help tells which games there are, and the rules of each.

`probe`, `line` and `search` build small tables when they need them. A directory of tables
that is named and not there counts as missing tables, unless tables are built.

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
Examples:
  damka gen russian 5                   all signatures of 2 to 5 pieces
  damka gen russian 4 KKMvKM kkkvkk     and these, with everything they lead to
  damka gen english 4 --metric wdl      win/draw/loss only
  damka gen alapo 3 --progress json     progress for a program to read
  damka gen chess 4 --metric wdl,dtm    distances to mate: of chess they are told by this name, too

Sound tables that are there are kept, damaged ones are built again. A table
appears when it is complete: after an interruption of any kind the same command
goes on. So it does within a signature that takes longer than --checkpoint. What is
neither a table, a lock, a journal nor a temporary file of damka's is left alone.")]
    Gen(GenArgs),
    /// Tell what `gen` would do: order, time, memory and disk of each signature.
    #[command(after_long_help = "\
Examples:
  damka plan russian 8 --metric wdl               before a night of work
  damka plan russian 7 --metric wdl --threads 16
  damka plan english KKMvKM --json                one object a signature

Times, memory and sizes are estimates from measured builds; tables that are
there are left out. Sizes of all tables of up to 5, 6 or 7 pieces are within 15 % where they
were measured; a single signature may take half of what is told, or twice as much.")]
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
  damka probe chess '8/8/8/3k4/8/8/3PK3/8 w - -'
  damka probe russian W:WKa1:BKh8 W:WKc1:BKa3     several, answered line by line
  damka probe russian - --json < positions.txt    one position a line

Positions are FENs as they are typed or pasted, also with their tag, [FEN \"...\"]; blanks
will do for commas, and `start` is the start position. In a stream empty lines and what follows a # are passed over, and what is
wrong with a line is told in its place: on standard error, or with --json as an object with
the keys line (position, for those of the command line) and error.

Each object of --json has the keys game, fen, value (win, draw or loss for the
side to move), dtw (plies to the end, null for a draw) and moves, best first,
each with move, fen, value and dtw for the side that plays it. A side that has lost its
last piece, or is checkmated, has lost in 0.

Tables of chess know no positions in which a side may castle, and no rule of 50 moves; en passant
they know. What follows the side to move may be left out of a FEN.")]
    Probe(ProbeArgs),
    /// Show best play to the end.
    #[command(after_long_help = "\
Examples:
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8'
  damka line russian 'W:WKa1,Kc1,Ke1:BKh8' --json

The winner takes the shortest way, the loser the longest. A draw has no end and
so no line. Positions are given as to `probe`, also several of them or a stream.")]
    Line(ProbeArgs),
    /// Search a position for the best move.
    #[command(after_long_help = "\
Examples:
  damka search russian 'W:Wc3,e3,g3:Bb6,d6,f6'           for one second
  damka search english 'B:W29,K30:BK1,5' --depth 15
  damka search chess --time 5000 --json                  the start position
  damka search russian --lines 3 --depth 12              the three best moves
  damka search russian - --nodes 50000 < positions.txt   one position a line

Tables are used where there are any. Positions are given as to `probe`, also several of
them or a stream; each is searched as if it were the only one, and told in lines of FEN,
score and moves, with tabulators between them.

The object of --json has the keys game, fen, move, score (hundredths of a man or pawn, for the
side to move), value (win, draw, loss, or unknown), dtw (plies to the end where known,
else null), depth, nodes, tb_hits and pv, the best line. With --lines it also has lines,
the best first, each with move, score, value, dtw and pv.")]
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
  damka match chess --a time=100 --b 'uci=./other-engine,time=100' --openings openings.pgn
  damka match russian --a time=1000 --b dxp=192.0.2.1:27531,time=10000 --games 2

A player is a list of settings: time=MS, nodes=N or depth=N for each move, or
clock=MS+MS for a game and each move; threads=N, memory=SIZE, tables=DIR or none,
weights=FILE, book=FILE, own or none (unless told); opponent=plain is a simple alpha-beta
that counts material, a yardstick that never gets better; uci=COMMAND another engine
that speaks UCI, with its arguments behind spaces; in draughts hub=COMMAND one that speaks Hub; dxp=HOST:PORT a program that waits
there for games by DXP. Where no limit is of time, the same games are played again for
the same seed, whatever the concurrency.

Other programs are told what their protocol has words for: limits and clock by UCI, and threads
and memory if they have such options; the variant, limits and clock by Hub; a clock of whole
minutes by DXP, as in clock=300000+0. They set up the
rest themselves. One that ends, does not answer within its time and two seconds more,
or plays what is illegal, loses the game, and is started again; where it cannot be
started the match ends.

Each opening is played twice, with both colours. Openings are a file of positions, one
a line, or of games (.pdn or .pgn); or random:PLIES, so many random moves to a position
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
  damka book build chess my.book games.pgn --min-games 10 --plies 30
  damka book add russian my.book more.pdn
  damka book show russian my.book
  damka book show russian my.book 'B:Wa1,a3,c1,c3:Bb8,d8,f8' --json

A move counts by its results: it is chosen in proportion to its points, and never if
it has only lost. Of the same games comes the same book.

--search begins with the start position and goes on with what is most likely to come
up: the moves of each position are searched, and those kept whose best lines are worth
about as much as the best. They count as drawn once; games of --self-play then begin
with them and tell what they are worth. What was searched is kept beside the book in
BOOK.searched until the book is made: after an interruption the same command goes on.

A book without moves is not written, and no file that is something else is overwritten.")]
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

Of few games more is learned with --trust: then what is learned is a mean of the result and
of the score that `damka match` notes with each move, which says more of one position.

For self-play give the two players different limits: two that are alike play each
opening twice in the same way.

Where there is nothing to learn, nothing is written; without games only a new file is.")]
    Tune(TuneArgs),
    /// Play against the engine, in the terminal.
    #[command(after_long_help = "\
Examples:
  damka play russian
  damka play english --color black --time 5000
  damka play russian --fen 'W:WKa1,Kc1,Ke1:BKh8' --book my.book
  damka play russian --build 5                 with tables of up to 5 pieces
  damka play chess --build 4

Moves are typed in any usual notation: c3-d4, c3:e5:g7, 22-17, 22x15; Nf3, exd8=Q, O-O, g1f3. `help` lists what
else can be typed. The board is turned to your side, and the last move marked; where moves
are written in numbers, so are the squares. On a terminal pieces have colours, unless
NO_COLOR is set, and where there are no tables it is asked whether some are to be built;
--build does so without asking.")]
    Play(PlayArgs),
    /// Tell where tables are and which there are, what is damaged and what is not finished.
    #[command(after_long_help = "\
Examples:
  damka tables                                in all: by game, pieces and metric
  damka tables russian                        each table: size and digest
  damka tables russian --digests > mine.txt   for `damka verify russian --digests mine.txt`

A digest tells the values of a table: it is the same for every file that holds them, and
follows its game, signature and metric in a list of digests, with the number of positions
behind it. Files are looked at, not read: `damka verify` checks every byte. Where a table is
damaged the exit code is 4.

The first object of --json has the key directory. There is one for each table, with the keys
game, signature, metric, positions (symmetric ones counted once), bytes and digest; for each
that is damaged, game, signature, metric and error; for each unfinished signature game,
signature, journal (the file) and bytes.")]
    Tables(InventoryArgs),
    /// Show counts, longest wins and sizes of tables.
    #[command(after_long_help = "\
Examples:
  damka stats russian                     every table there is
  damka stats russian KKKvK --json
  damka stats russian 4 --csv > counts.csv
  damka stats russian KKKvK --histogram   how many wins and losses of each length

Counts are of all legal placements, with each side to move. Each object of --json has the
keys game, signature, to_move, positions, wins, draws, losses, longest_win, longest_win_fen,
longest_loss, longest_loss_fen (null without distances, or where there is none), wdl_bytes,
dtw_bytes, wdl_digest and dtw_digest (null without such a table); --csv has the same columns.
With --histogram they have game, signature, to_move and histogram, a list of objects with
the keys value, dtw and positions, best values first.")]
    Stats(StatsArgs),
    /// List the positions of a signature by value, distance and what is special about them.
    #[command(after_long_help = "\
Examples:
  damka list russian KKKvK --value win --distance 25     wins that take exactly 25 plies
  damka list russian KMvKM --value win --only-move       where one move alone wins
  damka list russian KMvK --zugzwang --limit 0           all mutual zugzwangs
  damka list russian KKKvK --distance 25 | damka probe russian -

A line has a position, and behind a # its value, so that `probe -` reads it. With --only-move
it has the move as well. Positions come in the order of the tables, first those with White to
move, as they are found: nothing is sorted or kept.

Each object of --json has the keys game, fen, value, dtw (null for a draw, or without
distances) and, with --only-move, only_move.")]
    List(ListArgs),
    /// Check every value against its successors, and every checksum.
    #[command(after_long_help = "\
Examples:
  damka verify russian           every table there is
  damka verify english KKvK KMvK
  damka verify russian --sample 100000000
  damka verify russian --sample 100000000 --seed 42    the same positions again
  damka verify russian 6 --digests tables/results/digests/russian.txt

A sample is for sets that are too big to check whole: it is drawn from all tables
in proportion to their sizes, and nothing is loaded into memory. It tells nothing
about the counts and digests in the headers.

A list of digests, as `damka tables --digests` prints it, tells whether tables are the same as
somebody else's: all is read, and the values must have the digests of the list. It tells
which tables differ (exit code 5), which of the list are missing (3), and, if that is all,
which are not in the list (1).")]
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
Examples:
  damka engine russian                              Hub, on standard input and output
  damka engine chess                                UCI, on standard input and output
  damka engine russian --protocol dxp               DXP, waiting for other programs
  damka engine english --protocol dxp --connect 192.0.2.1 --time 2000
  damka engine russian --numbering top              for a client that numbers from b8
  damka engine russian --build 5                    with tables of up to 5 pieces

UCI is what graphical programs of chess speak with an engine: in one, give `damka engine` and the
game as the command of a new engine; where it takes a program without arguments, a script of one
line will do. Options of the same names as here are Hash, Threads, TablePath and Book; besides there
are TableCache, MultiPV, Ponder, and Move Overhead, the milliseconds that are lost between the two
programs with each move. In games without a word of their own for it the moves are those that
`play` takes. What cannot be done is told by `info string`.

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
used. DXP has no passwords: listen only where you trust others.")]
    Engine(ServeArgs),
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

/// A game, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameName(pub(crate) AnyGame);

impl ValueEnum for GameName {
    fn value_variants<'a>() -> &'a [GameName] {
        static ALL: LazyLock<Vec<GameName>> =
            LazyLock::new(|| AnyGame::all().map(GameName).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.summary()))
    }
}
