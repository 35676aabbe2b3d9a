//! Progress on standard error: a bar, plain lines, or JSON lines.

use crate::args::ProgressStyle;
use crate::words::{duration, grouped, size};
use damka_gen::{Event, Progress, Silent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often plain and JSON lines tell that work goes on.
const INTERVAL: Duration = Duration::from_secs(2);

/// The progress that suits a style and the terminal.
pub(crate) fn of(style: ProgressStyle) -> Box<dyn Progress> {
    match style {
        ProgressStyle::None => Box::new(Silent),
        ProgressStyle::Json => Box::new(Lines::new(json_line)),
        ProgressStyle::Auto if io::stderr().is_terminal() => Box::new(Bar::new()),
        ProgressStyle::Auto | ProgressStyle::Plain => Box::new(Lines::new(plain_line)),
    }
}

/// The work done so far, and how long it may still take.
#[derive(Clone, Copy)]
struct Pace {
    started: Instant,
}

impl Pace {
    /// The seconds left if work goes on as it did.
    fn seconds_left(&self, done: u64, total: u64) -> f64 {
        let elapsed = self.started.elapsed().as_secs_f64();
        elapsed / done.max(1) as f64 * total.saturating_sub(done) as f64
    }
}

/// One line for each event, and now and then one for work going on.
struct Lines {
    pace: Pace,
    line: fn(&Event, &Pace) -> Option<String>,
    last: Mutex<Instant>,
}

impl Lines {
    fn new(line: fn(&Event, &Pace) -> Option<String>) -> Lines {
        let started = Instant::now();
        Lines { pace: Pace { started }, line, last: Mutex::new(started) }
    }
}

impl Progress for Lines {
    fn event(&self, event: Event) {
        if let Event::Advanced { .. } = event {
            let Ok(mut last) = self.last.try_lock() else { return };
            if last.elapsed() < INTERVAL {
                return;
            }
            *last = Instant::now();
        }
        if let Some(line) = (self.line)(&event, &self.pace) {
            // There is nobody to tell if standard error is closed.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

fn plain_line(event: &Event, pace: &Pace) -> Option<String> {
    Some(match event {
        Event::Planned { signatures: 0, present, .. } => {
            format!("all {present} signatures are there")
        }
        Event::Planned { signatures, present, positions, memory, disk, seconds } => format!(
            "{signatures} signatures to build ({present} are there): {} positions, \
             about {}, {} of memory, {} of disk",
            grouped(*positions),
            duration(*seconds),
            size(*memory),
            size(*disk),
        ),
        Event::Waiting => "waiting for another damka that works in this directory".to_owned(),
        Event::Damaged { message } => format!("building again: {message}"),
        Event::Advanced { done, total } => {
            let left = duration(pace.seconds_left(*done, *total));
            format!("{:3} %, {left} left", done * 100 / total.max(&1))
        }
        Event::Finished { signature, positions, bytes } => {
            format!("{signature}: {} positions, {}", grouped(*positions), size(*bytes))
        }
        _ => return None,
    })
}

fn json_line(event: &Event, pace: &Pace) -> Option<String> {
    let object = match event {
        Event::Planned { signatures, present, positions, memory, disk, seconds } => json!({
            "event": "planned", "signatures": signatures, "present": present,
            "positions": positions, "memory_bytes": memory, "disk_bytes": disk,
            "seconds": seconds,
        }),
        Event::Waiting => json!({"event": "waiting"}),
        Event::Damaged { message } => json!({"event": "damaged", "message": message}),
        Event::Started { signature } => json!({"event": "started", "signature": signature}),
        Event::Advanced { done, total } => json!({
            "event": "progress", "done": done, "total": total,
            "seconds_left": pace.seconds_left(*done, *total),
        }),
        Event::Finished { signature, positions, bytes } => json!({
            "event": "finished", "signature": signature, "positions": positions, "bytes": bytes,
        }),
        _ => return None,
    };
    Some(object.to_string())
}

/// A bar at the bottom of the terminal.
struct Bar {
    bar: ProgressBar,
    pace: Pace,
}

impl Bar {
    fn new() -> Bar {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
        let template = "{bar:30} {percent:>3} %  {msg}";
        bar.set_style(
            BarStyle::with_template(template).unwrap_or_else(|_| BarStyle::default_bar()),
        );
        Bar { bar, pace: Pace { started: Instant::now() } }
    }
}

impl Progress for Bar {
    fn event(&self, event: Event) {
        match &event {
            Event::Advanced { done, total } => {
                self.bar.set_length(*total);
                self.bar.set_position(*done);
                let left = duration(self.pace.seconds_left(*done, *total));
                let signature = self.bar.prefix();
                self.bar.set_message(format!("{signature}  {left} left"));
            }
            Event::Started { signature } => self.bar.set_prefix(signature.clone()),
            // The bar shows what was finished.
            Event::Finished { .. } => {}
            _ => {
                if let Some(line) = plain_line(&event, &self.pace) {
                    self.bar.println(line);
                }
            }
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
