use crate::competitor::{Choice, Competitor};
use damka_engine::{Control, History, Limits, Playable, Score, TimeControl};
use damka_games::draughts::Move;
use damka_games::{Color, Draughts, Game, Position};
use damka_protocols::dxp::Rival;
use damka_protocols::{Fault, NumberedMove, Numbering, hub, uci};
use std::time::{Duration, Instant};

/// The time added to the limit of another program for its messages.
const GRACE: Duration = Duration::from_secs(2);

/// The time limit of another program if no time was set.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

/// Another engine, driven by UCI.
pub(super) struct UciEngine<G> {
    command: String,
    options: uci::Options,
    limits: Limits,
    /// `None` while the engine is not running.
    client: Option<uci::Client<G>>,
}

impl<G: Playable> UciEngine<G> {
    /// Starts `command` when a game begins.
    pub(super) fn new(command: String, options: uci::Options, limits: Limits) -> UciEngine<G> {
        UciEngine { command, options, limits, client: None }
    }
}

impl<G: Playable> Competitor<G> for UciEngine<G> {
    fn begin(&mut self, _: &History<G>, _: Color, _: u64, control: &Control) -> Result<(), Fault> {
        // The engine may have exited since the last game.
        self.client = self.client.take().and_then(|mut client| {
            let result = client.begin(control);
            result.is_ok().then_some(client)
        });
        if self.client.is_none() {
            let mut client = uci::Client::start(&self.command, &self.options, control)?;
            client.begin(control)?;
            self.client = Some(client);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<G>>, Fault> {
        let client = self.client.as_mut().ok_or(Fault::Gone)?;
        let Limits { depth, nodes, time: move_time, .. } = self.limits;
        let limits = uci::SearchLimits { depth, nodes, move_time, clock };
        let patience = patience(&self.limits, clock);
        let answer = client.think(game, &limits, patience, control);
        // After a fault the engine is started again.
        self.client = self.client.take().filter(|_| answer.is_ok());
        let uci::ScoredMove { mv, score, depth } = answer?;
        Ok(Some(Choice { mv, score, depth }))
    }
}

/// Another engine, driven by Hub.
pub(super) struct HubEngine {
    command: String,
    limits: Limits,
    /// `None` while the engine is not running.
    client: Option<hub::Client>,
}

impl HubEngine {
    /// Starts `command` when a game begins.
    pub(super) fn new(command: String, limits: Limits) -> HubEngine {
        HubEngine { command, limits, client: None }
    }
}

impl Competitor<Draughts> for HubEngine {
    fn begin(
        &mut self,
        opening: &History<Draughts>,
        _: Color,
        _: u64,
        control: &Control,
    ) -> Result<(), Fault> {
        let is_running = self.client.as_mut().is_some_and(hub::Client::begin);
        if !is_running {
            let mut client = hub::Client::start(&self.command, variant(opening), control)?;
            client.begin();
            self.client = Some(client);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<Draughts>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<Draughts>>, Fault> {
        let client = self.client.as_mut().ok_or(Fault::Gone)?;
        let limits = hub_limits(&self.limits, clock);
        let patience = patience(&self.limits, clock);
        let answer = client.think(&game.start().position, game.moves(), &limits, patience, control);
        let choice = answer.and_then(|answer| {
            let mv = legal(game, answer.mv, Numbering::of_hub(variant(game)))?;
            Ok(Some(Choice { mv, score: answer.score, depth: answer.depth }))
        });
        // After a fault the engine is started again.
        self.client = self.client.take().filter(|_| choice.is_ok());
        choice
    }
}

/// Another program, played over DXP.
pub(super) struct DxpProgram {
    address: String,
    limits: Limits,
    /// The clock of a game, in minutes; 0 without one.
    minutes: u16,
    /// `None` while there is no connection.
    rival: Option<Rival>,
    /// The number of moves of the game that the program knows, and since when.
    known: (usize, Instant),
    color: Color,
}

impl DxpProgram {
    /// Connects to `address` when a game begins.
    pub(super) fn new(address: String, limits: Limits, minutes: u16) -> DxpProgram {
        let (known, color) = ((0, Instant::now()), Color::White);
        DxpProgram { address, limits, minutes, rival: None, known, color }
    }

    /// Sends the moves that the program does not know yet, and waits for its move.
    fn ask(
        &mut self,
        game: &History<Draughts>,
        patience: Duration,
        control: &Control,
    ) -> Result<Option<Move>, Fault> {
        let rival = self.rival.as_mut().ok_or(Fault::Gone)?;
        let (known, since) = self.known;
        for &mv in &game.moves()[known.min(game.moves().len())..] {
            rival.send_move(NumberedMove::new(variant(game), mv), since.elapsed())?;
        }
        let Some(mv) = rival.answer(patience, control)? else { return Ok(None) };
        self.known = (game.moves().len() + 1, Instant::now());
        legal(game, mv, Numbering::of_dxp(variant(game))).map(Some)
    }
}

impl Competitor<Draughts> for DxpProgram {
    fn begin(
        &mut self,
        opening: &History<Draughts>,
        color: Color,
        _: u64,
        control: &Control,
    ) -> Result<(), Fault> {
        let start = *opening.position();
        let start = (start != variant(opening).start()).then_some(start);
        (self.known, self.color) = ((opening.moves().len(), Instant::now()), color);
        // The program may have closed the connection.
        if let Some(mut rival) = self.rival.take()
            && rival.begin(start, color, self.minutes, control).is_ok()
        {
            self.rival = Some(rival);
            return Ok(());
        }
        let mut rival = Rival::connect(&self.address, variant(opening))?;
        rival.begin(start, color, self.minutes, control)?;
        self.rival = Some(rival);
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<Draughts>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<Draughts>>, Fault> {
        let found = self.ask(game, patience(&self.limits, clock), control);
        // After a fault a new connection is made. A game that the program has ended is not ended again.
        self.rival = self.rival.take().filter(|_| found.is_ok());
        Ok(found?.map(|mv| Choice { mv, score: Score::DRAW, depth: 0 }))
    }

    fn end(&mut self, winner: Option<Color>) {
        if let Some(rival) = &mut self.rival
            && rival.end(winner.map(|winner| winner != self.color)).is_err()
        {
            self.rival = None;
        }
    }
}

/// The variant of a game.
fn variant(game: &History<Draughts>) -> Draughts {
    game.position().game()
}

/// The legal move with these numbers; the error names the move in the numbering of the program.
fn legal(game: &History<Draughts>, mv: NumberedMove, numbering: Numbering) -> Result<Move, Fault> {
    mv.legal(game.position()).ok_or_else(|| Fault::IllegalMove(numbering.convert(mv).to_string()))
}

/// The limits of a search in Hub.
fn hub_limits(limits: &Limits, clock: Option<TimeControl>) -> hub::SearchLimits {
    hub::SearchLimits {
        depth: limits.depth.map(u64::from),
        nodes: limits.nodes,
        move_time: limits.time.map(|time| time.as_secs_f64()),
        clock: clock.map(|clock| hub::LevelClock {
            // The engine adds the increment of this move.
            time: clock.left.saturating_sub(clock.increment).as_secs_f64(),
            increment: clock.increment.as_secs_f64(),
            moves: clock.moves.unwrap_or(0).into(),
        }),
        handicap: None,
    }
}

/// The time limit for a move.
fn patience(limits: &Limits, clock: Option<TimeControl>) -> Duration {
    let times = [limits.time, clock.map(|clock| clock.left)];
    times.into_iter().flatten().min().map_or(DEFAULT_TIMEOUT, |time| time + GRACE)
}
