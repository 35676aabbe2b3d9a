//! Measures the overhead of the C interface in a probe of decoded blocks: nanoseconds of processor time
//! per probe of random positions, the best of several rounds.
//!
//!     cargo bench -p damka-c
//!
//! Builds the tables that it needs, of up to 4 pieces.
#![allow(unsafe_code)]

use cpu_time::ThreadTime;
use damka::games::{Kind, Pieces, Random, Square};
use damka::generate::{Family, Options, Request, build};
use damka::{
    Access, AnyGame, Chess, Color, Game, Metric, Position, ProbeOptions, Russian, Setup, Signature,
    Tables,
};
use damka_c::{
    DamkaAlapo, DamkaBoards, DamkaPosition, DamkaResult, DamkaStatus, DamkaTables, damka_close,
    damka_open, damka_probe_wdl, damka_read_fen,
};
use std::ffi::CString;
use std::hint::black_box;
use std::path::Path;

/// The number of positions of a round: their blocks and bitboards fit into the processor's cache.
const POSITIONS: usize = 4096;
const ROUNDS: usize = 200;

fn main() {
    let place = tempfile::tempdir().expect("a directory");
    measure(Russian, 4, place.path());
    measure(Chess, 3, place.path());
    measure(Chess, 4, place.path());
}

fn measure<G: Family>(game: G, pieces: u32, place: &Path) {
    let signatures: Vec<Signature<G>> =
        (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect();
    let options = Options { metrics: vec![Metric::Wdl], ..Options::default() };
    build(&signatures, &Request { options, ..Request::new(place) }).expect("tables");

    let any: AnyGame = game.name().parse().expect("a game");
    let options = ProbeOptions { cache_bytes: 64 << 20, access: Access::Map };
    let typed = Tables::open_with(game, place, options);
    let any_typed = damka::open(any, place, options);
    let [name, directory] =
        [game.name(), place.to_str().expect("text")].map(|text| CString::new(text).expect("text"));
    // SAFETY: strings.
    let handle = unsafe { damka_open(name.as_ptr(), directory.as_ptr(), 64 << 20) };
    assert!(!handle.is_null());

    let mut random = Random::new(1);
    let positions: Vec<G::Position> =
        (0..POSITIONS).map(|_| random_position(game, pieces, &mut random)).collect();
    let setups: Vec<Setup> = positions.iter().map(Position::setup).collect();
    let bitboards: Vec<DamkaPosition> =
        positions.iter().map(|position| bitboards(handle, &position.fen())).collect();

    let mut best = [f64::INFINITY; 4];
    for _ in 0..ROUNDS {
        let times = [
            time(&positions, |position| typed.wdl(position).expect("a value") as i32),
            time(&setups, |setup| {
                let position = game.position(setup).expect("a position");
                typed.wdl(&position).expect("a value") as i32
            }),
            time(&setups, |setup| any_typed.setup_wdl(setup).expect("a value") as i32),
            time(&bitboards, |position| {
                let mut result = DamkaResult::DAMKA_DRAW;
                // SAFETY: an open handle; places of our own.
                let status = unsafe { damka_probe_wdl(handle, position, &mut result) };
                assert_eq!(status, DamkaStatus::DAMKA_OK);
                result as i32
            }),
        ];
        for (best, time) in best.iter_mut().zip(times) {
            *best = best.min(time);
        }
    }
    // SAFETY: it is no longer used.
    unsafe { damka_close(handle) };
    let [rust, checked, front_door, c] = best;
    let text = format!(
        "{}, up to {pieces} pieces: Rust {rust:.1} ns, Rust with the position checked {checked:.1}, \
         by the front door {front_door:.1}, C {c:.1}; C adds {:.1} ns\n",
        game.name(),
        c - rust
    );
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).expect("standard output");
}

/// The time of a call of `ask`, in nanoseconds.
fn time<T>(all: &[T], mut ask: impl FnMut(&T) -> i32) -> f64 {
    let start = ThreadTime::now();
    let mut sum = 0;
    for one in all {
        sum += ask(black_box(one));
    }
    black_box(sum);
    start.elapsed().as_secs_f64() * 1e9 / all.len() as f64
}

/// A random position of at most `most` pieces.
fn random_position<G: Game>(game: G, most: u32, random: &mut Random) -> G::Position {
    loop {
        let mut pieces = Pieces::default();
        for number in 0..2 + random.below(u64::from(most) - 1) {
            // Each side has at least one piece, which is its king in games with royal pieces.
            let color = Color::BOTH[(number % 2) as usize];
            let kind = match G::ROYAL {
                Some(king) if number < 2 => king,
                _ => Kind::new(random.below(G::KINDS.len() as u64) as usize),
            };
            let square = Square::new(random.below(G::SQUARES.into()) as u8);
            pieces[(color, kind)] |= square.into();
        }
        let turn = Color::BOTH[random.below(2) as usize];
        if let Ok(position) = game.position(&Setup::new(pieces, turn)) {
            return position;
        }
    }
}

fn bitboards(handle: *const DamkaTables, fen: &str) -> DamkaPosition {
    let fen = CString::new(fen).expect("text");
    let boards = DamkaBoards { alapo: DamkaAlapo::default() };
    let mut position = DamkaPosition { family: 0, boards };
    // SAFETY: an open handle, a string, a place of our own.
    let status = unsafe { damka_read_fen(handle, fen.as_ptr(), &mut position) };
    assert_eq!(status, DamkaStatus::DAMKA_OK);
    position
}
