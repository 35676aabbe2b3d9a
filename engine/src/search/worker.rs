use super::order::Experience;
use super::{Line, MAX_PLY, Report, Shared};
use crate::control::Clock;
use crate::endings::count;
use crate::history::{History, State};
use crate::score::Score;
use crate::searchable::Searchable;
use crate::transposition::{Bound, Found};
use damka_games::{MoveList, Position};
use damka_tables::Wdl;
use std::sync::atomic::Ordering;

/// How many positions a thread searches between two looks at the limits.
const SLICE: u64 = 1 << 9;

/// From which depth a shallower search probes first, by how many plies, and how far beyond
/// the bounds its score must be, in hundredths of a man.
const PROBE_FROM: i32 = 6;
const PROBE_LESS: i32 = 4;
const PROBE_MARGIN: i32 = 60;

/// How much a score may differ from that of the depth before, at first.
const WINDOW: i32 = 30;

/// One thread's search.
pub(super) struct Worker<'a, 'c, G: Searchable> {
    shared: &'a Shared<G>,
    /// The root, and the positions of the game before it.
    root: State<G>,
    /// The keys of the game and of the line being searched.
    keys: Vec<u64>,
    /// How many of them belong to the game, the root included.
    game: usize,
    experience: Experience<G>,
    /// Moves of the root that better lines begin with: they are not searched.
    excluded: Vec<G::Move>,
    /// By distance from the root: the best line from there.
    lines: Vec<Vec<G::Move>>,
    nodes: u64,
    table_hits: u64,
    longest: u16,
    is_over: bool,
    /// Within a shallow search that [probes](Worker::probe).
    is_probing: bool,
    /// Threads begin at different depths.
    number: usize,
    clock: Option<&'a mut Clock<'c>>,
}

/// The bounds between which a score is of interest.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Only whether a score is better than `alpha` is of interest.
    fn test(alpha: Score) -> Window {
        Window { alpha, beta: alpha.shifted(1) }
    }

    /// Whether there is room between the bounds.
    fn is_wide(self) -> bool {
        self.beta.hundredths() - self.alpha.hundredths() > 1
    }
}

impl<'a, 'c, G: Searchable> Worker<'a, 'c, G> {
    pub(super) fn new(
        shared: &'a Shared<G>,
        game: &History<G>,
        number: usize,
        clock: Option<&'a mut Clock<'c>>,
    ) -> Worker<'a, 'c, G> {
        let states = game.states();
        let keys: Vec<u64> = states.iter().map(|state| state.key).collect();
        Worker {
            shared,
            root: states[states.len() - 1],
            game: keys.len(),
            keys,
            experience: Experience::new(),
            excluded: Vec::new(),
            lines: vec![Vec::new(); usize::from(MAX_PLY) + 2],
            nodes: 0,
            table_hits: 0,
            longest: 0,
            is_over: false,
            is_probing: false,
            number,
            clock,
        }
    }

