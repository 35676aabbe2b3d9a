use crate::fault::Fault;
use crate::input::{self, Input};
use damka_engine::Control;
use damka_system::{in_own_group, kill_with_children};
use std::io::{self, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of lines that wait to be read, in each direction.
const QUEUE: usize = 64;

/// The interval at which the stop flag is checked.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long a program may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(300);

/// Another program, whose standard input is written and whose standard output is read line by line,
/// with time limits. It is ended when this value is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// `None` when the program must end.
    input: Option<SyncSender<String>>,
    output: Receiver<Input>,
}

impl Process {
    /// Starts a program. Its arguments are separated by spaces, except spaces between double
    /// quotes.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(crate) fn start(command: &str) -> Result<Process, Fault> {
        let failed = |what: &str| Fault::NotStarted(format!("{command}: {what}"));
        let mut words = words(command).into_iter();
        let mut program = Command::new(words.next().ok_or_else(|| failed("no program"))?);
        program.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A signal from the terminal must reach only us, so that we can end the program in an orderly
        // way. A group also lets us end its children.
        in_own_group(&mut program);
        let child = program.spawn().map_err(|error| failed(&error.to_string()))?;
        let (sender, lines) = mpsc::sync_channel::<String>(QUEUE);
        let (found, output) = mpsc::sync_channel(QUEUE);
        let mut process = Process { child, input: Some(sender), output };
        // Each thread ends with the program, or when `process` is dropped.
        let no_thread = |error: io::Error| failed(&format!("cannot start threads: {error}"));
        if let Some(mut stdin) = process.child.stdin.take() {
            let write = move || {
                while let Ok(line) = lines.recv()
                    && stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_ok()
                {
                }
            };
            thread::Builder::new().spawn(write).map_err(no_thread)?;
        }
        if let Some(stdout) = process.child.stdout.take() {
            let mut stdout = BufReader::new(stdout);
            let read = move || {
                while let Ok(line @ (Input::Line(_) | Input::TooLong)) = input::read(&mut stdout)
                    && found.send(line).is_ok()
                {}
            };
            thread::Builder::new().spawn(read).map_err(no_thread)?;
        }
        Ok(process)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The program has ended, or does not read.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Fault> {
        let input = self.input.as_ref().ok_or(Fault::Gone)?;
        input.try_send(format!("{line}\n")).map_err(|error| match error {
            mpsc::TrySendError::Full(_) => Fault::Deaf,
            mpsc::TrySendError::Disconnected(_) => Fault::Gone,
        })
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// No line arrives before `deadline`, `control` stops the wait, or the program has ended.
    pub(crate) fn line(&mut self, deadline: Instant, control: &Control) -> Result<String, Fault> {
        loop {
            // Checked before each line: if a program writes without pause, `recv_timeout` never times out.
            let left = deadline.saturating_duration_since(Instant::now());
            match () {
                () if control.is_stopped() => return Err(Fault::Stopped),
                () if left.is_zero() => return Err(Fault::Silent),
                () => {}
            }
            match self.output.recv_timeout(left.min(INTERVAL)) {
                Ok(Input::Line(line)) => return Ok(line),
                Ok(_) => return Err(Fault::Nonsense("an endless line".to_owned())),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Gone),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Discards the lines that have not been read. Returns whether the program has ended.
    pub(crate) fn skip(&mut self) -> bool {
        for _ in 0..=QUEUE {
            match self.output.try_recv() {
                Ok(_) => {}
                Err(error) => return error == mpsc::TryRecvError::Disconnected,
            }
        }
        false
    }
}

/// The words of a command. Spaces between double quotes belong to a word, as in the names of directories
/// of Windows; nothing else is special.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for c in command.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

impl Drop for Process {
    /// Asks the program to end, and kills it if it does not.
    fn drop(&mut self) {
        let _ = self.say("quit");
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while self.line(deadline, &Control::default()).is_ok() {}
        // Its process ID cannot be reused before `wait`.
        kill_with_children(&mut self.child);
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_may_have_spaces_between_quotes() {
        for (command, expected) in [
            ("engine", &["engine"][..]),
            (" engine  --uci\tx ", &["engine", "--uci", "x"]),
            (r#""C:\Program Files\e.exe" --uci"#, &[r"C:\Program Files\e.exe", "--uci"]),
            (r#"C:\"Program Files"\e.exe """#, &[r"C:\Program Files\e.exe", ""]),
            (r#""no end"#, &["no end"]),
            ("", &[]),
            (" ", &[]),
        ] {
            assert_eq!(words(command), expected, "{command}");
        }
    }
}
