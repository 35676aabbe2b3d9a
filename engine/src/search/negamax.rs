use super::MAX_PLY;
use super::order::{Candidate, MovePicker};
use super::window::Window;
use super::worker::{Worker, score_without_moves};
use crate::history::State;
use crate::score::Score;
use crate::searchable::Searchable;
use crate::transposition::Entry;
use damka_games::{MoveList, Position};

/// ProbCut: the minimum depth, the reduction of the shallow search in plies, and how far its score
/// must lie outside the window, in hundredths of a man.
const PROBCUT_MIN_DEPTH: i32 = 6;
const PROBCUT_REDUCTION: i32 = 4;
const PROBCUT_MARGIN: i32 = 60;

/// Reverse futility pruning: the greatest depth, the margin above beta for each ply of depth, and by
/// how much it is smaller if the evaluation is improving, in hundredths of a man.
const REVERSE_FUTILITY_MAX_DEPTH: i32 = 8;
const REVERSE_FUTILITY_MARGIN: i32 = 70;
const REVERSE_FUTILITY_IMPROVING: i32 = 60;

/// Pruning of late moves: the maximum depth, and the most that a quiet move is expected to gain, in
/// hundredths of a man: a part for each ply of depth, and a fixed part.
const FUTILITY_MAX_DEPTH: i32 = 8;
const FUTILITY_MARGIN: i32 = 80;
const FUTILITY_BASE_MARGIN: i32 = 100;

/// SEE pruning in a selective search: the most that a late quiet move may lose in an exchange, in
/// hundredths of a man: a part for each ply of depth, and a fixed part.
const QUIET_LOSS: i32 = 50;
const BASE_QUIET_LOSS: i32 = 10;

/// An analysis prunes nothing at fewer plies than this from the root, so that short wins are found early.
const FULL_WIDTH_PLIES: u16 = 4;

/// A node whose moves are searched.
#[derive(Clone, Copy)]
struct Node<'a, G: Searchable> {
    state: &'a State<G>,
    /// The legal moves; at the root, those to choose from.
    moves: &'a [G::Move],
    /// The remaining depth, in plies.
    depth: i32,
    /// The distance from the root, in plies.
    ply: u16,
    /// The index in `moves` of the transposition table move.
    tt_move: Option<u8>,
    /// The static evaluation, only at null-window nodes where no reply is forced and no win or
    /// loss is uncertain.
    static_eval: Option<Score>,
    /// Whether the static evaluation is better than two plies ago, or one of them is missing.
    is_improving: bool,
}

impl<G: Searchable> Worker<'_, '_, G> {
    /// Searches the root moves that are not excluded.
    pub(super) fn search_root(&mut self, depth: i32, window: Window) -> Score {
        let root = self.root;
        let moves = self.shared.root_moves.iter().copied();
        let moves: MoveList<_> =
            moves.filter(|mv| !self.excluded_root_moves.contains(mv)).collect();
        let tt_move = self.root_pv_move(&moves);
        let node = Node {
            state: &root,
            moves: &moves,
            depth,
            ply: 0,
            tt_move,
            static_eval: None,
            is_improving: true,
        };
        self.search_moves(node, window)
    }

