//! A site that streams events, in memory: two bots find each other there and play whole games.

use damka_bots::{
    Bot, BotOptions, BotResult, CallError, Choice, Foreign, GameStatus, Idle, IdleKind, Notice,
    Offer, Opening, Pace, Phase, Ready, SeekOptions, Site, Step, Tally, TimeBudget, Turn,
};
use damka_engine::{Control, GameEnd, History, PlayerSettings};
use damka_games::{Alapo, AnyGame, Color, Game, Position};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

const ALAPO: AnyGame = AnyGame::Alapo(Alapo);

/// An event that a stream reports to its user.
enum Event {
    /// The user is to move in this game, after this number of plies.
    Turn(u64, u64),
    /// This game is over.
    Over(u64),
}

/// A game of the server.
struct Table {
    history: History<Alapo>,
    /// The user with White, who has created the game.
    creator: usize,
    phase: Phase,
    /// `None` for a draw.
    winner: Option<Color>,
    /// The user who offers a draw.
    draw_offer: Option<usize>,
}

/// The server.
struct Server {
    tables: Mutex<Vec<Table>>,
    streams: [Sender<Event>; 2],
}

impl Server {
    fn tables(&self) -> MutexGuard<'_, Vec<Table>> {
        self.tables.lock().expect("no panic")
    }

    fn notify(&self, user: usize, event: Event) {
        // A bot that has ended no longer receives events.
        let _ = self.streams[user].send(event);
    }

    fn finish(&self, table: &mut Table, id: u64, winner: Option<Color>) {
        (table.phase, table.winner) = (Phase::Over, winner);
        (0..2).for_each(|user| self.notify(user, Event::Over(id)));
    }
}

/// The server as one of two users sees it.
struct Stream {
    server: Arc<Server>,
    user: usize,
    events: Mutex<Receiver<Event>>,
    /// The games in which the user is to move, with the number of plies.
    turns: Mutex<BTreeMap<u64, u64>>,
    tally: Tally,
    address: String,
}

impl Stream {
    fn color(&self, table: &Table) -> Color {
        if table.creator == self.user { Color::White } else { Color::Black }
    }
}

impl Site for Stream {
    type Memory = ();

    const NAME: &'static str = "the memory";

    fn has(&self, game: AnyGame) -> bool {
        game == ALAPO
    }

    fn address(&self) -> &str {
        &self.address
    }

