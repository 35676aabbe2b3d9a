//! Reloads tables when their files change.

use crate::Orders;
use crate::app::App;
use std::sync::Arc;
use tokio::sync::watch::Receiver;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// Refreshes the library every few seconds, and on request.
pub(crate) async fn watch(app: Arc<App>, mut orders: Receiver<Orders>) {
    let period = app.limits.watch_time;
    let mut ticks = interval_at(Instant::now() + period, period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // An error that persists is logged once.
    let mut failure = None;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            changed = orders.changed() => if changed.is_err() { return },
        }
        let refreshed = Arc::clone(&app);
        let refreshed = spawn_blocking(move || refreshed.library.refresh(&refreshed.log)).await;
        let failed = match refreshed {
            Ok(refreshed) => refreshed.err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(error) = &failed {
            app.metrics.count_failed_reload();
            if failed != failure {
                app.log.write(&format!("the tables cannot be listed: {error}"));
            }
        }
        failure = failed;
    }
}