    /// Searches a position `ply` plies from the root (fail-soft): the score for the side to move, a
    /// bound if it is not inside the window.
    fn search(&mut self, state: &State<G>, depth: i32, window: Window, ply: u16) -> Score {
        let depth = depth + i32::from(G::IS_SELECTIVE && state.is_forced);
        // A leaf where a capture threatens is searched one more ply. Its successors have depth -1 and
        // are always leaves, except that the successor of a single legal move still has depth 0.
        let is_leaf = depth < 0 || depth == 0 && !is_threatened_leaf(state);
        if is_leaf || ply >= MAX_PLY {
            return self.quiesce(state, window, ply);
        }
        if self.enter_node(ply) {
            return Score::DRAW;
        }
        if self.is_draw(state) {
            return Score::DRAW;
        }
        // Mate distance pruning: at best the next move wins, at worst the game is lost already.
        let window = Window {
            alpha: window.alpha.max(-Score::won_in(ply)),
            beta: window.beta.min(Score::won_in(ply + 1)),
            ..window
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let entry = self.shared.transposition_table.get(state.key, ply);
        if let Some(score) = self.tt_cutoff(entry, state, depth, window) {
            return score;
        }
        if let Some(score) = self.probe_tables(state, ply, false) {
            return score;
        }
        let tt_move = entry.and_then(|entry| entry.best_move);
        // Internal iterative reduction: a ply shallower without a transposition table move.
        let depth = depth - i32::from(tt_move.is_none() && depth >= 4);
        // Scores of uncertain wins cannot be compared with evaluations.
        let is_full = self.shared.limits.is_analysis && ply < FULL_WIDTH_PLIES;
        let may_prune =
            !window.is_open() && !state.is_forced && !self.shared.is_uncertain && !is_full;
        let static_eval = may_prune.then(|| self.evaluate(state, ply));
        self.static_evals[usize::from(ply)] = static_eval;
        let is_improving = self.is_improving(ply);
        let node = Node { state, moves: &[], depth, ply, tt_move, static_eval, is_improving };
        // A selective search does not use ProbCut, so pruning needs no moves.
        if G::IS_SELECTIVE
            && let Some(score) = self.prune(node, window)
        {
            return score;
        }
        let moves = state.position.moves();
        if moves.is_empty() {
            return score_without_moves::<G>(&state.position, ply);
        }
        let node = Node { moves: &moves, ..node };
        if !G::IS_SELECTIVE
            && let Some(score) = self.prune(node, window)
        {
            return score;
        }
        self.search_moves(node, window)
    }

    /// Principal variation search of the moves of a node, the transposition table move first.
    fn search_moves(&mut self, node: Node<G>, window: Window) -> Score {
        let Node { state, moves, depth, ply, is_improving, .. } = node;
        let Window { mut alpha, beta, .. } = window;
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut searched: MoveList<u8> = MoveList::new();
        let mut picker = MovePicker::new(&state.position, moves, node.tt_move, ply);
        // A single legal move is extended by a ply, up to a limit so that lines end.
        let next_depth = match moves.len() == 1 && ply < 2 * depth as u16 + 20 && ply > 0 {
            true => depth,
            false => depth - 1,
        };
        let may_reduce = depth >= 3 && !state.is_forced;
        let may_prune_moves = (1..=FUTILITY_MAX_DEPTH).contains(&depth)
            && node.static_eval.is_some()
            && (!G::IS_SELECTIVE || G::allows_null_move(&state.position));
        while let Some(candidate) = picker.next(&self.move_history) {
            let mv = moves[usize::from(candidate.index())];
            let is_first = searched.is_empty();
            // No move is pruned before one is known not to lose, or if only a quicker win could
            // raise alpha.
            let may_prune_moves =
                may_prune_moves && !is_first && !best_score.is_loss() && !alpha.is_win();
            let count = searched.len() as i32;
            if may_prune_moves && exceeds_move_count::<G>(candidate, depth, count, is_improving) {
                // All moves that follow are late, too.
                break;
            }
            let is_futile = may_prune_moves && is_futile(candidate, &node, alpha);
            if is_futile && !G::forces_reply(&state.position, mv) {
                continue;
            }
            let after = state.after(mv, |key| self.prefetch(key));
            self.keys.push(after.key);
            self.move_history.play(&state.position, mv, ply);
            let mut score;
            if is_first {
                score = -self.search(&after, next_depth, window.flipped(), ply + 1);
            } else {
                let reduction = match may_reduce && candidate.is_late() && searched.len() >= 2 {
                    true if G::IS_SELECTIVE => {
                        let reduction = self.reduction(depth, searched.len(), window.is_open());
                        let less = i32::from(after.is_forced) + candidate.history();
                        let more = i32::from(!is_improving) + i32::from(window.is_cut_node);
                        (reduction + more - less).clamp(0, next_depth - 1)
                    }
                    true => self.reduction(depth, searched.len(), window.is_open()),
                    false => 0,
                };
                let null_window = Window::null(alpha).flipped();
                score = -self.search(&after, next_depth - reduction, null_window, ply + 1);
                if score > alpha && reduction > 0 {
                    score = -self.search(&after, next_depth, null_window, ply + 1);
                }
                if score > alpha && score < beta {
                    let window = Window::open(alpha, beta).flipped();
                    score = -self.search(&after, next_depth, window, ply + 1);
                }
            }
            self.keys.pop();
            if self.is_stopped {
                return best_score;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(candidate.index());
                    self.update_pv(mv, ply);
                }
            }
            if alpha >= beta {
                let index = candidate.index();
                self.move_history.update(&state.position, moves, index, &searched, ply, depth);
                break;
            }
            searched.push(candidate.index());
        }
        let bound = window.bound(best_score);
        // Indices of root moves do not fit the list of legal moves if only some are searched.
        if ply > 0 {
            let depth = depth.clamp(0, u8::MAX.into()) as u8;
            self.shared.transposition_table.put(
                state.key,
                ply,
                Entry { score: best_score, bound, depth, best_move },
            );
        }
        best_score
    }

    /// The index of the best root move so far.
    fn root_pv_move(&self, moves: &[G::Move]) -> Option<u8> {
        let best = self.pv[0].first()?;
        moves.iter().position(|mv| mv == best).map(|index| index as u8)
    }

