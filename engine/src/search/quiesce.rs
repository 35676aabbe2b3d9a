use super::MAX_PLY;
use super::order::MovePicker;
use super::window::Window;
use super::worker::{Worker, score_without_moves};
use crate::history::State;
use crate::score::Score;
use crate::searchable::Searchable;
use crate::transposition::Entry;
use damka_games::Position;

impl<G: Searchable> Worker<'_, '_, G> {
    /// Quiescence search: follows [noisy moves](Searchable::noisy_moves), and all moves where the
    /// reply is forced, until the position is quiet. A selective search uses the transposition table
    /// here, too: exchanges often lead to the same position in another order.
    pub(super) fn quiesce(&mut self, state: &State<G>, window: Window, ply: u16) -> Score {
        if self.enter_node(ply) || self.is_draw(state) {
            return Score::DRAW;
        }
        if let Some(score) = self.probe_tables(state, ply, true) {
            return score;
        }
        if G::IS_SELECTIVE {
            let entry = self.shared.transposition_table.get(state.key, ply);
            if let Some(score) = self.tt_cutoff(entry, state, 0, window) {
                return score;
            }
        }
        let Window { mut alpha, beta, .. } = window;
        let mut best_score = -Score::INFINITE;
        let may_stand_pat = !state.is_forced;
        if may_stand_pat && G::IS_SELECTIVE {
            best_score = self.evaluate(state, ply);
            if best_score >= beta {
                return best_score;
            }
        }
        let moves = match may_stand_pat {
            true => G::noisy_moves(&state.position),
            false => Some(state.position.moves()).filter(|moves| !moves.is_empty()),
        };
        let Some(moves) = moves else { return score_without_moves::<G>(&state.position, ply) };
        if ply >= MAX_PLY {
            return self.evaluate(state, ply);
        }
        if may_stand_pat && !G::IS_SELECTIVE {
            best_score = self.evaluate(state, ply);
            if best_score >= beta {
                return best_score;
            }
        }
        let static_eval = may_stand_pat.then_some(best_score);
        alpha = alpha.max(best_score);
        let mut picker = MovePicker::new(&state.position, &moves, None, ply);
        loop {
            let candidate = match may_stand_pat {
                true => picker.next_without_see(&self.move_history),
                false => picker.next(&self.move_history),
            };
            let Some(candidate) = candidate else { break };
            let mv = moves[usize::from(candidate.index())];
            // A noisy move that is ranked late loses material, and so do all that follow.
            if may_stand_pat && candidate.is_late() {
                break;
            }
            // Delta pruning.
            let is_out_of_reach = |static_eval: Score| {
                !alpha.is_loss() && static_eval.shifted(G::max_gain(&state.position, mv)) <= alpha
            };
            if G::IS_SELECTIVE && may_stand_pat && static_eval.is_some_and(is_out_of_reach) {
                continue;
            }
            if may_stand_pat && candidate.is_noisy() && G::exchange_loss(&state.position, mv) > 0 {
                continue;
            }
            let after = state.after(mv, |key| match G::IS_SELECTIVE {
                true => self.prefetch(key),
                false => self.prefetch_evaluation(key),
            });
            self.keys.push(after.key);
            self.move_history.play(&state.position, mv, ply);
            let score = -self.quiesce(&after, Window { alpha, ..window }.flipped(), ply + 1);
            self.keys.pop();
            if self.is_stopped {
                return best_score;
            }
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                self.update_pv(mv, ply);
                if alpha >= beta {
                    break;
                }
            }
        }
        if G::IS_SELECTIVE && !best_score.is_win() && !best_score.is_loss() {
            let bound = window.bound(best_score);
            let entry = Entry { score: best_score, bound, depth: 0, best_move: None };
            self.shared.transposition_table.put(state.key, ply, entry);
        }
        best_score
    }
}
