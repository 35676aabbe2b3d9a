use super::MAX_PLY;
use super::order::Order;
use super::window::Window;
use super::worker::{Worker, stuck};
use crate::history::State;
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::Position;

impl<G: Searchable> Worker<'_, '_, G> {
    /// Searches captures, and whatever else must not be left unseen, to the end.
    pub(super) fn quiesce(&mut self, state: &State<G>, window: Window, ply: u16) -> Score {
        if self.enter(ply) || self.is_draw(state) {
            return Score::DRAW;
        }
        if let Some(score) = self.look_up(state, ply, true) {
            return score;
        }
        let Window { mut alpha, beta } = window;
        let mut least = -Score::INFINITE;
        let is_free = !state.is_forced;
        if is_free && G::IS_SELECTIVE {
            least = self.evaluate(state);
            if least >= beta {
                return least;
            }
        }
        let moves = match is_free {
            true => G::loud_moves(&state.position),
            false => Some(state.position.moves()).filter(|moves| !moves.is_empty()),
        };
        let Some(moves) = moves else { return stuck::<G>(&state.position, ply) };
        if ply >= MAX_PLY {
            return self.evaluate(state);
        }
        if is_free && !G::IS_SELECTIVE {
            least = self.evaluate(state);
            if least >= beta {
                return least;
            }
        }
        let evaluation = is_free.then_some(least);
        alpha = alpha.max(least);
        let mut order = Order::new(&state.position, &moves, None, ply);
        loop {
            let choice = match is_free {
                true => order.next_promising(&self.experience),
                false => order.next(&self.experience),
            };
            let Some(choice) = choice else { break };
            let mv = moves[usize::from(choice.place())];
            // What is loud and still comes late loses something.
            if is_free && choice.is_late() {
                break;
            }
            let is_hopeless = |least: Score| {
                !alpha.is_loss() && least.shifted(G::hope(&state.position, mv)) <= alpha
            };
            if G::IS_SELECTIVE && is_free && evaluation.is_some_and(is_hopeless) {
                continue;
            }
            if is_free && choice.is_gain() && G::loss(&state.position, mv) > 0 {
                continue;
            }
            let after = state.after(mv, |key| self.prefetch_evaluation(key));
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
}
