//! Objects that follow from the tables alone: routes send them, and a site contains them as files.

use crate::errors::ApiError;
use crate::library::GameTables;
use damka::{
    AskError, Filter, Inventory, ListPage, ListQuery, ListRequest, ListedPosition, Metric,
    SideHistogram, SideStats, TableInfo, Wdl,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow::Continue;
use std::time::{Duration, Instant};

/// The numbers and sizes of a game's tables.
#[derive(Debug, Serialize)]
pub(crate) struct Holdings {
    /// The maximum number of pieces of a table; 0 without tables.
    pub(crate) most_pieces: u32,
    /// The number of signatures with a table.
    pub(crate) signatures: usize,
    /// The number of tables.
    pub(crate) tables: usize,
    /// The number of tables that cannot be used.
    pub(crate) damaged: usize,
    /// The number of positions of all signatures with a table. Symmetric positions are counted once.
    pub(crate) positions: u64,
    /// The size of all tables in bytes.
    pub(crate) bytes: u64,
    /// Identifies the values of all tables.
    pub(crate) digest: String,
}

impl Holdings {
    pub(crate) fn of(game: &GameTables) -> Holdings {
        let Inventory { tables, damaged } = &game.inventory;
        let of = |table: &TableInfo| (table.signature.clone(), table.positions);
        let by_signature: BTreeMap<String, u64> = tables.iter().map(of).collect();
        Holdings {
            most_pieces: tables.iter().map(|table| table.pieces).max().unwrap_or(0),
            signatures: game.signatures().len(),
            tables: tables.len(),
            damaged: damaged.len(),
            positions: by_signature.values().sum(),
            bytes: tables.iter().map(|table| table.bytes).sum(),
            digest: game.digest.clone(),
        }
    }
}

/// The counts of signatures, with White and with Black to move.
#[derive(Debug, Serialize)]
pub(crate) struct Stats {
    pub(crate) game: &'static str,
    pub(crate) stats: Vec<SideStats>,
}

impl Stats {
    /// The counts of all signatures.
    ///
    /// # Errors
    /// Counting fails for another reason than a table. Signatures whose tables have an error are left
    /// out.
    pub(crate) fn of_all(game: &GameTables) -> Result<Stats, AskError> {
        let mut stats = Vec::new();
        for signature in game.signatures() {
            match game.tables.stats(&signature) {
                Ok(sides) => stats.extend(sides),
                Err(AskError::Probe(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Stats { game: game.info.game, stats })
    }
}

/// The number of positions of each value, with White and with Black to move.
#[derive(Debug, Serialize)]
pub(crate) struct Histograms {
    pub(crate) game: &'static str,
    pub(crate) signature: String,
    pub(crate) histograms: Vec<SideHistogram>,
}

impl Histograms {
    /// The histograms of a signature. If its tables have none, up to `most` positions are counted.
    ///
    /// # Errors
    /// There are more positions, or the tables are missing or damaged.
    pub(crate) fn of(
        game: &GameTables,
        signature: &str,
        most: u64,
    ) -> Result<Histograms, ApiError> {
        let stats = game.tables.stats(signature)?;
        let signature = stats[0].signature.clone();
        let histograms = match game.tables.stored_histogram(&signature)? {
            Some(histograms) => histograms,
            None if stats.iter().map(|side| side.positions).sum::<u64>() > most => {
                let message = format!("{signature} has too many positions to be counted here");
                return Err(ApiError::too_large(message));
            }
            None => game.tables.histogram(&signature, &mut |_, _| Continue(()))?,
        };
        Ok(Histograms { game: game.info.game, signature, histograms: histograms.into() })
    }
}

/// A page of a list.
#[derive(Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) game: &'static str,
    pub(crate) signature: String,
    pub(crate) positions: Vec<ListedPosition>,
    /// The cursor of the next page; null at the end of the list.
    pub(crate) next: Option<String>,
}

impl Page {
    /// A page of at most `limit` positions. It may have fewer if the work takes longer than `soon`, and
    /// none if it takes longer than `work_time`; the list can still be continued.
    ///
    /// # Errors
    /// The query or its cursor is wrong, or a table is missing or damaged.
    pub(crate) fn of(
        game: &GameTables,
        mut request: ListRequest,
        soon: Duration,
        work_time: Duration,
    ) -> Result<Page, AskError> {
        let end = Instant::now() + work_time;
        let page = loop {
            let deadline = Instant::now() + soon;
            request.deadline = Some(deadline.min(end));
            let page = game.tables.list(&request)?;
            if !page.positions.is_empty() || page.next.is_none() || deadline >= end {
                break page;
            }
            request.from = page.next;
        };
        Ok(Page::new(game, page))
    }

    /// The beginning of a list: at most `limit` positions, found in at most `steps` steps of
    /// 8,192 places. The result does not depend on the speed of the machine.
    ///
    /// # Errors
    /// The query is wrong, or a table is missing or damaged.
    pub(crate) fn beginning(
        game: &GameTables,
        query: ListQuery,
        limit: usize,
        steps: u32,
    ) -> Result<Page, AskError> {
        // The deadline has passed already, so each request makes exactly one step.
        let deadline = Some(Instant::now());
        let mut request = ListRequest { query, from: None, limit, deadline };
        let mut page = game.tables.list(&request)?;
        for _ in 1..steps {
            request.limit = limit - page.positions.len();
            request.from = page.next;
            if request.limit == 0 || request.from.is_none() {
                break;
            }
            let ListPage { positions, next, .. } = game.tables.list(&request)?;
            page.positions.extend(positions);
            page.next = next;
        }
        Ok(Page::new(game, page))
    }

    fn new(game: &GameTables, page: ListPage) -> Page {
        let ListPage { signature, positions, next } = page;
        let next = next.map(|cursor| cursor.to_string());
        Page { game: game.info.game, signature, positions, next }
    }
}

/// A list of a signature's positions that the page shows: the parameters of its query.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    value: Option<&'static str>,
    distance: Option<u16>,
    zugzwang: bool,
    unique: bool,
}

impl Shown {
    /// The lists of a signature that the page shows: the longest wins, mutual zugzwangs, and wins by a
    /// single move.
    pub(crate) fn all(stats: &[SideStats]) -> Vec<Shown> {
        let none = || Shown { value: None, distance: None, zugzwang: false, unique: false };
        let longest = stats.iter().filter_map(|side| side.longest_win).max();
        let longest = longest.filter(|&plies| plies > 0);
        let longest = longest.map(|plies| Shown {
            value: Some(Wdl::Win.word()),
            distance: Some(plies),
            ..none()
        });
        let mut all: Vec<Shown> = longest.into_iter().collect();
        all.push(Shown { zugzwang: true, ..none() });
        all.push(Shown { value: Some(Wdl::Win.word()), unique: true, ..none() });
        all
    }

    /// The query for the list.
    pub(crate) fn query(&self, signature: &str) -> ListQuery {
        ListQuery {
            signature: signature.to_owned(),
            metric: Metric::Dtw,
            filter: Filter {
                wdl: self.value.map(|_| Wdl::Win),
                plies: self.distance,
                only_move: self.unique,
                zugzwang: self.zugzwang,
            },
            turn: None,
            copies: false,
        }
    }
}
