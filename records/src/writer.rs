use crate::{GameResult, Line, Record, game_type, marks, tags};
use damka_games::{Color, Counted, Game, Position};
use std::fmt;
use std::fmt::Write;

/// The maximum length of a line of moves, unless a single word is longer.
const WIDTH: usize = 79;

impl<G: Game> fmt::Display for Record<G> {
    /// Writes the game as PDN 3.0 or PGN, ending in a newline. A comment with `}` in it is written
    /// after `;`, and ends its line, which may be of any length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start.position;
        let game = start.game();
        for (name, unknown) in tags::ROSTER {
            write_tag(f, name, self.tags.get(name).unwrap_or(unknown))?;
        }
        write_tag(f, "Result", &self.result.to_string())?;
        if let Some(game_type) = game_type::of(game) {
            write_tag(f, "GameType", game_type)?;
        }
        if self.start != Counted::from(game.start()) {
            if start.setup().is_chess960() {
                write_tag(f, tags::VARIANT, game_type::CHESS960)?;
            }
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start.fen())?;
        }
        for (name, value) in self.tags.iter() {
            if !tags::ROSTER.iter().any(|&(tag, _)| tag == name) {
                write_tag(f, name, value)?;
            }
        }
        f.write_char('\n')?;
        let mut words = Words::default();
        let last = words.line(&self.line, start, self.first_turn());
        // A result that could be read as a move is written only in the tag.
        let is_move = self.result.as_move(&last).is_some();
        let end = if is_move { GameResult::Unknown } else { self.result };
        words.push(&end.to_string());
        words.wrap(f)
    }
}

impl<G: Game> Record<G> {
    /// The variations of each move of the main line, in the notation of the game, each in one line.
    pub fn variations(&self) -> Vec<Vec<String>> {
        let mut position = self.start.position;
        let mut turn = self.first_turn();
        let mut all = Vec::with_capacity(self.line.plies.len());
        for ply in &self.line.plies {
            let text = |variation| {
                let mut words = Words::default();
                words.line(variation, position, turn);
                words.in_one_line()
            };
            all.push(ply.variations.iter().map(text).collect());
            turn = turn.after(position.turn());
            position = position.play(ply.mv);
        }
        all
    }

    /// The number of the first move, and the side that moves first in the game.
    fn first_turn(&self) -> Turn {
        let first = self.start.position.game().start().turn();
        // PGN continues the move numbers of the FEN; some programs write 0 for the first.
        let number = self.start.counters.map_or(1, |counters| counters.fullmove_number.max(1));
        Turn { number: number.into(), first }
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Counts moves in pairs of plies, beginning with the side that moves first in a game.
#[derive(Clone, Copy)]
struct Turn {
    number: usize,
    first: Color,
}

impl Turn {
    /// After a move of this side.
    fn after(self, moved: Color) -> Turn {
        Turn { number: self.number + usize::from(moved != self.first), ..self }
    }
}

/// A part of the moves that is not broken across lines.
struct Word {
    text: String,
    /// Whether it is a comment that extends to the end of the line.
    ends_line: bool,
}

/// The words of the text, separated by spaces or line ends.
#[derive(Default)]
struct Words(Vec<Word>);

impl Words {
    fn push(&mut self, text: &str) {
        self.0.push(Word { text: text.to_owned(), ends_line: false });
    }

    /// Writes a line that starts from `position` with this move number. Returns the position at its
    /// end.
    fn line<G: Game>(
        &mut self,
        line: &Line<G>,
        mut position: G::Position,
        mut turn: Turn,
    ) -> G::Position {
        self.comments(&line.comments);
        let mut interrupted = true;
        for ply in &line.plies {
            let second = position.turn() != turn.first;
            let number = match second {
                false => format!("{}. ", turn.number),
                true if interrupted => format!("{}... ", turn.number),
                true => String::new(),
            };
            let (mark, nags) = match ply.nags.split_first() {
                Some((&nag, rest)) if marks::mark(nag).is_some() => (marks::mark(nag), rest),
                _ => (None, &ply.nags[..]),
            };
            let mv = position.format_move(ply.mv);
            self.push(&format!("{number}{mv}{}", mark.unwrap_or_default()));
            for nag in nags {
                self.push(&format!("${nag}"));
            }
            self.comments(&ply.comments);
            for variation in &ply.variations {
                self.variation(variation, position, turn);
            }
            // The number is not repeated after comments: it is redundant, and pydraughts cannot
            // read it.
            interrupted = !ply.variations.is_empty();
            turn = turn.after(position.turn());
            position = position.play(ply.mv);
        }
        position
    }

    fn variation<G: Game>(&mut self, variation: &Line<G>, position: G::Position, turn: Turn) {
        let first = self.0.len();
        self.line(variation, position, turn);
        match self.0.get_mut(first) {
            Some(word) => word.text.insert(0, '('),
            None => self.push("("),
        }
        match self.0.last_mut() {
            Some(word) if !word.ends_line => word.text.push(')'),
            _ => self.push(")"),
        }
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
            match comment.contains('}') {
                true => self.0.push(Word { text: format!("; {comment}"), ends_line: true }),
                false => format!("{{{comment}}}").split(' ').for_each(|word| self.push(word)),
            }
        }
    }

    /// The words in one line. Comments after `;`, which would extend to its end, are put in braces.
    fn in_one_line(&self) -> String {
        let text = |word: &Word| match word.ends_line {
            true => format!("{{{}}}", word.text.trim_start_matches("; ").replace('}', ")")),
            false => word.text.clone(),
        };
        self.0.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    /// Writes the words in lines.
    fn wrap(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut column = 0;
        let mut ends_line = false;
        for Word { text, ends_line: last } in &self.0 {
            let length = text.chars().count();
            // Readers skip a line that begins with `%`, and some take one that begins with a
            // bracket for a tag.
            let wrap = column + 1 + length > WIDTH && !text.starts_with(['%', '[']);
            if column > 0 && (wrap || ends_line) {
                f.write_char('\n')?;
                column = 0;
            } else if column > 0 {
                f.write_char(' ')?;
                column += 1;
            }
            f.write_str(text)?;
            column += length;
            ends_line = *last;
        }
        f.write_char('\n')
    }
}
