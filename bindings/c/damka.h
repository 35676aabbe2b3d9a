// Exact results of endgames in draughts, chess and Alapo, from a directory of damka tables.
//
//     #include <damka.h>
//     #include <stdio.h>
//
//     int main(void) {
//         DamkaTables *tables = damka_open("chess", "/var/lib/damka", 64 << 20);
//         if (!tables) {
//             fprintf(stderr, "%s\n", damka_error());
//             return 1;
//         }
//         // White: king b6, queen d1. Black: king a8. White to move.
//         DamkaPosition position = {DAMKA_CHESS, {.chess = {0}}};
//         position.boards.chess.white = 1ull << 41 | 1ull << 3;
//         position.boards.chess.black = 1ull << 56;
//         position.boards.chess.kings = 1ull << 41 | 1ull << 56;
//         position.boards.chess.queens = 1ull << 3;
//         position.boards.chess.turn = DAMKA_WHITE;
//         DamkaResult result;
//         uint16_t plies;
//         if (damka_probe_dtw(tables, &position, &result, &plies) == DAMKA_OK) {
//             printf("result %d in %d plies\n", result, plies); // result 1 in 1 plies
//         } else {
//             fprintf(stderr, "%s\n", damka_error());
//         }
//         damka_close(tables);
//     }
//
//     cc -std=c99 program.c $(pkg-config --cflags --libs damka)
//
// Positions are bitboards (DamkaPosition) or text (FEN); a function that takes text has `fen` as an
// argument. Programs in C++ have `damka.hpp`.
//
// Values are for the side to move: DAMKA_WIN means that the side to move wins. Distances are in
// plies, the moves of one side, with best play by both sides; in chess to mate. Infinite play is a
// draw. Tables know neither the 50-move rule nor repetitions, and no castling rights. Values are
// exact for every legal position.
//
// Errors. Functions return DAMKA_OK, or a DamkaStatus for the kind of error; damka_open() returns NULL.
// damka_error() is the text, and damka_error_code() the status, of the last failed call on this thread.
// A function that fails writes nothing, except damka_probe_batch(), which writes the status of each
// position. No function ends the process, unless files are mapped (DAMKA_MAP) and a table is truncated
// in place while it is open.
//
// Threads. Any number of threads may use a handle at the same time; damka_close() must be the last
// call. Probes of blocks in memory take no lock. No function calls back, starts a thread, or prints.
//
// Pointers. Each must be NULL or point to an object of its type; NULL is an error unless it is allowed.
// Strings end in a zero byte. No function keeps a pointer that is passed to it. Handles are made by
// damka_open() and damka_open_with(), and are invalid after damka_close(). Nothing else needs to be
// freed.
//
// Made from bindings/c/src by cbindgen.

#ifndef DAMKA_H
#define DAMKA_H

#include <stddef.h>
#include <stdint.h>

// The version of this header; damka_version() is that of the library. Before 1.0 every minor version
// may change the interface, and has its own SONAME.
#define DAMKA_VERSION "0.2.0"
#define DAMKA_VERSION_MAJOR 0
#define DAMKA_VERSION_MINOR 2
#define DAMKA_VERSION_PATCH 0

// A distance that is unknown or was not requested.
#define DAMKA_UNKNOWN_PLIES 65535

// The room for a move or for a signature, in bytes, with the zero byte at the end.
#define DAMKA_NAME_SIZE 64

// Any value, distance or side; see DamkaQuery.
#define DAMKA_ANY -2

