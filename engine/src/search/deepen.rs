use super::window::Window;
use super::worker::Worker;
use super::{Line, MAX_PLY, Report};
use crate::score::Score;
use crate::searchable::Searchable;

/// How much a score may differ from that of the depth before, at first.
const WINDOW: i32 = 30;

impl<G: Searchable> Worker<'_, '_, G> {
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
            self.has_answer = true;
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
}
