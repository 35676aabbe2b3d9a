use super::Output;
use crate::args::ListArgs;
use crate::failure::Failure;
use crate::words::{self, outcome};
use damka::{AnyListed, ListedPosition, Metric, Value};
use std::fmt::Write as _;
use std::io::{self, StdoutLock, Write as _};

/// How a position is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Csv,
    Json,
}

/// Writes positions to standard output, one per line, through a buffer.
pub(super) struct PositionWriter {
    form: Form,
    metric: Metric,
    has_only_move: bool,
    has_passed: bool,
    /// The text of each value written so far, indexed by the value's code.
    outcomes: Vec<String>,
    text: String,
    out: StdoutLock<'static>,
}

impl PositionWriter {
    pub(super) fn new(args: &ListArgs, metric: Metric) -> Result<PositionWriter, Failure> {
        let form = match (args.json, args.csv) {
            (true, _) => Form::Json,
            (_, true) => Form::Csv,
            _ => Form::Text,
        };
        let mut writer = PositionWriter {
            form,
            metric,
            has_only_move: args.only_move,
            has_passed: args.zugzwang,
            outcomes: Vec::new(),
            text: String::new(),
            out: io::stdout().lock(),
        };
        if form == Form::Csv {
            let only_move = if args.only_move { ",only_move,only_move_coordinates" } else { "" };
            let passed = if args.zugzwang { ",passed_value,passed_dtw" } else { "" };
            writeln!(writer.out, "game,fen,value,dtw{only_move}{passed},cursor")?;
        }
        Ok(writer)
    }

    /// Adds a line that `probe -` reads: the value of the position is after a `#`.
    fn push_text(&mut self, listed: &dyn AnyListed) {
        listed.write_fen(&mut self.text);
        self.text.push_str("  # ");
        self.push_outcome(listed.value());
        if let Some(value) = listed.passed() {
            let _ = write!(self.text, "; {} to move ", !listed.turn());
            self.push_outcome(value);
        }
        if let Some([name, _]) = listed.only_move() {
            self.text.push_str(", only with ");
            self.text.push_str(&name);
        }
        self.text.push('\n');
    }

    fn push_outcome(&mut self, value: Value) {
        let code = usize::from(value.code());
        while self.outcomes.len() <= code {
            let value = Value::from_code(self.outcomes.len() as u16);
            self.outcomes.push(outcome(value.wdl(), words::plies(value, self.metric)));
        }
        self.text.push_str(&self.outcomes[code]);
    }

    fn push_csv(&mut self, listed: &dyn AnyListed) {
        self.text.push_str(listed.game());
        self.text.push_str(",\"");
        listed.write_fen(&mut self.text);
        self.text.push('"');
        self.push_cells(Some(listed.value()));
        if self.has_only_move {
            for name in listed.only_move().unwrap_or_default() {
                self.text.push(',');
                self.text.push_str(&name);
            }
        }
        if self.has_passed {
            self.push_cells(listed.passed());
        }
        let _ = writeln!(self.text, ",{}", listed.cursor());
    }

    /// Adds the cells of a value and its distance.
    fn push_cells(&mut self, value: Option<Value>) {
        self.text.push(',');
        self.text.push_str(value.map(|value| value.wdl().word()).unwrap_or_default());
        self.text.push(',');
        if let Some(plies) = value.and_then(|value| words::plies(value, self.metric)) {
            let _ = write!(self.text, "{plies}");
        }
    }
}

impl Output for PositionWriter {
    fn push(&mut self, listed: &dyn AnyListed) -> Result<(), Failure> {
        match self.form {
            Form::Text => self.push_text(listed),
            Form::Csv => self.push_csv(listed),
            Form::Json => {
                self.text += &ListedPosition::of(listed, self.metric).json();
                self.text.push('\n');
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        self.flush()?;
        Ok(self.out.flush()?)
    }
}
