use super::{NUMBERING, PATIENCE, aside, settings};
use damka_engine::{Playable, PlayerSettings};
use damka_games::Draughts;
use damka_protocols::{Numbering, hub, uci};
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// A client of a session that runs in this process.
pub(crate) struct Client {
    /// `None` when the client has closed its end.
    input: Option<PipeWriter>,
    answers: Receiver<String>,
    ended: Receiver<io::Result<()>>,
}

impl Client {
    /// A client that has sent nothing yet.
    pub(crate) fn new(variant: Draughts) -> Client {
        Client::with(settings(variant), NUMBERING)
    }

    /// A client of a session that begins with these settings.
    pub(crate) fn with(settings: PlayerSettings<Draughts>, numbering: Option<Numbering>) -> Client {
        Client::of(move |input, output| hub::serve(input, output, settings, numbering))
    }

    /// A client with UCI that has sent nothing yet.
    pub(crate) fn uci<G: Playable>(settings: PlayerSettings<G>) -> Client {
        Client::of(move |input, output| uci::serve(input, output, settings))
    }

    fn of(
        serve: impl FnOnce(BufReader<PipeReader>, PipeWriter) -> io::Result<()> + Send + 'static,
    ) -> Client {
        let (their_input, input) = io::pipe().unwrap();
        let (output, their_output) = io::pipe().unwrap();
        let ended = aside(move || serve(BufReader::new(their_input), their_output));
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if line.is_err() || sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Client { input: Some(input), answers, ended }
    }

    /// A client that has sent `init`.
    pub(crate) fn ready(variant: Draughts) -> Client {
        let mut client = Client::new(variant);
        client.send("hub\ninit\n");
        client.until("ready");
        client
    }

    pub(crate) fn send(&mut self, text: impl AsRef<[u8]>) {
        self.input.as_mut().unwrap().write_all(text.as_ref()).unwrap();
    }

    /// The next line.
    pub(crate) fn line(&mut self) -> String {
        self.answers.recv_timeout(PATIENCE).expect("an answer in time")
    }

    /// The lines up to and including the first that begins with `word`.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(word)) {
            lines.push(self.line());
        }
        lines
    }

    /// The move at the end of a search.
    pub(crate) fn best(&mut self) -> String {
        let done = self.until("done").pop().unwrap();
        let found = done.split_whitespace().find_map(|word| word.strip_prefix("move="));
        found.expect("a move").to_owned()
    }

    /// The move at the end of a search by UCI.
    pub(crate) fn best_move(&mut self) -> String {
        let best = self.until("bestmove").pop().unwrap();
        best.split_whitespace().nth(1).expect("a move").to_owned()
    }

    /// Closes the input, waits for the session to end, and returns the remaining lines.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.input = None;
        let ended = self.ended.recv_timeout(PATIENCE).expect("an end in time");
        assert!(ended.is_ok(), "{ended:?}");
        self.answers.iter().collect()
    }
}