    /// Searches deeper and deeper, and reports what each depth has found.
    pub(super) fn deepen(mut self, report: &mut dyn FnMut(&Report<G>)) {
        let mut best = Report::first(&self.shared.moves);
        let most = self.shared.limits.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY);
        // Every other thread begins a ply deeper, so that they do not all do the same.
        for depth in (1 + self.number as u16 % 2).min(most)..=most {
            let Some(score) = self.aspire(depth, best.score) else {
                // What was better before time was over is better, though not all was tried. Of
                // several lines those of one depth are told.
                let is_better = self.lines[0].first() != best.line.first();
                if self.shared.lines == 1 && is_better && !self.lines[0].is_empty() {
                    best.line.clone_from(&self.lines[0]);
                    self.count();
                    report(&best);
                }
                break;
            };
            let changed = self.lines[0].first() != best.line.first();
            best.depth = depth;
            best.score = score;
            if !self.lines[0].is_empty() {
                best.line.clone_from(&self.lines[0]);
            }
            if self.shared.lines > 1 && !self.find_others(&mut best) {
                break;
            }
            best.longest = self.longest;
            self.count();
            report(&best);
            // A win or loss that has been searched to its end will not change.
            let is_decided = |score: Score| score.plies().is_some_and(|plies| plies <= depth);
            let is_found =
                is_decided(best.score) && best.others.iter().all(|line| is_decided(line.score));
            if let ([_], Some(clock)) = (&self.shared.moves[..], &mut self.clock)
                && self.shared.limits.spare_time()
            {
                clock.hurry();
            }
            let calm = if changed { 1.5 } else { 1.0 };
            let is_late = self.clock.as_mut().is_some_and(|clock| clock.is_late(calm));
            // A depth all of whose lines tables end may take too few positions for a look at
            // the limits on the way, and there may be hundreds of them.
            self.look_at_limits();
            if is_found || is_late || self.is_over {
                break;
            }
        }
        self.count();
    }

    /// Finds the lines behind the best one, at the same depth: each the best of the moves that
    /// those before it have left. Returns whether there was time for all of them.
    fn find_others(&mut self, best: &mut Report<G>) -> bool {
        let before = std::mem::take(&mut best.others);
        let count = self.shared.lines.min(self.shared.moves.len());
        let mut lines = vec![Line::new(best.score, std::mem::take(&mut best.line))];
        while lines.len() < count {
            self.excluded = lines.iter().filter_map(|line| line.moves.first().copied()).collect();
            // What was here at the depth before is tried first.
            let (score, moves) = match before.get(lines.len() - 1) {
                Some(line) => (line.score, line.moves.clone()),
                None => (best.score, Vec::new()),
            };
            self.lines[0] = moves;
            let Some(score) = self.aspire(best.depth, score) else { return false };
            lines.push(Line::new(score, self.lines[0].clone()));
        }
        self.excluded.clear();
        // A line that was searched later may have turned out better.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        let first = lines.remove(0);
        self.lines[0].clone_from(&first.moves);
        (best.score, best.line, best.others) = (first.score, first.moves, lines);
        true
    }

    /// Searches the root, at first between bounds near the score of the depth before.
    /// `None` if it was stopped.
    fn aspire(&mut self, depth: u16, before: Score) -> Option<Score> {
        let whole = Window { alpha: -Score::INFINITE, beta: Score::INFINITE };
        let mut window = whole;
        let mut margin = WINDOW;
        if depth >= 4 && !before.is_win() && !before.is_loss() {
            window = Window { alpha: before.shifted(-margin), beta: before.shifted(margin) };
        }
        loop {
            let score = self.search_root(depth.into(), window);
            if self.is_over {
                return None;
            }
            margin *= 4;
            let wider = |to: Score, by: i32, end: Score| match margin > 1000 {
                true => end,
                false => to.shifted(by),
            };
            if score <= window.alpha {
                window.alpha = wider(score, -margin, whole.alpha);
            } else if score >= window.beta {
                window.beta = wider(score, margin, whole.beta);
            } else {
                return Some(score);
            }
        }
    }

    fn search_root(&mut self, depth: i32, window: Window) -> Score {
        let root = self.root;
        let moves = self.shared.moves.iter().copied();
        let moves: MoveList<_> = moves.filter(|mv| !self.excluded.contains(mv)).collect();
        self.search_moves(&root, &moves, depth, window, 0, None)
    }

    /// What a position `ply` plies from the root is worth to the side to move, as far as
    /// that is between the bounds.
    fn search(&mut self, state: &State<G>, depth: i32, window: Window, ply: u16) -> Score {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(state, window, ply);
        }
        if self.enter(ply) {
            return Score::DRAW;
        }
        if self.is_draw(state) {
            return Score::DRAW;
        }
        // At best this is won with the next move, at worst it is lost already.
        let window = Window {
            alpha: window.alpha.max(-Score::won_in(ply)),
            beta: window.beta.min(Score::won_in(ply + 1)),
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let known = self.shared.found.get(state.key, ply);
        if let Some(found) = known
            && i32::from(found.depth) >= depth
            && !window.is_wide()
            && settles(found, window)
        {
            return found.score;
        }
        if let Some(score) = self.look_up(&state.position, ply) {
            return score;
        }
        let moves = state.position.moves();
        if moves.is_empty() {
            return stuck::<G>(&state.position, ply);
        }
        if !window.is_wide()
            && let Some(score) = self.prune(state, &moves, depth, window.beta, ply)
        {
            return score;
        }
        let best = known.and_then(|found| found.best);
        self.search_moves(state, &moves, depth, window, ply, best)
    }

    /// Tries the moves of a position, the best one known first.
    fn search_moves(
        &mut self,
        state: &State<G>,
        moves: &[G::Move],
        depth: i32,
        window: Window,
        ply: u16,
        best: Option<u8>,
    ) -> Score {
        let best = match ply {
            0 => self.first_at_root(moves),
            _ => best,
        };
        let Window { mut alpha, beta } = window;
        let mut least = -Score::INFINITE;
        let mut found = None;
        let mut tried: MoveList<u8> = MoveList::new();
        let mut order = self.experience.order(&state.position, moves, best, ply);
        // A forced move costs no depth, but lines must end.
        let next_depth = match moves.len() == 1 && ply < 2 * depth as u16 + 20 && ply > 0 {
            true => depth,
            false => depth - 1,
        };
        let may_reduce = depth >= 3 && !state.position.captures_only();
        while let Some((place, is_late)) = order.next() {
            let after = state.after(moves[place as usize]);
            self.keys.push(after.key);
            let mut score;
            if tried.is_empty() {
                let window = Window { alpha, beta }.flipped();
                score = -self.search(&after, next_depth, window, ply + 1);
            } else {
                let reduction = match may_reduce && is_late && tried.len() >= 2 {
                    true => reduction(depth, tried.len(), window.is_wide()),
                    false => 0,
                };
                let test = Window::test(alpha).flipped();
                score = -self.search(&after, next_depth - reduction, test, ply + 1);
                if score > alpha && reduction > 0 {
                    score = -self.search(&after, next_depth, test, ply + 1);
                }
                if score > alpha && score < beta {
                    let window = Window { alpha, beta }.flipped();
                    score = -self.search(&after, next_depth, window, ply + 1);
                }
            }
            self.keys.pop();
            if self.is_over {
                return least;
            }
            if score > least {
                least = score;
                if score > alpha {
                    alpha = score;
                    found = Some(place);
                    self.extend_line(moves[place as usize], ply);
                }
            }
            if alpha >= beta {
                self.experience.learn(&state.position, moves, place, &tried, ply, depth);
                break;
            }
            tried.push(place);
        }
        let bound = match (least >= beta, found) {
            (true, _) => Bound::Lower,
            (false, Some(_)) => Bound::Exact,
            (false, None) => Bound::Upper,
        };
        // The root's moves may be only some of the legal ones.
        if ply > 0 {
            let depth = depth.clamp(0, u8::MAX.into()) as u8;
            self.shared.found.put(
                state.key,
                ply,
                Found { score: least, bound, depth, best: found },
            );
        }
        least
    }

    /// The place of the root's best move so far.
    fn first_at_root(&self, moves: &[G::Move]) -> Option<u8> {
        let best = self.lines[0].first()?;
        moves.iter().position(|mv| mv == best).map(|place| place as u8)
    }

    /// Searches captures, and whatever else must not be left unseen, to the end.
    fn quiesce(&mut self, state: &State<G>, window: Window, ply: u16) -> Score {
        if self.enter(ply) || self.is_draw(state) {
            return Score::DRAW;
        }
        if let Some(score) = self.look_up(&state.position, ply) {
            return score;
        }
        let mut moves = state.position.moves();
        if moves.is_empty() {
            return stuck::<G>(&state.position, ply);
        }
        if ply >= MAX_PLY {
            return self.evaluate(&state.position);
        }
        let Window { mut alpha, beta } = window;
        let mut least = -Score::INFINITE;
        let forced = state.position.captures_only();
        if !forced {
            least = self.evaluate(&state.position);
            alpha = alpha.max(least);
            if alpha >= beta {
                return least;
            }
        }
        if !forced {
            moves.retain(|mv| G::is_loud(&state.position, *mv));
        }
        let mut order = self.experience.order(&state.position, &moves, None, ply);
        while let Some((place, is_late)) = order.next() {
            let mv = moves[place as usize];
            // What is loud and still comes late loses something.
            if !forced && is_late {
                break;
            }
            let after = state.after(mv);
            self.keys.push(after.key);
            let score = -self.quiesce(&after, Window { alpha, beta }.flipped(), ply + 1);
            self.keys.pop();
            if self.is_over {
                return least;
            }
            least = least.max(score);
            if score > alpha {
                alpha = score;
                self.extend_line(mv, ply);
                if alpha >= beta {
                    break;
                }
            }
        }
        least
    }

    /// Whether a position is so good or so bad that it need not be searched as deep.
    fn prune(
        &mut self,
        state: &State<G>,
        moves: &[G::Move],
        depth: i32,
        beta: Score,
        ply: u16,
    ) -> Option<Score> {
        let position = &state.position;
        if beta.is_win() || beta.is_loss() || position.captures_only() {
            return None;
        }
        let score = self.evaluate(position);
        let is_calm = || !G::is_threatened(position);
        if depth <= 5 && score >= beta.shifted(60 * depth) && is_calm() {
            return Some(score);
        }
        if depth >= PROBE_FROM && !self.is_probing && is_calm() {
            let above = beta.shifted(PROBE_MARGIN);
            let below = beta.shifted(-1 - PROBE_MARGIN);
            let score = self.probe(state, moves, depth, above.shifted(-1), ply);
            if score >= above || self.is_over {
                // A win is a win, however deep it was searched.
                return Some(if score.is_win() { score } else { score.shifted(-PROBE_MARGIN) });
            }
            let score = self.probe(state, moves, depth, below, ply);
            if score <= below && !score.is_loss() || self.is_over {
                return Some(score.shifted(PROBE_MARGIN));
            }
        }
        // If passing is good enough, some move will be.
        if depth >= 3 && score >= beta && G::may_pass(position) {
            let passed = State::passed(state);
            self.keys.push(passed.key);
            let depth = depth - 3 - depth / 4;
            let test = Window { alpha: -beta, beta: -beta.shifted(-1) };
            let score = -self.search(&passed, depth, test, ply + 1);
            self.keys.pop();
            if score >= beta && !self.is_over && !score.is_win() {
                return Some(score);
            }
        }
        None
    }

    /// Whether a shallower search finds more than `alpha`: what is far from the bounds
    /// there will be beyond them here. M. Buro, "ProbCut: an effective selective extension
    /// of the alpha-beta algorithm", 1995.
    fn probe(
        &mut self,
        state: &State<G>,
        moves: &[G::Move],
        depth: i32,
        alpha: Score,
        ply: u16,
    ) -> Score {
        let depth = depth - PROBE_LESS;
        let test = Window::test(alpha);
        let known = self.shared.found.get(state.key, ply);
        match known {
            Some(found) if i32::from(found.depth) >= depth && settles(found, test) => found.score,
            _ => {
                let best = known.and_then(|found| found.best);
                // Probes in probes would overlook what is given up now to win later.
                self.is_probing = true;
                let score = self.search_moves(state, moves, depth, test, ply, best);
                self.is_probing = false;
                score
            }
        }
    }

    /// What a position is worth without any search.
    #[inline]
    fn evaluate(&self, position: &G::Position) -> Score {
        Score::evaluation(self.shared.weights.evaluate(position))
    }

    /// Counts a position, and from time to time looks at the limits. Returns whether the
    /// search is over.
    #[inline]
    fn enter(&mut self, ply: u16) -> bool {
        self.lines[usize::from(ply)].clear();
        self.longest = self.longest.max(ply);
        self.nodes += 1;
        if self.nodes >= SLICE {
            self.look_at_limits();
        }
        self.is_over
    }

    #[cold]
    fn look_at_limits(&mut self) {
        self.count();
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        let is_enough = self.shared.limits.nodes.is_some_and(|limit| nodes >= limit);
        if is_enough || self.clock.as_mut().is_some_and(|clock| clock.is_over()) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.is_over = self.shared.stop.load(Ordering::Relaxed);
    }

    /// Adds what this thread has counted to what all have.
    fn count(&mut self) {
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
        let hits = std::mem::take(&mut self.table_hits);
        self.shared.table_hits.fetch_add(hits, Ordering::Relaxed);
    }

    /// Whether the game is drawn, or as good as drawn: a position that is repeated once
    /// can be repeated again.
    #[inline]
    fn is_draw(&self, state: &State<G>) -> bool {
        let back = usize::from(state.counters.since_conversion);
        let now = self.keys.len() - 1;
        if back >= 4 {
            let first = now.saturating_sub(back);
            let mut before = 0;
            // The same side to move, and at least two moves of each before.
            for place in (first..=now.saturating_sub(4)).rev().step_by(2) {
                if self.keys[place] == state.key {
                    before += 1;
                    // Within the search once is enough, in the game it takes two.
                    if place >= self.game || before == 2 {
                        return true;
                    }
                }
            }
        }
        G::drawn(&state.position, &state.counters).is_some()
    }

    /// What tables say, if that ends the line.
    #[inline]
    fn look_up(&mut self, position: &G::Position, ply: u16) -> Option<Score> {
        let tables = self.shared.tables.as_ref().filter(|tables| tables.has(position))?;
        let wdl = tables.decoded(position).or_else(|| {
            // Reading takes as long as many positions, and from a disk far longer.
            let wdl = tables.wdl(position);
            self.look_at_limits();
            wdl
        })?;
        self.table_hits += 1;
        match self.shared.conversion {
            Some(pieces) if wdl != Wdl::Draw => {
                let is_conversion = count::<G>(position).iter().sum::<u32>() < pieces;
                let score = is_conversion.then(|| tables.score(position, ply)).flatten();
                self.look_at_limits();
                score
            }
            _ => Some(Score::of_wdl(wdl, ply)),
        }
    }

    /// The best line from here is this move and the best line behind it.
    fn extend_line(&mut self, mv: G::Move, ply: u16) {
        let (here, behind) = self.lines.split_at_mut(usize::from(ply) + 1);
        let line = &mut here[usize::from(ply)];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&behind[0]);
    }
}

/// Whether what was found answers the question.
fn settles(found: Found, window: Window) -> bool {
    match found.bound {
        Bound::Exact => true,
        Bound::Lower => found.score >= window.beta,
        Bound::Upper => found.score <= window.alpha,
    }
}

/// What a position without legal moves is worth.
fn stuck<G: Searchable>(position: &G::Position, ply: u16) -> Score {
    match position.loses_when_stuck() {
        true => -Score::won_in(ply),
        false => Score::DRAW,
    }
}

/// By how many plies less a late quiet move is searched.
fn reduction(depth: i32, tried: usize, is_wide: bool) -> i32 {
    let reduction = 1 + i32::from(depth >= 6) + i32::from(tried >= 8) + i32::from(depth >= 12);
    (reduction - i32::from(is_wide)).max(1)
}
