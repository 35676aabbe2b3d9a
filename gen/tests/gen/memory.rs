//! The memory predicted by a plan is enough for building, and at most three times the memory used.
//!
//! The memory used is the peak resident size of a separate process: heap, large arrays, stacks and
//! program. The process is this test program again, running a single test.

use damka_games::{AnyGame, with_game};
use damka_gen::{Family, Options, Request, plan};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use damka_tests::build_with;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Environment variables with what the process builds, and where.
const WORK: [&str; 2] = ["DAMKA_TEST_BUILD", "DAMKA_TEST_TABLES"];

/// The file that the process writes.
const PEAK: &str = "peak";

const THREADS: usize = 2;

fn options(metrics: &[Metric]) -> Options {
    Options { metrics: metrics.to_vec(), threads: THREADS, ..Options::default() }
}

fn metrics(wdl_only: bool) -> &'static [Metric] {
    if wdl_only { &[Metric::Wdl] } else { &Metric::ALL }
}

/// Not a test: the work of the process whose memory is measured. Writes its peak, in kB, to a file
/// beside the tables.
#[test]
#[ignore = "runs in a child process of the other tests of this file"]
fn build_as_the_environment_says() {
    let [Ok(work), Ok(directory)] = WORK.map(std::env::var) else { return };
    let [game, signature, metric] = work.split(' ').collect::<Vec<_>>()[..] else { return };
    let game: AnyGame = game.parse().expect("a game");
    with_game!(game, game => {
        let signature = Signature::parse(game, signature).expect("a signature");
        build_with(&options(metrics(metric == "wdl")), &[signature], Path::new(&directory));
    });
    let status = fs::read_to_string("/proc/self/status").expect("what the system says");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    let peak = peak.trim().trim_end_matches(" kB");
    fs::write(Path::new(&directory).join(PEAK), peak).expect("a file");
}

/// The peak of a process that builds the tables of a signature, in bytes.
fn measured(game: &str, signature: &str, wdl_only: bool, directory: &Path) -> u64 {
    let this = std::env::current_exe().expect("this program");
    let work = format!("{game} {signature} {}", if wdl_only { "wdl" } else { "both" });
    let name = "memory::build_as_the_environment_says";
    let process = Command::new(this)
        .args(["--exact", name, "--ignored"])
        .env(WORK[0], work)
        .env(WORK[1], directory)
        .output()
        .expect("it starts");
    assert!(process.status.success(), "{}", String::from_utf8_lossy(&process.stdout));
    let peak = fs::read_to_string(directory.join(PEAK)).expect("the peak");
    peak.parse::<u64>().expect("a number") << 10
}

/// Compares the prediction with a measurement: for a build from nothing, and for one that has to
/// load everything that its signature leads to.
fn check(game: &str, text: &str, wdl_only: bool) {
    let any: AnyGame = game.parse().expect("a game");
    with_game!(any, game => check_game(game, text, wdl_only));
}

fn check_game<G: Family>(game: G, text: &str, wdl_only: bool) {
    let signature = Signature::parse(game, text).expect("a signature");
    let directory = tempfile::tempdir().expect("a directory");
    for what in ["all of it", "the last step"] {
        let options = Options { memory: Some(u64::MAX), ..options(metrics(wdl_only)) };
        let request = Request { options, ..Request::new(directory.path()) };
        let plan = plan(&[signature], &request);
        let predicted = plan.expect("a plan").largest().expect("work").memory;
        let peak = measured(game.name(), text, wdl_only, directory.path());
        let name = format!("{} {text}, wdl only: {wdl_only}, {what}", game.name());
        assert!(peak <= predicted, "{name}: {predicted} bytes predicted, {peak} used");
        assert!(predicted <= 3 * peak, "{name}: {predicted} bytes predicted, only {peak} used");
        for metric in metrics(wdl_only) {
            let path = damka_probe::table_path(directory.path(), &signature, *metric);
            fs::remove_file(path).expect("the table is there");
        }
    }
}

#[test]
fn predicted_memory_is_enough_and_not_excessive() {
    for (game, signature, wdl_only) in [
        ("russian", "KMvKM", false),
        ("russian", "MMvMM", false),
        ("russian", "KKKvKK", false),
        ("russian", "KMvKM", true),
        ("brazilian", "KMvKM", false),
        ("alapo", "QRvBK", false),
        ("chess", "KRvKP", false),
    ] {
        check(game, signature, wdl_only);
    }
}

#[test]
#[ignore = "takes ten seconds"]
fn predicted_memory_is_enough_for_more_pieces() {
    check("russian", "KKMvKM", true);
}