    fn user(&self) -> &str {
        ["anna", "boris"][self.user]
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn log_in(&self) -> Result<(), CallError> {
        Ok(())
    }

    fn events(&self) -> Result<Vec<Notice>, CallError> {
        let mut turns = self.turns.lock().expect("no panic");
        for event in self.events.lock().expect("no panic").try_iter() {
            match event {
                Event::Turn(game, ply) => drop(turns.insert(game, ply)),
                Event::Over(game) => drop(turns.remove(&game)),
            }
        }
        let notice = |(&id, &ply): (&u64, &u64)| {
            let position = Foreign::from(&*ply.to_string());
            Notice { id, game: Some(ALAPO), position, ply, seat: None, obstacle: None }
        };
        Ok(turns.iter().map(notice).collect())
    }

    fn open(&self, turn: &mut Turn<'_, ()>) -> Result<Opening, CallError> {
        let tables = self.server.tables();
        let table = &tables[turn.notice.id as usize];
        if table.phase == Phase::Over {
            return Ok(Step::Leave(Idle::new(IdleKind::Over, "the game is over")).into());
        }
        let history = &table.history;
        let moves = history.positions().zip(history.moves());
        let is_draw_offered = table.draw_offer.is_some_and(|user| user != self.user);
        let left = Duration::from_secs(60);
        Ok(Step::Choose(Ready {
            start: Alapo.start().fen(),
            moves: moves.map(|(position, &mv)| position.format_move(mv)).collect(),
            ply: history.moves().len() as u64,
            time: TimeBudget::Game { left, increment: Duration::ZERO },
            left: Some(left),
            is_draw_offered,
            must_answer: is_draw_offered,
            chosen: None,
        })
        .into())
    }

    fn play(
        &self,
        turn: &mut Turn<'_, ()>,
        ready: &Ready,
        choice: &Choice,
    ) -> Result<(), CallError> {
        let id = turn.notice.id;
        let mut tables = self.server.tables();
        let table = &mut tables[id as usize];
        let position = *table.history.position();
        assert_eq!(position.turn(), self.color(table), "a move out of turn");
        assert_eq!(ready.ply, table.history.moves().len() as u64, "a move twice");
        table.history.play(position.parse_move(&choice.mv).expect("a legal move"));
        self.turns.lock().expect("no panic").remove(&id);
        match table.history.end() {
            Some(GameEnd::Won(winner)) => self.server.finish(table, id, Some(winner)),
            Some(GameEnd::Drawn(_)) => self.server.finish(table, id, None),
            None => self.server.notify(1 - self.user, Event::Turn(id, ready.ply + 1)),
        }
        Ok(())
    }

    fn offer_draw(&self, turn: &mut Turn<'_, ()>) -> Result<(), CallError> {
        self.server.tables()[turn.notice.id as usize].draw_offer = Some(self.user);
        Ok(())
    }

    fn decline(&self, turn: &mut Turn<'_, ()>) -> Result<(), CallError> {
        self.server.tables()[turn.notice.id as usize].draw_offer = None;
        Ok(())
    }

    fn end(&self, turn: &mut Turn<'_, ()>, verdict: BotResult) -> Result<(), CallError> {
        let mut tables = self.server.tables();
        let table = &mut tables[turn.notice.id as usize];
        let own = self.color(table);
        let winner = match verdict {
            BotResult::Won => Some(own),
            BotResult::Lost => Some(!own),
            BotResult::Drawn => None,
        };
        self.server.finish(table, turn.notice.id, winner);
        Ok(())
    }

    fn games(&self) -> Result<Vec<GameStatus>, CallError> {
        let tables = self.server.tables();
        let own = (0..)
            .zip(tables.iter())
            .filter(|(_, table)| table.phase != Phase::Waiting || table.creator == self.user);
        Ok(own
            .map(|(id, table)| {
                let ply = table.history.moves().len() as u64;
                GameStatus { id, game: ALAPO, phase: table.phase, ply }
            })
            .collect())
    }

    fn result(&self, game: u64) -> Result<Option<BotResult>, CallError> {
        let tables = self.server.tables();
        let table = &tables[game as usize];
        Ok(Some(match table.winner {
            None => BotResult::Drawn,
            Some(winner) if winner == self.color(table) => BotResult::Won,
            Some(_) => BotResult::Lost,
        }))
    }

    fn challenges(&self, _: AnyGame) -> Result<Vec<Offer>, CallError> {
        let tables = self.server.tables();
        let waiting = (0..).zip(tables.iter()).filter(|(_, table)| table.phase == Phase::Waiting);
        let others = waiting.filter(|(_, table)| table.creator != self.user);
        Ok(others.map(|(id, _)| Offer::Game(id)).collect())
    }

    fn accept(&self, offer: Offer) -> Result<(), CallError> {
        let Offer::Game(id) = offer else { return Err(CallError::NotFound) };
        let mut tables = self.server.tables();
        let table = &mut tables[id as usize];
        if table.phase != Phase::Waiting {
            return Err(CallError::Refused);
        }
        table.phase = Phase::Playing;
        self.server.notify(table.creator, Event::Turn(id, 0));
        Ok(())
    }

    fn seek(&self, _: AnyGame) -> Result<(), CallError> {
        self.server.tables().push(Table {
            history: History::new(Alapo.start()),
            creator: self.user,
            phase: Phase::Waiting,
            winner: None,
            draw_offer: None,
        });
        Ok(())
    }
}

#[test]
fn two_bots_play_whole_games_on_a_streaming_site() {
    const MILLI: Duration = Duration::from_millis(1);
    let (streams, receivers): (Vec<_>, Vec<_>) = (0..2).map(|_| channel()).unzip();
    let streams = streams.try_into().expect("two streams");
    let server = Arc::new(Server { tables: Mutex::new(Vec::new()), streams });
    let stop = Control::default();
    let finished = || server.tables().iter().filter(|table| table.phase == Phase::Over).count();
    thread::scope(|scope| {
        for (user, receiver) in receivers.into_iter().enumerate() {
            let site = Stream {
                server: Arc::clone(&server),
                user,
                events: Mutex::new(receiver),
                turns: Mutex::default(),
                tally: Tally::default(),
                address: format!("memory:{}", std::process::id()),
            };
            let seek = SeekOptions {
                create: user == 0,
                accept: user == 1,
                max_games: 2,
                ..SeekOptions::default()
            };
            let options = BotOptions {
                settings: PlayerSettings { memory: 1 << 20, ..PlayerSettings::new(()) },
                searches: 2,
                move_time: Some(MILLI),
                seek,
                pace: Pace { poll: MILLI, seek: 5 * MILLI, ..Pace::default() },
                ..BotOptions::new([ALAPO])
            };
            let bot = Bot::new(site, options).expect("a bot");
            let stop = &stop;
            scope.spawn(move || bot.run(stop).expect("a bot that runs"));
        }
        let deadline = Instant::now() + Duration::from_secs(60);
        while finished() < 3 && Instant::now() < deadline {
            thread::sleep(MILLI);
        }
        stop.stop();
    });
    assert!(finished() >= 3, "three games are played to the end");
    for table in server.tables().iter().filter(|table| table.phase == Phase::Over) {
        assert!(table.history.moves().len() > 8, "{} plies", table.history.moves().len());
    }
}
