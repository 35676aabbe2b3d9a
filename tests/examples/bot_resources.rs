//! Measures the resources of the bot's searches: memory and open table files, with 1, 2 and 4 searches.
//!
//! ```text
//! cargo run -p damka-tests --example bot_resources -- DAMKA DIRECTORY
//! ```
//!
//! `DAMKA` is a binary with the feature `bot`, and `DIRECTORY` has tables. The bot plays on the mock of
//! DagazServer until 40 moves are made. Linux only.

#![allow(clippy::print_stdout)]

use damka_tests::dagaz::Mock;
use std::error::Error;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use std::{env, fs};

/// The games, by their numbers on the site.
const VARIANTS: [i64; 4] = [134, 3, 45, 31];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(damka), Some(directory)) = (arguments.next(), arguments.next()) else {
        return Err("expected DAMKA and DIRECTORY".into());
    };
    println!("searches  table files  peak memory, MB");
    for searches in [1, 2, 4] {
        let mock = Mock::new();
        let users = ["white", "black"].map(|name| mock.add_user(name, "secret"));
        for variant in VARIANTS.into_iter().cycle().take(12) {
            mock.add_game(variant, users, None);
        }
        let bot = |user: &str| {
            let mut command = Command::new(&damka);
            command.args(["bot", "dagaz", "--url", &mock.url(), "--user", user]);
            command.args(["--tables", &directory, "--searches", &searches.to_string()]);
            command.args(["--move-time", "50", "--poll", "20"]).env("DAMKA_PASSWORD", "secret");
            command.stderr(Stdio::null()).spawn()
        };
        let (mut white, mut black) = (bot("white")?, bot("black")?);
        let moves = || mock.games().iter().map(|game| game.moves.len()).sum::<usize>();
        while moves() < 40 && white.try_wait()?.is_none() {
            thread::sleep(Duration::from_millis(50));
        }
        let process = format!("/proc/{}", white.id());
        let links = fs::read_dir(format!("{process}/fd"))?;
        let files = links.flatten().filter_map(|link| fs::read_link(link.path()).ok());
        let tables = files.filter(|file| file.starts_with(&directory)).count();
        let status = fs::read_to_string(format!("{process}/status"))?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: u64 =
            peak.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0);
        println!("{searches:>8}  {tables:>11}  {:>15.0}", kib as f64 * 1024.0 / 1e6);
        for bot in [&mut white, &mut black] {
            bot.kill()?;
            bot.wait()?;
        }
    }
    Ok(())
}