// The result of a call. All except DAMKA_OK and DAMKA_NOT_DECODED are errors; damka_error() has the
// text.
typedef enum DamkaStatus {
  // The call has succeeded.
  DAMKA_OK = 0,
  // An argument is NULL, out of range, not text, not a position of the game, or too small a buffer.
  DAMKA_BAD_ARGUMENT = 1,
  // A needed table is not in the directory, or cannot exist: there are more pieces than tables have,
  // or in chess a side has castling rights.
  DAMKA_MISSING = 2,
  // A needed table is damaged, or was made by another version.
  DAMKA_DAMAGED = 3,
  // A table could not be read, or there is not enough memory.
  DAMKA_SYSTEM = 4,
  // A bug in damka.
  DAMKA_BUG = 5,
  // Captures lead to more positions than the limit, which needs many more pieces than tables have.
  DAMKA_TOO_MANY_CAPTURES = 6,
  // The value does not follow from blocks in memory. Only damka_probe_cached() returns it; it is not
  // an error.
  DAMKA_NOT_DECODED = 7,
} DamkaStatus;

// A result for the side to move.
typedef enum DamkaResult {
  // The side to move loses.
  DAMKA_LOSS = -1,
  // Neither side can force a win.
  DAMKA_DRAW = 0,
  // The side to move wins.
  DAMKA_WIN = 1,
} DamkaResult;

// How table files are read.
typedef enum DamkaAccess {
  // They are mapped into memory, which is the fastest way. If a table is truncated in place while it
  // is open, or the disk fails, SIGBUS ends the process.
  DAMKA_MAP = 0,
  // They are read with pread(), the default, so that every error is a status.
  DAMKA_READ = 1,
} DamkaAccess;

// The sides. A position names one in `turn`.
typedef enum DamkaColor {
  // White.
  DAMKA_WHITE = 0,
  // Black.
  DAMKA_BLACK = 1,
} DamkaColor;

// The families of games. A position names its own.
typedef enum DamkaFamily {
  // Russian, English and all other variants of draughts.
  DAMKA_DRAUGHTS = 1,
  // Chess.
  DAMKA_CHESS = 2,
  // Alapo.
  DAMKA_ALAPO = 3,
} DamkaFamily;

// The metric: what a table stores.
typedef enum DamkaMetric {
  // Win, draw or loss. If the WDL table is missing, the DTW table is used.
  DAMKA_WDL = 0,
  // Distance to the win in plies; in chess to mate.
  DAMKA_DTW = 1,
} DamkaMetric;

// An open directory of tables of one game.
typedef struct DamkaTables DamkaTables;

// A position of draughts. Bit 0 is b8 and bit 31 is g1: the dark squares row by row from Black's
// side, in each row from the left as White sees it, as numeric notation counts from 1. The boards
// of Spanish and Italian draughts are mirrored: bit 0 is g8 and bit 31 is b1, each row from the
// right. White moves up the board.
typedef struct DamkaDraughts {
  // All of White's pieces.
  uint32_t white;
  // All of Black's pieces.
  uint32_t black;
  // The kings of both sides; all other pieces are men.
  uint32_t kings;
  // The side to move: DAMKA_WHITE or DAMKA_BLACK.
  uint8_t turn;
} DamkaDraughts;

// A position of chess. Bit 0 is a1, bit 7 is h1, bit 8 is a2 and bit 63 is h8. Each piece is in the
// bitboard of its side and in that of its kind.
typedef struct DamkaChess {
  // All of White's pieces.
  uint64_t white;
  // All of Black's pieces.
  uint64_t black;
  // The kings of both sides.
  uint64_t kings;
  // The queens of both sides.
  uint64_t queens;
  // The rooks of both sides.
  uint64_t rooks;
  // The bishops of both sides.
  uint64_t bishops;
  // The knights of both sides.
  uint64_t knights;
  // The pawns of both sides.
  uint64_t pawns;
  // The side to move: DAMKA_WHITE or DAMKA_BLACK.
  uint8_t turn;
  // The castling rights: 1 and 2 for White's on the king's and the queen's side, 4 and 8 for
  // Black's, each with the outermost rook of that side. No table has positions with any.
  uint8_t castling;
  // The square that a pawn has just passed by a double step (a1 is 0), or 0 if none has.
  uint8_t en_passant;
} DamkaChess;

