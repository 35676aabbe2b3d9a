use super::order::MoveHistory;
use super::window::Window;
use super::worker::Worker;
use super::{MAX_PLY, Report, Variation};
use crate::score::Score;
use crate::searchable::Searchable;

/// The initial aspiration window extends this far above and below the score of the previous
/// depth, in hundredths of a man.
const ASPIRATION_MARGIN: i32 = 15;

impl<G: Searchable> Worker<'_, '_, G> {
    /// Iterative deepening: searches depth after depth and reports the result of each. Returns the
    /// move history, for the next search.
    pub(super) fn deepen(mut self, report: &mut dyn FnMut(&Report<G>)) -> MoveHistory<G> {
        let mut best = Report::initial(&self.shared.root_moves);
        let max_depth = self.shared.limits.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY);
        // Every other thread starts a ply deeper, so that the threads do not repeat each other.
        for depth in (1 + self.thread as u16 % 2).min(max_depth)..=max_depth {
            let Some(score) = self.aspiration_search(depth, best.score) else {
                // The depth is incomplete, but a move that replaced the best one is better. With
                // several lines, only those of one completed depth are reported.
                let is_better = self.pv[0].first() != best.pv.first();
                if self.shared.multi_pv == 1 && is_better && !self.pv[0].is_empty() {
                    best.pv.clone_from(&self.pv[0]);
                    self.flush_counters();
                    report(&best);
                }
                break;
            };
            let is_new_best = self.pv[0].first() != best.pv.first();
            best.depth = depth;
            best.score = score;
            if !self.pv[0].is_empty() {
                best.pv.clone_from(&self.pv[0]);
            }
            if self.shared.multi_pv > 1 && !self.search_other_lines(&mut best) {
                break;
            }
            best.selective_depth = self.selective_depth;
            self.flush_counters();
            report(&best);
            self.has_completed_depth = true;
            // A win or loss within the searched depth is proved; a deeper search seldom finds a quicker
            // win that pruning has hidden.
            let is_decided = |score: Score| score.plies().is_some_and(|plies| plies <= depth);
            let is_final = is_decided(best.score)
                && best.other_lines.iter().all(|line| is_decided(line.score));
            if let ([_], Some(clock)) = (&self.shared.root_moves[..], &mut self.clock)
                && self.shared.limits.plays_only_move_at_once()
            {
                clock.expire();
            }
            let scale = if is_new_best { 1.5 } else { 1.0 };
            let is_out_of_time = self.clock.as_mut().is_some_and(|clock| clock.is_late(scale));
            // If tables end all lines, a depth may visit too few positions to check the limits on
            // the way, and there may be hundreds of such depths.
            self.check_limits();
            if is_final || is_out_of_time || self.is_stopped {
                break;
            }
        }
        self.flush_counters();
        self.move_history
    }

    /// MultiPV: finds the next best lines at the same depth, each by a search of the root without
    /// the first moves of the lines found so far. Returns false if stopped before all were found.
    fn search_other_lines(&mut self, best: &mut Report<G>) -> bool {
        let previous = std::mem::take(&mut best.other_lines);
        let count = self.shared.multi_pv.min(self.shared.root_moves.len());
        let mut lines = vec![Variation::new(best.score, std::mem::take(&mut best.pv))];
        while lines.len() < count {
            self.excluded_root_moves =
                lines.iter().filter_map(|line| line.moves.first().copied()).collect();
            // Start from the line of the same rank at the previous depth.
            let (score, moves) = match previous.get(lines.len() - 1) {
                Some(line) => (line.score, line.moves.clone()),
                None => (best.score, Vec::new()),
            };
            self.pv[0] = moves;
            let Some(score) = self.aspiration_search(best.depth, score) else { return false };
            lines.push(Variation::new(score, self.pv[0].clone()));
        }
        self.excluded_root_moves.clear();
        // A line searched later may have scored higher.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        let first = lines.remove(0);
        self.pv[0].clone_from(&first.moves);
        (best.score, best.pv, best.other_lines) = (first.score, first.moves, lines);
        true
    }

    /// Searches the root with an aspiration window around the score of the previous depth, and
    /// widens the window until the score lies inside. `None` if stopped.
    fn aspiration_search(&mut self, depth: u16, previous: Score) -> Option<Score> {
        let full = Window::open(-Score::INFINITE, Score::INFINITE);
        let mut window = full;
        let mut margin = ASPIRATION_MARGIN;
        if depth >= 4 && !previous.is_win() && !previous.is_loss() {
            window = Window::open(previous.shifted(-margin), previous.shifted(margin));
        }
        loop {
            let score = self.search_root(depth.into(), window);
            if self.is_stopped {
                return None;
            }
            margin *= 4;
            let widened = |to: Score, by: i32, end: Score| match margin > 1000 {
                true => end,
                false => to.shifted(by),
            };
            if score <= window.alpha {
                window.alpha = widened(score, -margin, full.alpha);
            } else if score >= window.beta {
                window.beta = widened(score, margin, full.beta);
            } else {
                return Some(score);
            }
        }
    }
}
