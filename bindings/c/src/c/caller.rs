//! Objects of the caller: positions, handles, and buffers for results.

use super::handles::DamkaTables;
use super::strings::{c_str, text};
use crate::failure::Failure;
use crate::position::{DamkaAlapo, DamkaChess, DamkaDraughts, DamkaFamily, DamkaPosition};
use damka::games::{Bitboards, Pieces, Setup};
use damka::{AnyGame, AnyTables, Color, RowError};
use std::ffi::c_char;
use std::ptr::NonNull;

/// A setup without pieces, to which a position is written.
#[inline(always)]
pub(super) fn blank() -> Setup {
    Setup::new(Pieces::default(), Color::White)
}

/// The member of the union that the position's `family` selects.
enum Boards<'a> {
    Draughts(&'a DamkaDraughts),
    Chess(&'a DamkaChess),
    Alapo(&'a DamkaAlapo),
}

/// The boards of a position that the caller passes, which must be of `game`.
#[inline(always)]
fn boards(game: AnyGame, position: &DamkaPosition) -> Result<Boards<'_>, RowError> {
    let DamkaPosition { family, boards } = position;
    // SAFETY: `family` names the member that the caller has set, which consists of integers.
    unsafe {
        match game {
            AnyGame::Draughts(_) if *family == DamkaFamily::DAMKA_DRAUGHTS as i32 => {
                Ok(Boards::Draughts(&boards.draughts))
            }
            AnyGame::Chess(_) if *family == DamkaFamily::DAMKA_CHESS as i32 => {
                Ok(Boards::Chess(&boards.chess))
            }
            AnyGame::Alapo(_) if *family == DamkaFamily::DAMKA_ALAPO as i32 => {
                Ok(Boards::Alapo(&boards.alapo))
            }
            _ => Err(RowError::Family(game.name())),
        }
    }
}

/// Writes a position that the caller passes, which must be of `game`, to a blank setup.
#[inline(always)]
pub(super) fn fill(
    game: AnyGame,
    position: &DamkaPosition,
    setup: &mut Setup,
) -> Result<(), RowError> {
    match boards(game, position)? {
        Boards::Draughts(boards) => boards.fill(setup),
        Boards::Chess(boards) => boards.fill(setup),
        Boards::Alapo(boards) => boards.fill(setup),
    }
}

/// The bitboards of a position that the caller passes. `None` if it is not of the family of `game`, if its side to
/// move is invalid, or if it has castling rights or an en passant square.
#[inline(always)]
pub(super) fn bitboards(game: AnyGame, position: &DamkaPosition) -> Option<Bitboards> {
    match boards(game, position).ok()? {
        Boards::Draughts(boards) => boards.bitboards(),
        Boards::Chess(boards) => boards.bitboards(),
        Boards::Alapo(boards) => boards.bitboards(),
    }
}

/// An open handle.
///
/// # Safety
/// `tables` must be NULL or open, and outlive `'a`.
pub(super) unsafe fn opened<'a>(tables: *const DamkaTables) -> Result<&'a DamkaTables, Failure> {
    // SAFETY: NULL, or open by the caller's promise; handles are only ever shared.
    unsafe { tables.as_ref() }.ok_or_else(|| Failure::null("tables"))
}

/// The tables of a call; writes its position to a blank setup.
///
/// # Safety
/// As [`opened`]; `position` must be NULL or point to a position.
#[inline(always)]
pub(super) unsafe fn tables_and_setup<'a>(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    setup: &mut Setup,
) -> Result<&'a DamkaTables, Failure> {
    // SAFETY: the caller's promise.
    let tables = unsafe { opened(tables)? };
    // SAFETY: the caller's promise.
    let position = unsafe { position.as_ref() }.ok_or_else(|| Failure::null("position"))?;
    fill(tables.game, position, setup)?;
    Ok(tables)
}

/// The tables and the text of a call.
///
/// # Safety
/// As [`opened`] and [`c_str`].
pub(super) unsafe fn tables_and_fen<'a>(
    tables: *const DamkaTables,
    fen: *const c_char,
) -> Result<(&'a dyn AnyTables, &'a str), Failure> {
    // SAFETY: the caller's promises.
    let (tables, fen) = unsafe { (opened(tables)?, c_str(fen, "fen")?) };
    Ok((&*tables.tables, text(fen, "fen")?))
}

/// The place for a result.
pub(super) fn place<T>(pointer: *mut T, name: &str) -> Result<NonNull<T>, Failure> {
    NonNull::new(pointer).ok_or_else(|| Failure::null(name))
}

/// Writes the first items of `found`, at most `size`, to `place`, and the number of all items to
/// `count`. If one of them is an error, nothing is written.
///
/// # Safety
/// `place` must be NULL or point to `size` objects that may be written. `count` must be NULL or
/// point to one that may be written.
pub(super) unsafe fn write_all<T>(
    found: impl ExactSizeIterator<Item = Result<T, Failure>>,
    place: *mut T,
    size: usize,
    count: *mut usize,
    name: &str,
) -> Result<(), Failure> {
    let count = NonNull::new(count).ok_or_else(|| Failure::null("count"))?;
    if place.is_null() && size > 0 {
        return Err(Failure::null(name));
    }
    let all = found.len();
    let written: Vec<T> = found.take(size).collect::<Result<_, _>>()?;
    // SAFETY: the caller provides room for `size` items, and no more are written. No other code uses
    // the buffer meanwhile. The caller also provides room for the number.
    unsafe {
        place.copy_from_nonoverlapping(written.as_ptr(), written.len());
        count.write(all);
    }
    Ok(())
}
