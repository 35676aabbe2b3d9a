use super::MAX_PLY;
use super::order::{Choice, Order};
use super::window::Window;
use super::worker::{Worker, stuck};
use crate::history::State;
use crate::score::Score;
use crate::searchable::Searchable;
use crate::transposition::{Bound, Found};
use damka_games::{MoveList, Position};

/// From which depth a shallower search probes first, by how many plies, and how far beyond
/// the bounds its score must be, in hundredths of a man.
const PROBE_FROM: i32 = 6;
const PROBE_LESS: i32 = 4;
const PROBE_MARGIN: i32 = 60;

/// To which depth, in plies, a position that is better than beta by so much for each ply is
/// believed to be.
const MARGIN_TO: i32 = 5;
const MARGIN: i32 = 60;

/// To which depth a selective search leaves out moves, and what it expects a quiet one to win,
/// at most, in hundredths of a man: for each ply, and beside that.
const SELECTIVE_TO: i32 = 8;
const HOPE: i32 = 80;
const FIRST_HOPE: i32 = 100;

/// A position whose moves are searched.
#[derive(Clone, Copy)]
struct Node<'a, G: Searchable> {
    state: &'a State<G>,
    /// The moves to choose from.
    moves: &'a [G::Move],
    /// How deep it is searched, and how far from the root it is, in plies.
    depth: i32,
    ply: u16,
    /// The place of the best move known.
    best: Option<u8>,
    /// What the evaluation says, if it matters: where no answer is forced, and only a bound of
    /// the score is of interest.
    evaluation: Option<Score>,
}

impl<G: Searchable> Worker<'_, '_, G> {
    pub(super) fn search_root(&mut self, depth: i32, window: Window) -> Score {
        let root = self.root;
        let moves = self.shared.moves.iter().copied();
        let moves: MoveList<_> = moves.filter(|mv| !self.excluded.contains(mv)).collect();
        let best = self.first_at_root(&moves);
        let node = Node { state: &root, moves: &moves, depth, ply: 0, best, evaluation: None };
        self.search_moves(node, window)
    }

    /// What a position `ply` plies from the root is worth to the side to move, as far as
    /// that is between the bounds.
    fn search(&mut self, state: &State<G>, depth: i32, window: Window, ply: u16) -> Score {
        let depth = depth + i32::from(G::IS_SELECTIVE && state.is_forced);
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
            && window.is_settled(found)
            && !self.shared.is_doubtful
            && !G::is_draw_near(&state.counters)
        {
            return found.score;
        }
        if let Some(score) = self.look_up(state, ply, false) {
            return score;
        }
        let best = known.and_then(|found| found.best);
        // Where nothing is known of the moves it takes longer to find out: a ply less will do.
        let depth = depth - i32::from(G::IS_SELECTIVE && best.is_none() && depth >= 4);
        // What is won perhaps is not to be measured with what is not.
        let is_calm = !window.is_wide() && !state.is_forced && !self.shared.is_doubtful;
        let evaluation = is_calm.then(|| self.evaluate(state));
        self.evaluations[usize::from(ply)] = evaluation;
        let node = Node { state, moves: &[], depth, ply, best, evaluation };
        // Without probes this does without moves.
        if G::IS_SELECTIVE
            && let Some(score) = self.prune(node, window.beta)
        {
            return score;
        }
        let moves = state.position.moves();
        if moves.is_empty() {
            return stuck::<G>(&state.position, ply);
        }
        let node = Node { moves: &moves, ..node };
        if !G::IS_SELECTIVE
            && let Some(score) = self.prune(node, window.beta)
        {
            return score;
        }
        self.search_moves(node, window)
    }