// A position of Alapo. Bit 0 is a1, bit 5 is f1, bit 6 is a2 and bit 35 is f6. Each piece is in the
// bitboard of its side and in that of its kind, which has its letter in FENs.
typedef struct DamkaAlapo {
  // All of White's pieces.
  uint64_t white;
  // All of Black's pieces.
  uint64_t black;
  // The large circles (Q) of both sides.
  uint64_t large_circles;
  // The large squares (R) of both sides.
  uint64_t large_squares;
  // The large triangles (B) of both sides.
  uint64_t large_triangles;
  // The small circles (K) of both sides.
  uint64_t small_circles;
  // The small squares (W) of both sides.
  uint64_t small_squares;
  // The small triangles (F) of both sides.
  uint64_t small_triangles;
  // The side to move: DAMKA_WHITE or DAMKA_BLACK.
  uint8_t turn;
} DamkaAlapo;

// The bitboards of a position; `family` selects the member.
typedef union DamkaBoards {
  // If `family` is DAMKA_DRAUGHTS.
  struct DamkaDraughts draughts;
  // If `family` is DAMKA_CHESS.
  struct DamkaChess chess;
  // If `family` is DAMKA_ALAPO.
  struct DamkaAlapo alapo;
} DamkaBoards;

// A position. A position whose bytes are all zero is an error. In C99:
//
//     DamkaPosition position = {DAMKA_DRAUGHTS, {.draughts = {.white = 1u << 28, .black = 1u,
//                                                .kings = 1u << 28, .turn = DAMKA_WHITE}}};
typedef struct DamkaPosition {
  // The family of the game: DAMKA_DRAUGHTS, DAMKA_CHESS or DAMKA_ALAPO.
  int32_t family;
  // The bitboards.
  union DamkaBoards boards;
} DamkaPosition;

// The value of a position.
typedef struct DamkaValue {
  // DAMKA_OK, or why there is no result.
  enum DamkaStatus status;
  // The result for the side to move; DAMKA_DRAW if there is none.
  enum DamkaResult result;
  // The distance to the win or loss in plies, 0 for a draw, or DAMKA_UNKNOWN_PLIES.
  uint16_t plies;
} DamkaValue;

// A legal move.
typedef struct DamkaMove {
  // The move in the notation of the game: `c3xe5`, `Qh4#`.
  char name[DAMKA_NAME_SIZE];
  // The move by its squares: `c3e5`; in chess as in UCI, `d8h4`, `a7a8q`.
  char coordinates[DAMKA_NAME_SIZE];
  // The value for the side that plays it; the distance includes the move.
  struct DamkaValue value;
  // The position after it.
  struct DamkaPosition after;
} DamkaMove;

// A table.
typedef struct DamkaTable {
  // Its pieces: `KKMvKM`.
  char signature[DAMKA_NAME_SIZE];
  // Its metric: DAMKA_WDL or DAMKA_DTW.
  int32_t metric;
  // The number of its pieces.
  uint32_t pieces;
  // The number of its values, with both sides to move.
  uint64_t positions;
  // The size of its file in bytes.
  uint64_t bytes;
} DamkaTable;

// A query: the positions of a table that meet all conditions are listed.
typedef struct DamkaQuery {
  // The pieces, White's first: `KKMvKM`.
  const char *signature;
  // The metric of the values: DAMKA_WDL or DAMKA_DTW.
  int32_t metric;
  // The result for the side to move: DAMKA_WIN, DAMKA_DRAW, DAMKA_LOSS or DAMKA_ANY.
  int32_t result;
  // The distance in plies, under DAMKA_DTW, or DAMKA_ANY.
  int32_t plies;
  // The side to move: DAMKA_WHITE, DAMKA_BLACK or DAMKA_ANY.
  int32_t turn;
  // If not 0, only mutual zugzwangs: each side would do better if the other were to move.
  int32_t zugzwang;
  // If not 0, only positions with several legal moves, exactly one of which keeps the win or the
  // draw.
  int32_t only_move;
} DamkaQuery;

