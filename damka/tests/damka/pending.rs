//! A storage whose bytes come later: a query requests all bytes that it needs, and is answered when
//! they have arrived.

use crate::golden_of;
use damka::chunks::{
    ChunkFiles, ChunkId, ChunkManifest, ChunkRequest, ChunkStore, ChunkedTables, write_chunks,
};
use damka::{
    AnyAnswers, AnyGame, AskError, BlockCache, Color, Filter, ListQuery, ListRequest, Metric,
    open_answers,
};
use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow::Continue;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Chunks that are delivered after they have been requested.
struct Later {
    files: ChunkFiles,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    there: HashMap<ChunkId, Arc<[u8]>>,
    wanted: Vec<ChunkId>,
}

impl Later {
    /// Delivers all that was requested. Returns how many chunks.
    fn deliver(&self) -> usize {
        let state = &mut *self.state.lock().expect("a lock");
        let wanted = std::mem::take(&mut state.wanted);
        for &id in &wanted {
            state.there.insert(id, self.files.chunk(id).expect("a chunk"));
        }
        wanted.len()
    }
}

impl ChunkStore for Later {
    fn chunk(&self, id: ChunkId) -> io::Result<Arc<[u8]>> {
        let state = &mut *self.state.lock().expect("a lock");
        if let Some(bytes) = state.there.get(&id) {
            return Ok(Arc::clone(bytes));
        }
        if !state.wanted.contains(&id) {
            state.wanted.push(id);
        }
        Err(io::ErrorKind::WouldBlock.into())
    }
}

/// The golden tables of a game, before any chunk has been delivered.
fn later(game: AnyGame, out: &Path) -> (Box<dyn AnyAnswers>, Arc<Later>) {
    let directory = out.join(game.name());
    let json = std::fs::read(directory.join("tables.json")).expect("a manifest");
    let manifest = ChunkManifest::parse(&json).expect("a sound manifest");
    let files = ChunkFiles(directory);
    let store = Arc::new(Later { files, state: Mutex::default() });
    let chunked = ChunkedTables::new(&manifest.game, manifest.tables, Arc::clone(&store));
    (open_answers(game, chunked, BlockCache::new(1 << 20)), store)
}

/// Repeats a query until it is answered. Returns the answer and the number of deliveries.
fn ask<T>(store: &Later, question: impl Fn() -> Result<T, AskError>) -> (T, usize) {
    for rounds in 0..100 {
        match question() {
            Ok(answer) => return (answer, rounds),
            Err(error) => {
                assert!(error.is_pending() && !error.is_missing(), "{error}");
                assert!(store.deliver() > 0, "nothing is wanted");
            }
        }
    }
    panic!("no answer");
}

#[test]
fn questions_are_answered_when_their_bytes_are_there() {
    let of_russian = ["W:WKa1:Bb8", "B:WKa1:Bb8", "W:WKa1:BKg7", "B:WKc3:Bf6"];
    for (tables, name, signature, fens) in [
        ("golden", "russian", "KvM", of_russian),
        // Half tables, which leave out one side to move.
        ("golden-2", "russian", "KvM", of_russian),
        (
            "golden",
            "chess",
            "KPvK",
            [
                "8/8/8/8/8/k7/7P/K7 w - - 0 1",
                "8/8/8/8/8/k7/7P/K7 b - - 0 1",
                "8/4P3/8/8/8/k7/8/K7 w - - 0 1",
                "8/8/8/8/8/1k6/1P6/K7 b - - 0 1",
            ],
        ),
    ] {
        let game: AnyGame = name.parse().expect("a game");
        let (golden, out) = (golden_of(tables), tempfile::tempdir().expect("a directory"));
        let request = ChunkRequest {
            game,
            tables: vec![golden.clone()],
            most_pieces: None,
            out: out.path().into(),
        };
        write_chunks(&request, &mut |_, _| Continue(())).expect("it is written");
        let here = damka::open(game, &golden, Default::default());
        for fen in fens.into_iter().filter(|fen| here.legal_moves(fen).is_ok()) {
            for metric in [Metric::Wdl, Metric::Dtw] {
                let (tables, store) = later(game, out.path());
                let (answer, rounds) = ask(&store, || tables.answer(fen, metric));
                assert_eq!(answer, here.answer(fen, metric).expect("an answer"), "{fen}");
                // At most a root, a page and a block, whatever the number of moves.
                assert!(rounds <= 3, "{fen}: {rounds} rounds");
                let (again, rounds) = ask(&store, || tables.answer(fen, metric));
                assert_eq!((again, rounds), (answer, 0));
            }
            let (tables, store) = later(game, out.path());
            let (line, _) = ask(&store, || tables.line(fen));
            assert_eq!(line, here.line(fen).expect("a line"));
        }

        let (tables, store) = later(game, out.path());
        let square = if name == "chess" { "h2" } else { "a1" };
        let map = |tables: &dyn AnyAnswers| {
            tables.square_map(fens[0], square, Some(Color::Black), Metric::Dtw)
        };
        let (squares, rounds) = ask(&store, || map(&*tables));
        assert_eq!(squares, map(&*here).expect("a map"));
        assert!(rounds <= 3, "{rounds} rounds");

        let (tables, store) = later(game, out.path());
        let (stats, rounds) = ask(&store, || tables.stats(signature));
        // The header is in the root.
        assert_eq!((stats, rounds <= 1), (here.stats(signature).expect("counts"), true));

        for filter in [
            Filter::default(),
            Filter { zugzwang: true, ..Filter::default() },
            Filter { only_move: true, ..Filter::default() },
        ] {
            let (tables, store) = later(game, out.path());
            let signature = signature.to_owned();
            let metric = Metric::Dtw;
            let query = ListQuery { signature, metric, filter, turn: None, copies: false };
            let request = ListRequest { query, from: None, limit: 300, deadline: None };
            let (page, _) = ask(&store, || tables.list(&request));
            assert_eq!(page, here.list(&request).expect("a list"));
            let random = |tables: &dyn AnyAnswers| tables.random(&request.query, 7, None);
            let (random_there, _) = ask(&store, || random(&*tables));
            assert_eq!(random_there, random(&*here).expect("a position"));
        }
    }
}
