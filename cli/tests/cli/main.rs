//! The command line as scripts see it: output, exit codes, files. There is a module for each
//! command or topic.

mod annotate;
mod board;
mod book;
mod bot;
mod chess;
#[cfg(unix)]
mod directory;
mod engine;
mod front_door;
mod generate;
mod input;
mod interrupt;
mod jobs;
mod json;
mod json_page;
mod line;
mod list;
#[cfg(unix)]
mod lost;
mod manual;
mod matches;
#[cfg(unix)]
mod memory;
mod output;
mod perft;
mod plan;
mod play;
mod positions;
mod probe;
mod rehearse;
mod search;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod signals;
mod site;
mod stats;
mod tables;
mod tune;
mod verify;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Files by their path below a directory of tables.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

const DAMKA: &str = env!("CARGO_BIN_EXE_damka");

/// A temporary directory of tables in which `damka` runs.
pub(crate) struct Place {
    home: TempDir,
}

impl Place {
    /// A place without tables.
    pub(crate) fn new() -> Place {
        let place = Place { home: tempfile::tempdir().expect("a temporary directory") };
        fs::create_dir(place.tables()).expect("a directory is made");
        place
    }

    /// A place with the tables that `damka gen` builds with these arguments.
    pub(crate) fn with(words: &str) -> Place {
        let place = Place::new();
        place.generate(words);
        place
    }

    /// A place with these files.
    pub(crate) fn holding(files: &Files) -> Place {
        let place = Place::new();
        for (name, bytes) in files {
            let path = place.table(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory is made");
            fs::write(path, bytes).expect("a file is written");
        }
        place
    }

    /// The parent of the directory of tables, for any other files.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The directory of tables.
    pub(crate) fn tables(&self) -> PathBuf {
        self.home().join("tables")
    }

    /// A file below the directory of tables.
    pub(crate) fn table(&self, name: &str) -> PathBuf {
        let mut path = self.tables();
        path.extend(name.split('/'));
        path
    }

    /// A command that runs `damka` with the directory of tables and a clean environment.
    pub(crate) fn command(&self) -> Command {
        self.prepared(Command::new(DAMKA))
    }

    /// A command that runs `damka` through another program.
    pub(crate) fn command_by(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.arg(DAMKA);
        self.prepared(command)
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.env("DAMKA_TABLES", self.tables());
        command.env("HOME", self.home()).env_remove("XDG_DATA_HOME");
        command.env("LOCALAPPDATA", self.home());
        command.stdin(Stdio::null());
        command
    }

    /// Runs `damka` with these arguments.
    pub(crate) fn damka(&self, words: &str) -> Outcome {
        outcome(self.command().args(words.split_whitespace()))
    }

    /// Runs `damka` with this standard input.
    pub(crate) fn damka_reading(&self, words: &str, input: impl AsRef<[u8]>) -> Outcome {
        let path = self.home().join("input");
        fs::write(&path, input).expect("the input is written");
        let input = fs::File::open(path).expect("the input");
        outcome(self.command().args(words.split_whitespace()).stdin(input))
    }

    /// Runs `damka` on a terminal that `script` makes, and types this text.
    #[cfg(target_os = "linux")]
    pub(crate) fn damka_on_a_terminal(&self, words: &str, typed: &str) -> Outcome {
        let input = self.home().join("typed");
        fs::write(&input, typed).expect("the input is written");
        let damka = self.command();
        let mut script = Command::new("script");
        script.envs(damka.get_envs().filter_map(|(name, value)| Some((name, value?))));
        // No echo: typed text would appear inside a question.
        script.args(["--quiet", "--return", "--echo", "never", "--command"]);
        script.arg(format!("{} {words}", damka.get_program().display()));
        script.arg(self.home().join("typescript"));
        outcome(script.stdin(fs::File::open(input).expect("the input")))
    }

    /// Builds tables.
    pub(crate) fn generate(&self, words: &str) {
        self.damka(&format!("gen {words} --progress none")).success();
    }

    /// All files below the directory of tables except the manifests, which contain times.
    pub(crate) fn files(&self) -> Files {
        let mut files = Files::new();
        for game in fs::read_dir(self.tables()).into_iter().flatten() {
            let game = game.expect("an entry").path();
            for file in fs::read_dir(&game).expect("a directory for each game") {
                let path = file.expect("an entry").path();
                if path.ends_with(".manifest") {
                    continue;
                }
                let below = path.strip_prefix(self.tables()).expect("a path below");
                let below = below.to_string_lossy().replace('\\', "/");
                files.insert(below, fs::read(&path).expect("bytes"));
            }
        }
        files
    }

    /// Changes a file.
    pub(crate) fn edit(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let path = self.table(name);
        let mut bytes = fs::read(&path).expect("the file");
        change(&mut bytes);
        fs::write(&path, bytes).expect("the file is written");
    }

    /// Flips a bit of the last byte, which is in the last block, with Black to move, or in the
    /// histograms of a table with distances.
    pub(crate) fn flip_last_byte(&self, name: &str) {
        self.edit(name, |bytes| *bytes.last_mut().expect("a byte") ^= 1);
    }
}

/// The exit code and output of a finished `damka`.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// The standard output of a command that must succeed.
    #[track_caller]
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// The message of a command that must fail with this exit code: one line, or an error of the
    /// parser.
    #[track_caller]
    pub(crate) fn failure(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        let clear = match self.stderr.strip_prefix("damka: ") {
            Some(message) => message.lines().count() == 1 && message.ends_with('\n'),
            None => code == 2 && self.stderr.starts_with("error: "),
        };
        assert!(clear && !self.stderr.contains("panicked"), "{self:?}");
        self.stderr
    }
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Outcome {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Outcome {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// Runs a command to its end.
pub(crate) fn outcome(command: &mut Command) -> Outcome {
    command.output().expect("damka starts").into()
}

/// The Russian tables of up to four pieces of an undisturbed run.
pub(crate) fn russian_4() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| Place::with("russian 4").files())
}

/// Asserts that two directories have the same files; the message names those that differ.
#[track_caller]
pub(crate) fn assert_same(left: &Files, right: &Files) {
    let names = left.keys().chain(right.keys());
    let differ: Vec<_> = names.filter(|&name| left.get(name) != right.get(name)).collect();
    assert!(differ.is_empty(), "these files differ: {differ:?}");
}

/// Writes a line to a running `damka`.
pub(crate) fn say(to: &mut impl Write, line: &str) {
    writeln!(to, "{line}").and_then(|()| to.flush()).expect("damka reads");
}