    /// Pruning of a whole node: reverse futility, ProbCut and null move. Returns its score if it
    /// can be cut off.
    fn prune(&mut self, node: Node<G>, window: Window) -> Option<Score> {
        let Node { state, depth, ply, .. } = node;
        let beta = window.beta;
        let score = node.static_eval?;
        if beta.is_win() || beta.is_loss() {
            return None;
        }
        let position = &state.position;
        let is_quiet = || !G::is_threatened(position);
        let improving = if node.is_improving { REVERSE_FUTILITY_IMPROVING } else { 0 };
        if depth <= REVERSE_FUTILITY_MAX_DEPTH
            && score >= beta.shifted(REVERSE_FUTILITY_MARGIN * depth - improving)
            && is_quiet()
        {
            return Some(score);
        }
        if !G::IS_SELECTIVE && depth >= PROBCUT_MIN_DEPTH && !self.in_probcut && is_quiet() {
            let above = beta.shifted(PROBCUT_MARGIN);
            let below = beta.shifted(-1 - PROBCUT_MARGIN);
            let score = self.probcut_search(node, above.shifted(-1));
            if score >= above || self.is_stopped {
                // A win found at any depth is a win.
                return Some(if score.is_win() { score } else { score.shifted(-PROBCUT_MARGIN) });
            }
            let score = self.probcut_search(node, below);
            if score <= below && !score.is_loss() || self.is_stopped {
                return Some(score.shifted(PROBCUT_MARGIN));
            }
        }
        // Null move pruning: if passing fails high, some move will.
        if depth >= 3 && score >= beta && G::allows_null_move(position) {
            let after = state.after_null_move();
            self.move_history.pass(ply);
            self.prefetch(after.key);
            self.keys.push(after.key);
            let above = (score.hundredths() - beta.hundredths()) / 200;
            let more = if G::IS_SELECTIVE { above.min(3) } else { 0 };
            let depth = depth - 3 - depth / 4 - more;
            let score = -self.search(&after, depth, window.flipped(), ply + 1);
            self.keys.pop();
            if score >= beta && !self.is_stopped && !score.is_win() {
                return Some(score);
            }
        }
        None
    }

    /// The shallow search of ProbCut, with a null window above `alpha`: a score far outside the
    /// window predicts that the full search will fail high or low. M. Buro, "ProbCut: an effective
    /// selective extension of the alpha-beta algorithm", 1995.
    fn probcut_search(&mut self, node: Node<G>, alpha: Score) -> Score {
        let Node { state, ply, .. } = node;
        let depth = node.depth - PROBCUT_REDUCTION;
        let null_window = Window::null(alpha);
        let entry = self.shared.transposition_table.get(state.key, ply);
        match entry {
            Some(entry) if i32::from(entry.depth) >= depth && null_window.is_decided_by(entry) => {
                entry.score
            }
            _ => {
                let tt_move = entry.and_then(|entry| entry.best_move);
                // ProbCut within ProbCut would overlook sacrifices that pay off later.
                self.in_probcut = true;
                let score = self.search_moves(Node { depth, tt_move, ..node }, null_window);
                self.in_probcut = false;
                score
            }
        }
    }

    /// Whether the static evaluation at `ply` is better than two plies before, or one of them is
    /// missing.
    #[inline]
    fn is_improving(&self, ply: u16) -> bool {
        let ply = usize::from(ply);
        let before = ply.checked_sub(2).and_then(|ply| self.static_evals[ply]);
        match (self.static_evals[ply], before) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// The reduction of a late move, in plies: at least 1.
    #[inline]
    fn reduction(&self, depth: i32, searched: usize, is_open: bool) -> i32 {
        let reduction = self.shared.reductions[depth.min(63) as usize][searched.min(63)];
        (i32::from(reduction) - i32::from(is_open)).max(1)
    }
}

/// Whether a position at depth 0 is not quiet although no reply is forced: a capture threatens. In a
/// selective search exchanges are left to the quiescence search.
#[inline]
fn is_threatened_leaf<G: Searchable>(state: &State<G>) -> bool {
    !G::IS_SELECTIVE && !state.is_forced && G::is_threatened(&state.position)
}

/// Late move pruning: whether so many moves have been searched that this late one, and all that
/// follow it, are left out.
#[inline]
fn exceeds_move_count<G: Searchable>(
    candidate: Candidate,
    depth: i32,
    searched: i32,
    is_improving: bool,
) -> bool {
    let limit = (3 + depth * depth) / if G::IS_SELECTIVE && !is_improving { 2 } else { 1 };
    candidate.is_late() && searched >= limit
}

/// Futility and SEE pruning: whether a late move would have to gain more than the futility margin,
/// or loses too much in an exchange.
#[inline]
fn is_futile<G: Searchable>(candidate: Candidate, node: &Node<G>, alpha: Score) -> bool {
    let margin = FUTILITY_MARGIN * node.depth;
    let is_eval_too_low =
        node.static_eval.is_some_and(|score| score.shifted(FUTILITY_BASE_MARGIN + margin) <= alpha);
    let loses = || match candidate.loss() {
        0 => {
            let mv = node.moves[usize::from(candidate.index())];
            let position = &node.state.position;
            G::exchange_loss(position, mv) > QUIET_LOSS * node.depth + BASE_QUIET_LOSS
        }
        loss => loss > margin,
    };
    candidate.is_late() && (is_eval_too_low || loses())
}
