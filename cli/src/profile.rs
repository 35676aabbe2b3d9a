//! The profile of `gen`.

use crate::words::grouped;
use damka_gen::{Event, Phase, Progress};
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

/// Forwards progress events, and collects their times.
pub(crate) struct Profiler<'a> {
    inner: &'a dyn Progress,
    rows: Mutex<Vec<Row>>,
}

struct Row {
    signature: String,
    positions: u64,
    bytes: u64,
    times: [Duration; Phase::ALL.len()],
    planned: Duration,
}

impl<'a> Profiler<'a> {
    pub(crate) fn new(inner: &'a dyn Progress) -> Profiler<'a> {
        Profiler { inner, rows: Mutex::default() }
    }

    /// A table with a line for each signature and a total: nanoseconds of processor time per
    /// position, of each phase and as planned; positions per second of one core; bits per position
    /// in the files. The peak memory follows if the system reports it.
    pub(crate) fn report(&self) -> String {
        let rows = self.rows.lock().unwrap_or_else(|lock| lock.into_inner());
        let mut total = Row {
            signature: "all".to_owned(),
            positions: 0,
            bytes: 0,
            times: Default::default(),
            planned: Duration::ZERO,
        };
        for row in rows.iter() {
            total.positions += row.positions;
            total.bytes += row.bytes;
            total.planned += row.planned;
            for (sum, time) in total.times.iter_mut().zip(row.times) {
                *sum += time;
            }
        }
        let mut report = format!("{:<12}{:>16}", "signature", "positions");
        for phase in Phase::ALL {
            let _ = write!(report, "{:>10}", phase.name());
        }
        let [all, planned, speed] = ["ns in all", "planned", "positions/s"];
        let _ = writeln!(report, "{all:>10}{planned:>10}{speed:>12}{:>8}", "bits");
        for row in rows.iter().chain([&total]) {
            let positions = row.positions.max(1) as f64;
            let _ = write!(report, "{:<12}{:>16}", row.signature, grouped(row.positions));
            for time in row.times {
                let _ = write!(report, "{:>10.1}", time.as_nanos() as f64 / positions);
            }
            let seconds = row.times.iter().sum::<Duration>().as_secs_f64();
            let _ = writeln!(
                report,
                "{:>10.1}{:>10.1}{:>12}{:>8.3}",
                seconds * 1e9 / positions,
                row.planned.as_nanos() as f64 / positions,
                grouped((positions / seconds.max(1e-9)) as u64),
                row.bytes as f64 * 8.0 / positions,
            );
        }
        if let Some(peak) = peak_memory() {
            let _ = writeln!(report, "peak memory: {}", crate::words::size(peak));
        }
        report
    }
}

impl Progress for Profiler<'_> {
    fn event(&self, event: Event) {
        if let Event::Finished { signature, positions, bytes, times, planned } = &event {
            let row = Row {
                signature: signature.clone(),
                positions: *positions,
                bytes: *bytes,
                times: *times,
                planned: *planned,
            };
            self.rows.lock().unwrap_or_else(|lock| lock.into_inner()).push(row);
        }
        self.inner.event(event);
    }
}

/// The peak memory of this process, in bytes. Only Linux reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
