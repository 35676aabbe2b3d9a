//! Progress on standard error: a bar, plain lines, or JSON lines.

use crate::args::ProgressStyle;
use crate::json;
use crate::words::{count, duration, grouped, note, size, with_path};
use damka_games::printable;
use damka_gen::{Event, NoProgress, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The interval of plain and JSON progress lines.
const INTERVAL: Duration = Duration::from_secs(2);

/// The progress that suits a style and the terminal.
pub(crate) fn of(style: ProgressStyle) -> Box<dyn Progress> {
    match style {
        ProgressStyle::None => Box::new(NoProgress),
        ProgressStyle::Json => Box::new(LineProgress::new(json_line)),
        ProgressStyle::Auto if io::stderr().is_terminal() => {
            Box::new(Bar::new(ProgressDrawTarget::stderr_with_hz(10)))
        }
        ProgressStyle::Auto | ProgressStyle::Plain => Box::new(LineProgress::new(plain_line)),
    }
}

/// The progress of short builds: it only reports that the build waits for another process.
pub(crate) struct OnlyWaits;

impl Progress for OnlyWaits {
    fn event(&self, event: Event) {
        if let Event::Waiting { signature } = event {
            note(&waiting(signature.as_deref()));
        }
    }
}

/// The message while another process builds this signature, or works in the directory.
fn waiting(signature: Option<&str>) -> String {
    let what =
        signature.map_or("works in this directory".to_owned(), |name| format!("builds {name}"));
    format!("waiting for another damka that {what}")
}

/// Estimates the time left from the speed so far.
struct Pace {
    /// The start of the work, and the planned seconds.
    planned: Mutex<(Instant, f64)>,
}

impl Pace {
    fn new() -> Pace {
        Pace { planned: Mutex::new((Instant::now(), 0.0)) }
    }

    /// Stores the planned time; in a debug build 0, as plans are for release builds.
    fn note(&self, event: &Event) {
        if let (Event::Planned { seconds, .. }, Ok(mut planned)) = (event, self.planned.lock()) {
            *planned = (Instant::now(), if cfg!(debug_assertions) { 0.0 } else { *seconds });
        }
    }

    /// The seconds left when this share of the work is done: at first from the plan, later from the
    /// speed so far.
    fn seconds_left(&self, share: f64) -> f64 {
        let (started, planned) = *self.planned.lock().unwrap_or_else(|lock| lock.into_inner());
        let share = share.clamp(1e-9, 1.0);
        let whole = started.elapsed().as_secs_f64() / share;
        let trust = if planned > 0.0 { (share * 10.0).min(1.0) } else { 1.0 };
        (1.0 - share) * (trust * whole + (1.0 - trust) * planned)
    }

    /// Positions per second since work began.
    fn speed(&self, done: u64) -> u64 {
        let (started, _) = *self.planned.lock().unwrap_or_else(|lock| lock.into_inner());
        (done as f64 / started.elapsed().as_secs_f64().max(1e-3)) as u64
    }
}

/// One line for each event; for ongoing work one line at intervals.
struct LineProgress {
    pace: Pace,
    line: fn(&Event, &Pace) -> Option<String>,
    last: Mutex<Instant>,
}

impl LineProgress {
    fn new(line: fn(&Event, &Pace) -> Option<String>) -> LineProgress {
        LineProgress { pace: Pace::new(), line, last: Mutex::new(Instant::now()) }
    }
}

impl Progress for LineProgress {
    fn event(&self, event: Event) {
        self.pace.note(&event);
        if let Event::Advanced { .. } = event {
            let Ok(mut last) = self.last.try_lock() else { return };
            if last.elapsed() < INTERVAL {
                return;
            }
            *last = Instant::now();
        }
        if let Some(line) = (self.line)(&event, &self.pace) {
            // Errors are ignored: standard error may be closed.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// In a debug build, the note that a planned time is that of a release build. `None` if the time is
/// short.
pub(crate) fn about_debug_builds(seconds: f64) -> Option<&'static str> {
    (cfg!(debug_assertions) && seconds >= 10.0).then_some(
        "That is the time of an optimised damka. This one is not, and takes about 20 times as long: \
         `cargo install --path cli --locked` installs an optimised one.",
    )
}

fn plain_line(event: &Event, pace: &Pace) -> Option<String> {
    Some(match event {
        Event::Planned { signatures: 0, present, .. } => match present {
            0 => "the tables are already built; a seed file for other jobs is made from them"
                .to_owned(),
            1 => "the signature is already built".to_owned(),
            _ => format!("all {present} signatures are already built"),
        },
        Event::Planned { signatures, present, positions, memory, disk, scratch, seconds } => {
            let debug = about_debug_builds(*seconds).map(|note| format!("\n{note}"));
            format!(
                "signatures to build: {signatures} ({present} already built): {} positions, \
             about {}, {} of memory, {} of disk, {} of scratch files and journals at most{}",
                grouped(*positions),
                duration(*seconds),
                size(*memory),
                size(*disk),
                size(*scratch),
                debug.unwrap_or_default(),
            )
        }
        Event::Waiting { signature } => waiting(signature.as_deref()),
        // A message may contain foreign text from names and headers of files.
        Event::Damaged { path, message } => {
            format!("building again: {}", printable(&with_path(message.clone(), Some(path))))
        }
        Event::JournalDropped { path, message } => {
            format!("beginning anew: {}", printable(&with_path(message.clone(), Some(path))))
        }
        Event::SeedDropped { path, message } => {
            format!("made again: {}", printable(&with_path(message.clone(), Some(path))))
        }
        Event::Advanced { done, signature_share, share, .. } => {
            let signature = match signature_share {
                Some(share) => format!(" ({:.0} % of this signature)", share * 100.0),
                None => String::new(),
            };
            let speed = grouped(pace.speed(*done));
            let left = duration(pace.seconds_left(*share));
            format!("{:3.0} %{signature}, {speed} positions/s, {left} left", share * 100.0)
        }
        Event::Finished { signature, positions, bytes: 0, .. } => {
            format!("{signature}: {} positions solved, nothing written", grouped(*positions))
        }
        Event::Finished { signature, positions, bytes, .. } => {
            format!("{signature}: {} positions, {}", grouped(*positions), size(*bytes))
        }
        Event::Halved { signature, metric, before, bytes } => {
            format!("{signature}.{metric}: half, {} of {}", size(*bytes), size(*before))
        }
        // The plan has already reported that there is nothing to build.
        Event::Done { signatures: 0, .. } => return None,
        Event::Done { signatures, tables, positions, bytes, directory, elapsed } => format!(
            "built {} ({}) in {}: {}, {} in {}",
            count(*signatures as u64, "signature"),
            count(*tables as u64, "table"),
            duration(elapsed.as_secs_f64()),
            count(*positions, "position"),
            size(*bytes),
            printable(&directory.to_string_lossy()),
        ),
        _ => return None,
    })
}

fn json_line(event: &Event, pace: &Pace) -> Option<String> {
    let object = match event {
        Event::Planned { signatures, present, positions, memory, disk, scratch, seconds } => {
            json!({
                "event": "planned", "signatures": signatures, "present": present,
                "positions": positions, "memory_bytes": memory, "disk_bytes": disk, "scratch_bytes": scratch,
                "seconds": seconds,
            })
        }
        Event::Waiting { signature: None } => json!({"event": "waiting"}),
        Event::Waiting { signature } => json!({"event": "waiting", "signature": signature}),
        Event::Damaged { path, message } => {
            json!({"event": "damaged", "message": with_path(message.clone(), Some(path))})
        }
        Event::JournalDropped { path, message } => {
            let message = with_path(message.clone(), Some(path));
            json!({"event": "journal_dropped", "message": message})
        }
        Event::SeedDropped { path, message } => {
            let message = with_path(message.clone(), Some(path));
            json!({"event": "seed_dropped", "message": message})
        }
        Event::Started { signature } => json!({"event": "started", "signature": signature}),
        Event::Advanced { done, total, signature_share, share } => json!({
            "event": "progress", "done": done, "total": total, "share": share,
            "signature_share": signature_share, "positions_per_second": pace.speed(*done),
            "seconds_left": pace.seconds_left(*share),
        }),
        Event::Finished { signature, positions, bytes, .. } => json!({
            "event": "finished", "signature": signature, "positions": positions, "bytes": bytes,
        }),
        Event::Halved { signature, metric, before, bytes } => json!({
            "event": "halved", "signature": signature, "metric": metric, "bytes_before": before,
            "bytes": bytes,
        }),
        Event::Done { signatures, tables, positions, bytes, directory, elapsed } => json!({
            "event": "done", "signatures": signatures, "tables": tables, "positions": positions,
            "bytes": bytes, "directory": directory.to_string_lossy(),
            "seconds": elapsed.as_secs_f64(),
        }),
        _ => return None,
    };
    Some(json::object(object))
}

/// The length of a full bar.
const BAR_LEN: u64 = 1000;

/// A bar at the bottom of the terminal.
struct Bar {
    bar: ProgressBar,
    pace: Pace,
}

impl Bar {
    fn new(target: ProgressDrawTarget) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(BAR_LEN), target);
        // The most important parts come first, because the message is cut at the end of the line: a
        // wrapped line could not be drawn over.
        let template = "{percent:>3} % {bar:10} {wide_msg}";
        bar.set_style(
            BarStyle::with_template(template).unwrap_or_else(|_| BarStyle::default_bar()),
        );
        Bar { bar, pace: Pace::new() }
    }
}

impl Progress for Bar {
    fn event(&self, event: Event) {
        self.pace.note(&event);
        match &event {
            Event::Advanced { done, signature_share, share, .. } => {
                self.bar.set_position((share * BAR_LEN as f64) as u64);
                let left = duration(self.pace.seconds_left(*share));
                let speed = grouped(self.pace.speed(*done));
                let signature = match signature_share {
                    Some(share) => format!("{} {:.0} %", self.bar.prefix(), share * 100.0),
                    None => self.bar.prefix(),
                };
                self.bar.set_message(format!("{left} left  {signature}  {speed} positions/s"));
            }
            Event::Started { signature } => self.bar.set_prefix(signature.clone()),
            // The bar already shows that the signature is finished.
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

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::sync::Arc;

    /// A terminal of 40 columns that stores what was written to it.
    #[derive(Clone, Debug, Default)]
    struct Narrow(Arc<Mutex<String>>);

    impl Narrow {
        fn write(&self, text: &str) -> io::Result<()> {
            self.0.lock().expect("one thread").push_str(text);
            Ok(())
        }
    }

    impl TermLike for Narrow {
        fn width(&self) -> u16 {
            40
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            self.write("\n")
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            self.write("\n")
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write(&format!("{text}\n"))
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.write(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.write("\n")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A wrapped line could not be drawn over.
    #[test]
    fn a_bar_fits_a_narrow_terminal() {
        let terminal = Narrow::default();
        let bar = Bar::new(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        bar.event(Event::Started { signature: "KKMMvKKMM".to_owned() });
        bar.event(Event::Advanced {
            done: 1_234_567_890,
            total: 9_876_543_210,
            signature_share: Some(0.5),
            share: 0.125,
        });
        bar.bar.force_draw();
        let written = terminal.0.lock().expect("one thread").clone();
        let lines: Vec<&str> = written.lines().filter(|line| line.contains('%')).collect();
        assert!(lines.iter().any(|line| line.starts_with(" 12 %")), "{written:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= 40), "{written:?}");
    }
}