    /// Tries the moves of a position, the best one known first.
    fn search_moves(&mut self, node: Node<G>, window: Window) -> Score {
        let Node { state, moves, depth, ply, .. } = node;
        let Window { mut alpha, beta } = window;
        let mut least = -Score::INFINITE;
        let mut found = None;
        let mut tried: MoveList<u8> = MoveList::new();
        let mut order = Order::new(&state.position, moves, node.best, ply);
        // A forced move costs no depth, but lines must end.
        let next_depth = match moves.len() == 1 && ply < 2 * depth as u16 + 20 && ply > 0 {
            true => depth,
            false => depth - 1,
        };
        let may_reduce = depth >= 3 && !state.is_forced;
        let may_leave_out = G::IS_SELECTIVE
            && depth <= SELECTIVE_TO
            && node.evaluation.is_some()
            && G::may_pass(&state.position);
        let is_improving = self.is_improving(&node);
        while let Some(choice) = order.next(&self.experience) {
            let mv = moves[usize::from(choice.place())];
            let is_first = tried.is_empty();
            let may_leave_out = may_leave_out && !is_first && !least.is_loss();
            if may_leave_out && is_too_late(choice, depth, tried.len(), is_improving) {
                // So are all that follow.
                break;
            }
            let is_hopeless = may_leave_out && is_hopeless(choice, &node, alpha);
            if is_hopeless && !G::forces(&state.position, mv) {
                continue;
            }
            let after = state.after(mv, |key| self.prefetch(key));
            self.keys.push(after.key);
            let mut score;
            if is_first {
                let window = Window { alpha, beta }.flipped();
                score = -self.search(&after, next_depth, window, ply + 1);
            } else {
                let reduction = match may_reduce && choice.is_late() && tried.len() >= 2 {
                    true if G::IS_SELECTIVE => {
                        let reduction = self.reduction(depth, tried.len(), window.is_wide());
                        let less = i32::from(after.is_forced) + choice.history();
                        let more = i32::from(!is_improving);
                        (reduction + more - less).clamp(0, next_depth - 1)
                    }
                    true => self.reduction(depth, tried.len(), window.is_wide()),
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
                    found = Some(choice.place());
                    self.extend_line(mv, ply);
                }
            }
            if alpha >= beta {
                let place = choice.place();
                self.experience.learn(&state.position, moves, place, &tried, ply, depth);
                break;
            }
            tried.push(choice.place());
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

    /// Whether a position is so good or so bad that it need not be searched as deep.
    fn prune(&mut self, node: Node<G>, beta: Score) -> Option<Score> {
        let Node { state, depth, ply, .. } = node;
        let score = node.evaluation?;
        if beta.is_win() || beta.is_loss() {
            return None;
        }
        let position = &state.position;
        let is_calm = || !G::is_threatened(position);
        if depth <= MARGIN_TO && score >= beta.shifted(MARGIN * depth) && is_calm() {
            return Some(score);
        }
        if !G::IS_SELECTIVE && depth >= PROBE_FROM && !self.is_probing && is_calm() {
            let above = beta.shifted(PROBE_MARGIN);
            let below = beta.shifted(-1 - PROBE_MARGIN);
            let score = self.probe(node, above.shifted(-1));
            if score >= above || self.is_over {
                // A win is a win, however deep it was searched.
                return Some(if score.is_win() { score } else { score.shifted(-PROBE_MARGIN) });
            }
            let score = self.probe(node, below);
            if score <= below && !score.is_loss() || self.is_over {
                return Some(score.shifted(PROBE_MARGIN));
            }
        }
        // If passing is good enough, some move will be.
        if depth >= 3 && score >= beta && G::may_pass(position) {
            let passed = State::passed(state);
            self.prefetch(passed.key);
            self.keys.push(passed.key);
            let above = (score.hundredths() - beta.hundredths()) / 200;
            let more = if G::IS_SELECTIVE { above.min(3) } else { 0 };
            let depth = depth - 3 - depth / 4 - more;
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
    fn probe(&mut self, node: Node<G>, alpha: Score) -> Score {
        let Node { state, ply, .. } = node;
        let depth = node.depth - PROBE_LESS;
        let test = Window::test(alpha);
        let known = self.shared.found.get(state.key, ply);
        match known {
            Some(found) if i32::from(found.depth) >= depth && test.is_settled(found) => found.score,
            _ => {
                let best = known.and_then(|found| found.best);
                // Probes in probes would overlook what is given up now to win later.
                self.is_probing = true;
                let score = self.search_moves(Node { depth, best, ..node }, test);
                self.is_probing = false;
                score
            }
        }
    }

    /// Whether the side to move stands better than two plies before.
    #[inline]
    fn is_improving(&self, node: &Node<G>) -> bool {
        let before = usize::from(node.ply).checked_sub(2).and_then(|ply| self.evaluations[ply]);
        match (node.evaluation, before) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// By how many plies less a late quiet move is searched.
    #[inline]
    fn reduction(&self, depth: i32, tried: usize, is_wide: bool) -> i32 {
        let reduction = self.reductions[depth.min(63) as usize][tried.min(63)];
        (i32::from(reduction) - i32::from(is_wide)).max(1)
    }
}

/// Whether a late move comes so late that others will hardly do worse.
#[inline]
fn is_too_late(choice: Choice, depth: i32, tried: usize, is_improving: bool) -> bool {
    let enough = (3 + depth * depth) / if is_improving { 1 } else { 2 };
    choice.is_late() && tried as i32 >= enough
}

/// Whether a move would have to win more than can be hoped for, or loses too much at once.
#[inline]
fn is_hopeless<G: Searchable>(choice: Choice, node: &Node<G>, alpha: Score) -> bool {
    let hope = HOPE * node.depth;
    let is_out_of_reach =
        node.evaluation.is_some_and(|score| score.shifted(FIRST_HOPE + hope) <= alpha);
    choice.is_late() && (choice.loss() > hope || is_out_of_reach)
}
