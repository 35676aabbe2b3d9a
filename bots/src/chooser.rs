//! Chooses what to do in a position. Sends no requests.

use crate::site::{Choice, Outlook};
use crate::time_budget::TimeBudget;
use damka_engine::{
    Control, GameEnd, History, Playable, Player, PlayerError, PlayerSettings, Report, Resources,
    Score,
};
use damka_games::{AnyGame, Counted, MoveError, Position, PositionError, with_game};
use damka_tables::Wdl;
use std::time::Duration;
use thiserror::Error;

/// A position in which the bot is to move.
pub(crate) struct Question<'a> {
    /// The number of the game on the site.
    pub(crate) id: u64,
    /// The FEN of the first known position.
    pub(crate) start: &'a str,
    /// The moves from `start`.
    pub(crate) moves: &'a [String],
    pub(crate) time: TimeBudget,
    /// The longest time for a move, if it is limited.
    pub(crate) move_time: Option<Duration>,
    pub(crate) is_draw_offered: bool,
}

/// What to do in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// There is no legal move: the game is lost or, in chess, drawn.
    NoMove {
        /// Whether the game is lost.
        is_lost: bool,
    },
    /// To play a move.
    Play(Choice),
}

/// A position or a move from the site is not understood.
#[derive(Debug, Error)]
pub(crate) enum QuestionError {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// Chooses moves in one kind of game, in any number of games.
pub(crate) trait Chooser: Send {
    /// Chooses what to do in a position.
    fn choose(&mut self, question: &Question<'_>) -> Result<Plan, QuestionError>;

    /// Replaces the player, whose state may be inconsistent after a panic.
    fn reset(&mut self) -> Result<(), PlayerError>;
}

/// `count` choosers of a game. They share tables, cache, weights and book, and divide the memory of
/// the settings among their transposition tables.
pub(crate) fn choosers(
    game: AnyGame,
    settings: &PlayerSettings<()>,
    count: usize,
) -> Result<Vec<Box<dyn Chooser>>, PlayerError> {
    with_game!(game, game => {
        let mut settings = settings.clone().with_game(game);
        settings.memory /= count.max(1);
        let resources = Resources::open(&settings)?;
        let chooser = |_| -> Result<Box<dyn Chooser>, PlayerError> {
            let (settings, resources) = (settings.clone(), resources.clone());
            let player = Player::with_resources(&settings, resources.clone())?;
            Ok(Box::new(PlayerChooser { settings, resources, player, last: None }))
        };
        (0..count).map(chooser).collect()
    })
}

struct PlayerChooser<G: Playable> {
    settings: PlayerSettings<G>,
    resources: Resources<G>,
    player: Player<G>,
    /// The number of the game in which the player last chose a move.
    last: Option<u64>,
}

impl<G: Playable> Chooser for PlayerChooser<G> {
    fn choose(&mut self, question: &Question<'_>) -> Result<Plan, QuestionError> {
        let game = self.settings.game;
        let mut history = History::<G>::new(Counted::parse(game, question.start)?);
        for mv in question.moves {
            history.play(history.position().parse_move(mv)?);
        }
        let position = *history.position();
        if position.moves().is_empty() {
            return Ok(Plan::NoMove { is_lost: position.loses_when_stuck() });
        }
        if self.last.replace(question.id) != Some(question.id) {
            self.player.new_game();
        }
        let is_drawn = matches!(history.end(), Some(GameEnd::Drawn(_)));
        self.player.set_history(history.clone());
        let book_move = self.player.book_move().filter(|_| !question.is_draw_offered);
        let (mv, score, accepts_draw) = match book_move {
            Some(mv) => (mv, "book".to_owned(), false),
            None => {
                let limits = question.time.limits(question.move_time);
                let found = self.player.think(&limits, &Control::default(), |_| ());
                // If there is a legal move, a search returns one.
                let mv = found.best().unwrap_or_else(|| position.moves()[0]);
                let accepts_draw = question.is_draw_offered
                    && (is_drawn || accepts_draw(&found, history.moves().len()));
                (mv, found.score.to_string(), accepts_draw)
            }
        };
        history.play(mv);
        let outlook = match history.end() {
            Some(GameEnd::Won(_)) => Outlook::Won,
            Some(GameEnd::Drawn(_)) if history.position().moves().is_empty() => Outlook::Stalemate,
            Some(GameEnd::Drawn(_)) => Outlook::Drawn,
            None if accepts_draw => Outlook::Drawn,
            None => Outlook::Open,
        };
        Ok(Plan::Play(Choice { mv: position.format_move(mv), score, outlook }))
    }

