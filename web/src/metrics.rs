//! Counts, in the text format of Prometheus.

use crate::library::Library;
use axum::http::StatusCode;
use std::fmt::Write;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The routes that are counted. All other paths are counted as the page.
const ROUTES: [&str; 17] = [
    "",
    "/api/games",
    "/api/{game}/probe",
    "/api/{game}/line",
    "/api/{game}/map",
    "/api/{game}/stats",
    "/api/{game}/stats/{signature}",
    "/api/{game}/histogram/{signature}",
    "/api/{game}/list/{signature}",
    "/api/{game}/random/{signature}",
    "/api/{game}/annotate",
    "/standard",
    "/standard/mainline",
    "/healthz",
    "/metrics",
    "/openapi.json",
    "other",
];
/// The upper bounds of the buckets of the histogram of times, in microseconds.
const TIMES: [u64; 10] = [50, 100, 250, 1000, 5000, 25_000, 100_000, 500_000, 2_500_000, u64::MAX];
/// The number of classes of statuses, 1xx to 5xx.
const CLASSES: usize = 5;

/// An index in [`ROUTES`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route(usize);

/// The counts of the server.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: [PerRoute; ROUTES.len()],
    pub(crate) connections: AtomicU64,
    pub(crate) open_connections: AtomicU64,
    failed_reloads: AtomicU64,
}

#[derive(Default)]
struct PerRoute {
    answers: [AtomicU64; CLASSES],
    times: [AtomicU64; TIMES.len()],
    micros: AtomicU64,
}

impl Metrics {
    /// The route with a path.
    pub(crate) fn route(&self, path: &str) -> Route {
        let other = ROUTES.len() - 1;
        Route(ROUTES.iter().position(|&route| route == path).unwrap_or(other))
    }

    /// Counts an answer.
    pub(crate) fn count(&self, Route(route): Route, status: StatusCode, time: Duration) {
        let route = &self.routes[route];
        let class = usize::from(status.as_u16() / 100).clamp(1, CLASSES) - 1;
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let slot = TIMES.iter().position(|&bound| micros <= bound).unwrap_or(TIMES.len() - 1);
        route.answers[class].fetch_add(1, Relaxed);
        route.times[slot].fetch_add(1, Relaxed);
        route.micros.fetch_add(micros, Relaxed);
    }

    /// Counts a failed reload of a directory.
    pub(crate) fn count_failed_reload(&self) {
        self.failed_reloads.fetch_add(1, Relaxed);
    }

    /// All counts as text: these, the requests in each pool, and the tables.
    pub(crate) fn text(&self, pools: &[(&str, usize)], library: &Library) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text, pools, library);
        text
    }

    fn write(
        &self,
        text: &mut String,
        pools: &[(&str, usize)],
        library: &Library,
    ) -> std::fmt::Result {
        head(text, "damka_requests_total", "counter", "Answers by route and class of status.")?;
        let seen = || ROUTES.iter().zip(&self.routes).filter(|(_, route)| route.is_seen());
        for (name, route) in seen() {
            for (class, answers) in (1..).zip(&route.answers) {
                let answers = answers.load(Relaxed);
                if answers > 0 {
                    let name = label(name);
                    writeln!(
                        text,
                        "damka_requests_total{{route=\"{name}\",status=\"{class}xx\"}} {answers}"
                    )?;
                }
            }
        }
        let name = "damka_request_seconds";
        head(
            text,
            name,
            "histogram",
            "Time from the head of a request to the head of its answer.",
        )?;
        for (route, counts) in seen() {
            let route = label(route);
            let mut total = 0;
            for (&bound, count) in TIMES.iter().zip(&counts.times) {
                total += count.load(Relaxed);
                let bound = match bound {
                    u64::MAX => "+Inf".to_owned(),
                    micros => (micros as f64 / 1e6).to_string(),
                };
                writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {total}")?;
            }
            let seconds = counts.micros.load(Relaxed) as f64 / 1e6;
            writeln!(text, "{name}_sum{{route=\"{route}\"}} {seconds}")?;
            writeln!(text, "{name}_count{{route=\"{route}\"}} {total}")?;
        }
        let gauge = "gauge";
        head(text, "damka_pool_in_use", gauge, "Requests that work or wait in a pool.")?;
        for (pool, in_use) in pools {
            writeln!(text, "damka_pool_in_use{{pool=\"{pool}\"}} {in_use}")?;
        }
        head(text, "damka_connections_total", "counter", "Connections that were accepted.")?;
        writeln!(text, "damka_connections_total {}", self.connections.load(Relaxed))?;
        head(text, "damka_connections", gauge, "Open connections.")?;
        writeln!(text, "damka_connections {}", self.open_connections.load(Relaxed))?;
        let name = "damka_failed_reloads_total";
        head(text, name, "counter", "Looks at the directories of tables that failed.")?;
        writeln!(text, "{name} {}", self.failed_reloads.load(Relaxed))?;
        head(text, "damka_tables", gauge, "Tables that can be used, by game.")?;
        for game in library.all() {
            let count = game.inventory.tables.len();
            writeln!(text, "damka_tables{{game=\"{}\"}} {count}", game.info.game)?;
        }
        head(text, "damka_damaged_tables", gauge, "Tables that cannot be used, by game.")?;
        for game in library.all() {
            let count = game.inventory.damaged.len();
            writeln!(text, "damka_damaged_tables{{game=\"{}\"}} {count}", game.info.game)?;
        }
        Ok(())
    }
}

impl PerRoute {
    fn is_seen(&self) -> bool {
        self.answers.iter().any(|answers| answers.load(Relaxed) > 0)
    }
}

/// The name of a route; the page has none.
fn label(route: &str) -> &str {
    if route.is_empty() { "page" } else { route }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
}
