//! Loading and saving games.

use super::session::Session;
use super::walk::Walk;
use damka_engine::Playable;
use damka_games::{Color, Position, printable};
use damka_records::{self as records, Record};
use damka_system::{read_whole, write_atomically};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

impl<G: Playable> Session<G> {
    /// Loads a game from a file: `FILE`, or `FILE N`. The person then moves for both sides.
    pub(super) fn load(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return writeln!(
                self.out,
                "From where? Say: load FILE, or load FILE N for its N-th game"
            );
        }
        match self.read(text) {
            Ok((number, record)) => {
                let [white, black] =
                    ["White", "Black"].map(|name| record.tags.get(name).unwrap_or("?").to_owned());
                let players = printable(&format!("{white} - {black}, {}", record.result));
                self.set_walk(Walk::of(record));
                (self.person, self.is_loaded, self.viewer) = (None, true, Color::White);
                self.stop_clocks();
                writeln!(
                    self.out,
                    "Game {number}: {players}. You move for both sides; `forward` follows the game.\n"
                )?;
                self.show_board()
            }
            Err(error) => writeln!(self.out, "{}.", printable(&error)),
        }
    }

    /// Reads the requested game; returns its number with it.
    fn read(&self, text: &str) -> Result<(usize, Record<G>), String> {
        let numbered = text
            .rsplit_once(char::is_whitespace)
            .and_then(|(path, number)| Some((path.trim(), number.parse::<usize>().ok()?)));
        let (path, number) = numbered.filter(|_| !Path::new(text).exists()).unwrap_or((text, 1));
        if number == 0 {
            return Err("games are numbered from 1".to_owned());
        }
        let bytes = read_whole(Path::new(path)).map_err(|error| format!("{path}: {error}"))?;
        let text = records::decode(&bytes);
        let mut games = records::read(self.walk.position().game(), &text);
        let mut read = 0;
        loop {
            match games.next() {
                Some(Ok(record)) if read + 1 == number => return Ok((number, record)),
                Some(Err(error)) if read + 1 == number => return Err(format!("{path}: {error}")),
                Some(_) => read += 1,
                None if read == 0 => return Err(format!("{path}: there is no game in it")),
                None => return Err(format!("{path}: the last game in it is number {read}")),
            }
        }
    }

    /// Saves the game. Overwrites only a file that it was saved to before.
    pub(super) fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "Where to? Say: save FILE");
        }
        let (path, shown) = (Path::new(path), printable(path));
        if self.saved.as_deref() != Some(path) && path.exists() {
            return writeln!(self.out, "{shown} is there already: choose another.");
        }
        match write_atomically(path, self.record().to_string().as_bytes()) {
            Ok(()) => {
                self.saved = Some(path.to_owned());
                writeln!(self.out, "Saved in {shown}.")
            }
            Err(error) => writeln!(self.out, "{shown} cannot be written: {error}."),
        }
    }

    /// The game as a record.
    fn record(&self) -> Record<G> {
        let mut record = self.walk.record();
        if !self.is_loaded {
            let person = "A person";
            let [white, black] = match self.person {
                None => [person; 2],
                Some(Color::White) => [person, "damka"],
                Some(Color::Black) => ["damka", person],
            };
            record.tags.set("Event", "A game in the terminal");
            record.tags.set("Date", &date(self.started));
            record.tags.set("White", white);
            record.tags.set("Black", black);
        }
        record
    }
}

/// The date in UTC, as in records: `2026.11.24`.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    // Years begin in March here, so that a leap day is the last of its year: H. Hinnant,
    // "chrono-compatible low-level date algorithms".
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + next_year)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Expected values from `date -u`.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_798_761_599, "2026.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