// A listed position.
typedef struct DamkaListed {
  // The position.
  struct DamkaPosition position;
  // Its value.
  struct DamkaValue value;
} DamkaListed;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens the tables of `game` in `directory`, read with pread(), with a cache of `cache_bytes` bytes
// for decoded blocks: 64 MiB is a good choice. `game` is any name that damka knows, in any case:
// russian, checkers, chess. The directory need not exist yet; each table is opened when it is first
// needed.
//
// Returns NULL if there is no such game. Otherwise the handle must later be passed to damka_close().
struct DamkaTables *damka_open(const char *game,
                               const char *directory,
                               uint64_t cache_bytes);

// Like damka_open(), with `access` DAMKA_MAP or DAMKA_READ. Returns NULL if it is neither.
struct DamkaTables *damka_open_with(const char *game,
                                    const char *directory,
                                    uint64_t cache_bytes,
                                    int access);

// Closes a handle of damka_open(); NULL is ignored.
void damka_close(struct DamkaTables *tables);

// Like damka_probe_wdl(), for a position given as text: a FEN, a tag `[FEN "..."]`, or `start`.
enum DamkaStatus damka_wdl(const struct DamkaTables *tables,
                           const char *fen,
                           enum DamkaResult *result);

// Like damka_probe_dtw(), for a position given as text.
enum DamkaStatus damka_dtw(const struct DamkaTables *tables,
                           const char *fen,
                           enum DamkaResult *result,
                           uint16_t *plies);

// Finds the best move of a position given as text, the quickest win or the slowest loss, and writes it
// to `move`, which has room for `size` bytes, with a zero byte at the end: DAMKA_NAME_SIZE bytes are
// enough for any move. Only the zero byte is written if there is no legal move. If tables with
// distances are missing, it is a move that keeps the result, but may make no progress.
enum DamkaStatus damka_best_move(const struct DamkaTables *tables,
                                 const char *fen,
                                 char *move,
                                 size_t size);

// Reads a position from text: a FEN, a tag `[FEN "..."]`, or `start`. Move counters are left out.
enum DamkaStatus damka_read_fen(const struct DamkaTables *tables,
                                const char *fen,
                                struct DamkaPosition *position);

// Writes the FEN of a position to `fen`, which has room for `size` bytes, with a zero byte at the
// end: 256 bytes are enough for any position.
enum DamkaStatus damka_write_fen(const struct DamkaTables *tables,
                                 const struct DamkaPosition *position,
                                 char *fen,
                                 size_t size);

// Finds whether the side to move wins, draws or loses. If the WDL table is missing, the DTW table is
// used. Reads and decodes a block of a table if necessary, which takes microseconds; otherwise it
// takes no lock, allocates no memory and needs 0.1 to 0.5 microseconds.
enum DamkaStatus damka_probe_wdl(const struct DamkaTables *tables,
                                 const struct DamkaPosition *position,
                                 enum DamkaResult *result);

// Like damka_probe_wdl(), with the distance to the win or loss in plies, if the winner plays the
// shortest way and the loser the longest: 0 if the side to move has already lost. For a draw `plies`
// is set to 0. Needs tables with distances.
enum DamkaStatus damka_probe_dtw(const struct DamkaTables *tables,
                                 const struct DamkaPosition *position,
                                 enum DamkaResult *result,
                                 uint16_t *plies);

// Finds the value of `metric` (DAMKA_WDL or DAMKA_DTW) if it follows from blocks in memory, and
// returns DAMKA_NOT_DECODED otherwise: for threads that must not wait, as in a search. Opens, reads
// and decodes nothing.
enum DamkaStatus damka_probe_cached(const struct DamkaTables *tables,
                                    const struct DamkaPosition *position,
                                    int metric,
                                    struct DamkaValue *value);

// Finds the values of `metric` of `count` positions, in the order with the fewest reads: each block is
// decoded about once, even with a small cache. Each position has its own status in `values`. If any
// has no value, the returned status and the error are those of the first such position; the others
// have their values.
enum DamkaStatus damka_probe_batch(const struct DamkaTables *tables,
                                   const struct DamkaPosition *positions,
                                   size_t count,
                                   int metric,
                                   struct DamkaValue *values);

