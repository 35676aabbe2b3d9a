use crate::fault::Fault;
use crate::input::{self, Input};
use damka_engine::Control;
use damka_system::{in_own_group, kill_with_children};
use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// How many lines may wait to be read by either side.
const QUEUE: usize = 64;

/// How soon it is noticed that nobody waits any more.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long a program may take to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(300);

/// A program whose standard input we write and whose standard output we read, a line at a
/// time, never waiting for ever. It does not outlive this value.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// `None` when it is to end.
    input: Option<SyncSender<String>>,
    output: Receiver<Input>,
}

impl Process {
    /// Starts a program with its arguments, which spaces separate.
    ///
    /// # Errors
    /// The system cannot.
    pub(crate) fn start(command: &str) -> Result<Process, Fault> {
        let failed = |what: &str| Fault::NotStarted(format!("{command}: {what}"));
        let mut words = command.split_whitespace();
        let mut program = Command::new(words.next().ok_or_else(|| failed("no program"))?);
        program.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A signal from the terminal is for us: we end the program in order. And what it
        // starts itself can be ended with it.
        in_own_group(&mut program);
        let mut child = program.spawn().map_err(|error| failed(&error.to_string()))?;
        let (sender, lines) = mpsc::sync_channel::<String>(QUEUE);
        let (found, output) = mpsc::sync_channel(QUEUE);
        // Either thread ends when the program does, or when this value is gone.
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                while let Ok(line) = lines.recv()
                    && stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_ok()
                {
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            let mut stdout = BufReader::new(stdout);
            thread::spawn(move || {
                while let Ok(line @ (Input::Line(_) | Input::TooLong)) = input::read(&mut stdout)
                    && found.send(line).is_ok()
                {}
            });
        }
        Ok(Process { child, input: Some(sender), output })
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

    /// The next line.
    ///
    /// # Errors
    /// There is none until `deadline`, or `control` says stop.
    pub(crate) fn line(&mut self, deadline: Instant, control: &Control) -> Result<String, Fault> {
        loop {
            // Also of one that talks all the time.
            let left = deadline.saturating_duration_since(Instant::now());
            match () {
                () if control.is_stopped() => return Err(Fault::Stopped),
                () if left.is_zero() => return Err(Fault::Silent),
                () => {}
            }
            match self.output.recv_timeout(left.min(INTERVAL)) {
                Ok(Input::Line(line)) => return Ok(line),
                Ok(_) => return Err(Fault::Senseless("an endless line".to_owned())),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Gone),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets what was written before anybody asked. Tells whether the program has ended.
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

impl Drop for Process {
    /// Asks the program to end, and sees to it.
    fn drop(&mut self) {
        let _ = self.say("quit");
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while self.line(deadline, &Control::default()).is_ok() {}
        // Until `wait` its number belongs to no other process.
        kill_with_children(&mut self.child);
        let _ = self.child.wait();
    }
}