    fn reset(&mut self) -> Result<(), PlayerError> {
        self.player = Player::with_resources(&self.settings, self.resources.clone())?;
        self.last = None;
        Ok(())
    }
}

/// Whether to accept a draw: if tables or a search to the end see no win, if the bot is worse, or,
/// after a long game, if it is not better.
fn accepts_draw<G: Playable>(found: &Report<G>, plies: usize) -> bool {
    const WORSE: i32 = -50;
    const EQUAL: i32 = 20;
    const LONG_GAME: usize = 80;
    match found.value.map(|value| value.wdl()) {
        Some(Wdl::Win) => false,
        Some(Wdl::Draw | Wdl::Loss) => true,
        None => is_at_most(found.score, if plies < LONG_GAME { WORSE } else { EQUAL }),
    }
}

fn is_at_most(score: Score, hundredths: i32) -> bool {
    !score.is_win() && score.hundredths() <= hundredths
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_engine::Level;
    use damka_engine::book::BookChoice;
    use damka_games::{Alapo, Chess, Russian};

    const RUSSIAN: AnyGame = AnyGame::Draughts(Russian);
    const CHESS: AnyGame = AnyGame::Chess(Chess);

    fn chooser(game: AnyGame) -> Box<dyn Chooser> {
        chooser_of_level(game, Level::FULL)
    }

    fn chooser_of_level(game: AnyGame, level: Level) -> Box<dyn Chooser> {
        let book = BookChoice::None;
        let settings = PlayerSettings { memory: 1 << 20, book, level, ..PlayerSettings::new(()) };
        choosers(game, &settings, 1).expect("a chooser").remove(0)
    }

    fn question<'a>(start: &'a str, moves: &'a [String]) -> Question<'a> {
        Question {
            id: 1,
            start,
            moves,
            time: TimeBudget::None,
            move_time: Some(Duration::from_millis(200)),
            is_draw_offered: false,
        }
    }

    fn chosen(plan: Result<Plan, QuestionError>) -> Choice {
        match plan {
            Ok(Plan::Play(choice)) => choice,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_move_that_ends_the_game_is_recognised() {
        let mut alapo = chooser(AnyGame::Alapo(Alapo));
        let stuck = alapo.choose(&question("6/5R/6/6/6/k5 w", &[])).expect("a plan");
        // White has lost: it cannot capture the black piece that has reached rank 1.
        assert_eq!(stuck, Plan::NoMove { is_lost: true });
        let win = chosen(alapo.choose(&question("6/5R/6/6/k5/6 w", &[])));
        assert_eq!(win.outlook, Outlook::Won, "{win:?}");
        let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        let win = chosen(chooser(CHESS).choose(&question(mate, &[])));
        assert_eq!(win.outlook, Outlook::Won, "{win:?}");
        let stalemate = "k7/2Q5/8/8/8/8/8/7K b - - 0 1";
        let stuck = chooser(CHESS).choose(&question(stalemate, &[])).expect("a plan");
        assert_eq!(stuck, Plan::NoMove { is_lost: false });
    }

    /// The lowest level looks one ply ahead and does not see this win.
    #[test]
    fn the_level_of_the_settings_applies() {
        let score = |level| {
            let mut chooser = chooser_of_level(RUSSIAN, level);
            chosen(chooser.choose(&question("W:WKc3,Ke1,Ke3:BKc1", &[]))).score
        };
        assert_eq!(score(Level::FULL), "win in 7");
        assert!(!score(Level::FIRST).contains("win"));
    }

    /// A king moves to and fro. Once the position has occurred three times, a draw is accepted in spite of the
    /// material advantage. Without the repetition it is not.
    #[test]
    fn repetitions_are_counted() {
        let ahead = "W:WKa1,Kc1,Ke1:BKb8";
        let there = ["a1-b2", "b8-a7", "b2-a1", "a7-b8"].map(str::to_owned);
        let again: Vec<String> = there.iter().cloned().cycle().take(8).collect();
        let mut chooser = chooser(RUSSIAN);
        for (moves, outlook) in [(&again[..0], Outlook::Open), (&again[..], Outlook::Drawn)] {
            let offered = Question { is_draw_offered: true, ..question(ahead, moves) };
            assert_eq!(chosen(chooser.choose(&offered)).outlook, outlook, "{moves:?}");
        }
    }

    /// The halfmove clock of the FEN counts: the next quiet move draws.
    #[test]
    fn the_halfmove_clock_counts() {
        for (clock, outlook) in [(99, Outlook::Drawn), (0, Outlook::Open)] {
            let fen = format!("7k/8/8/8/8/8/8/1QK5 w - - {clock} 70");
            let choice = chosen(chooser(CHESS).choose(&question(&fen, &[])));
            assert_eq!(choice.outlook, outlook, "{choice:?}");
        }
    }

    #[test]
    fn a_draw_is_accepted_if_there_is_no_win() {
        let start = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8";
        for (fen, outlook) in [
            ("W:Wa3:Bb8,d8,f8,h8", Outlook::Drawn),
            ("W:WKa1,Kc1,Ke1,b2,d2:BKb8", Outlook::Open),
            (start, Outlook::Open),
        ] {
            let offered = Question { is_draw_offered: true, ..question(fen, &[]) };
            assert_eq!(chosen(chooser(RUSSIAN).choose(&offered)).outlook, outlook, "{fen}");
        }
    }

    /// The choosers share table files: there are as many open files as tables.
    #[cfg(target_os = "linux")]
    #[test]
    fn four_choosers_open_each_table_once() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
        let directory = std::fs::canonicalize(directory).expect("a directory");
        let tables = Some(directory.clone());
        let settings = PlayerSettings { memory: 1 << 20, tables, ..PlayerSettings::new(()) };
        let choosers = choosers(RUSSIAN, &settings, 4).expect("choosers");
        let links = std::fs::read_dir("/proc/self/fd").expect("links").flatten();
        let mut open: Vec<_> = links
            .filter_map(|link| std::fs::read_link(link.path()).ok())
            .filter(|file| file.starts_with(&directory))
            .collect();
        open.sort_unstable();
        let all = open.len();
        open.dedup();
        assert!(all > 0 && open.len() == all, "{open:?}");
        drop(choosers);
    }

    #[test]
    fn a_game_that_is_not_understood_is_an_error() {
        let mut chooser = chooser(RUSSIAN);
        assert!(chooser.choose(&question("W:Wx9:B", &[])).is_err());
        let moves = ["a1-h8".to_owned()];
        assert!(chooser.choose(&question("W:Wa1:Bh8", &moves)).is_err());
    }
}
