use crate::commands::input;
use crate::failure::Failure;
use damka_engine::{History, Playable};
use damka_matches::{Pair, Played};
use damka_records as records;
use damka_system::read_whole;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The file to which games are appended.
pub(super) struct Games<'a> {
    path: &'a Path,
    file: File,
    /// The text between the existing games and the next.
    gap: &'static str,
    /// The keys of the games that were in the file before, by their positions.
    known: HashSet<u64>,
    /// The number of games written that were in the file before.
    repeated: u64,
}

impl<'a> Games<'a> {
    /// Opens the file for appending. A file that has anything but games is refused.
    pub(super) fn open<G: Playable>(
        game: G,
        path: &'a Path,
        openings: &str,
    ) -> Result<Games<'a>, Failure> {
        let bytes = match read_whole(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read.map_err(|error| input::cannot_write(path, &error)),
        }?;
        let text = records::decode(&bytes);
        let holds_games = records::read(game, &text).next().is_none_or(|game| game.is_ok());
        let known = records::read(game, &text).flatten().map(|record| {
            let mut game = History::<G>::new(record.start);
            record.line.plies.iter().for_each(|ply| game.play(ply.mv));
            game.line_key()
        });
        let known = known.collect();
        let is_needed = fs::canonicalize(openings)
            .is_ok_and(|openings| fs::canonicalize(path).is_ok_and(|path| path == openings));
        if !holds_games || is_needed {
            return Err(Failure::Input(format!(
                "--pdn {}: {}, and is not changed: choose another file",
                path.display(),
                if is_needed { "it has the openings" } else { "it holds no games of this kind" },
            )));
        }
        let file = File::options().append(true).create(true).open(path);
        let file = file.map_err(|error| input::cannot_write(path, &error))?;
        let gap = match bytes.last() {
            None => "",
            Some(b'\n') => "\n",
            Some(_) => "\n\n",
        };
        Ok(Games { path, file, gap, known, repeated: 0 })
    }

    /// Writes both games in one piece, so that the file can be read at any time.
    pub(super) fn write<G: Playable>(
        &mut self,
        pair: &Pair<G>,
        names: [&str; 2],
    ) -> Result<(), Failure> {
        let is_known = |played: &&Played<G>| self.known.contains(&played.game.line_key());
        let repeated = pair.games.iter().filter(is_known).count() as u64;
        let [first, second] = pair.records(names);
        let gap = std::mem::replace(&mut self.gap, "\n");
        let text = format!("{gap}{first}\n{second}");
        let failed = |error| input::cannot_write(self.path, &error);
        let len = self.file.metadata().map_err(failed)?.len();
        self.file.write_all(text.as_bytes()).map_err(|error| {
            // An incomplete game would make the file unreadable.
            let _ = self.file.set_len(len);
            failed(error)
        })?;
        self.repeated += repeated;
        Ok(())
    }

    /// The number of games written that were in the file before.
    pub(super) fn repeated(&self) -> u64 {
        self.repeated
    }
}