// Finds the value, and all legal moves with their values, best first: quick wins, slow wins, draws,
// slow losses, quick losses. Moves of unknown value are last, or first if the best move must be one
// of them. DAMKA_WDL finds no distances; under DAMKA_DTW, if DTW tables are missing, WDL tables give
// the results. `count` is set to the number of legal moves, and the first of them, at most `size`,
// are written to `moves`, which may be NULL if `size` is 0: 128 are enough for nearly all positions.
// Unknown values have the status DAMKA_MISSING; the call fails only if all are unknown. Takes some
// 10 microseconds; for the root of a search.
enum DamkaStatus damka_probe_root(const struct DamkaTables *tables,
                                  const struct DamkaPosition *position,
                                  int metric,
                                  struct DamkaValue *value,
                                  struct DamkaMove *moves,
                                  size_t size,
                                  size_t *count);

// Finds best play to the end of the game: the winner plays the shortest way, the loser the longest.
// `count` is set to the number of moves, 0 for a draw or if the game is over, and the first of them,
// at most `size`, are written to `moves`, which may be NULL if `size` is 0. Needs tables with
// distances.
enum DamkaStatus damka_probe_line(const struct DamkaTables *tables,
                                  const struct DamkaPosition *position,
                                  struct DamkaMove *moves,
                                  size_t size,
                                  size_t *count);

// Asks the operating system to read the data of a probe of the position under `metric`, without
// waiting for it.
enum DamkaStatus damka_prefetch(const struct DamkaTables *tables,
                                const struct DamkaPosition *position,
                                int metric);

// Opens a table, so that the first probe is not delayed; this takes up to a few milliseconds.
// `signature` has its pieces: `KKMvKM`. Reads no values.
enum DamkaStatus damka_preload(const struct DamkaTables *tables, const char *signature, int metric);

// Decodes a whole table into memory, outside of the cache, until the handle is closed. `bytes`, which
// may be NULL, is set to the memory that it takes: a quarter of a byte per position under DAMKA_WDL,
// one or two bytes under DAMKA_DTW.
enum DamkaStatus damka_pin(const struct DamkaTables *tables,
                           const char *signature,
                           int metric,
                           uint64_t *bytes);

// Lists the tables, by ascending number of pieces; damaged ones are left out. `count` is set to their
// number, and the first of them, at most `size`, are written to `list`, which may be NULL if `size` is
// 0. Opens each of them for a moment.
enum DamkaStatus damka_tables(const struct DamkaTables *tables,
                              struct DamkaTable *list,
                              size_t size,
                              size_t *count);

// Finds the number of pieces of the largest table of `metric`, 0 if there is none. A position with
// more pieces has a value only if captures lead to tables. Opens all tables, like damka_tables().
enum DamkaStatus damka_largest(const struct DamkaTables *tables, int metric, uint32_t *pieces);

// Lists positions of a table, of symmetric ones only the first, and of the two positions of a mutual
// zugzwang also only the first, unless `turn` is given. `cursor` has room for DAMKA_NAME_SIZE
// bytes: an empty string begins a list; it is set to the cursor of the next part, or to an empty
// string at the end. `count` is set to the number of positions found, and they are written to `list`,
// at most `size`, which must not be 0. Rare positions may need a search of the whole table.
enum DamkaStatus damka_list(const struct DamkaTables *tables,
                            const struct DamkaQuery *query,
                            char *cursor,
                            struct DamkaListed *list,
                            size_t size,
                            size_t *count);

// The version of the library that the program runs with, as DAMKA_VERSION is that of the header.
const char *damka_version(void);

// The text of the error of the last failed call on this thread, up to 1023 bytes; empty if none has
// failed. The pointer is valid while the thread runs, and always the same; the text stays until
// another call on this thread fails.
const char *damka_error(void);

// The status of the last failed call on this thread; DAMKA_OK if none has failed.
enum DamkaStatus damka_error_code(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DAMKA_H */
