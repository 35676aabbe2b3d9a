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
// Errors. Functions return DAMKA_OK, or a DamkaStatus that says what kind of error there was;
// damka_open() returns NULL. damka_error() is the text, and damka_error_code() the status, of the last
// call on this thread that failed. A function that fails writes nothing, but for the status of each
// position of damka_probe_batch(). Nothing ends the process, unless files are mapped (DAMKA_MAP) and
// somebody cuts a table short, in place, while it is open.
//
// Threads. A handle may be used by any number of threads at once, but for damka_close(), which must
// be the last call. Probes of blocks that are in memory take no lock. No function calls back,
// starts a thread, or prints.
//
// Pointers. Each must be NULL or point to what its type says; where NULL is not allowed it is an
// error. Strings end in a zero byte. No function keeps a pointer that it is given. Handles are made
// by damka_open() and damka_open_with(), and are undefined after damka_close(). Nothing else needs to
// be freed.
//
// Made from bindings/c/src by cbindgen.

#ifndef DAMKA_H
#define DAMKA_H

#include <stddef.h>
#include <stdint.h>

// The version of this header; damka_version() is that of the library. Before 1.0 every minor version
// may change the interface, and has a SONAME of its own.
#define DAMKA_VERSION "0.2.0"
#define DAMKA_VERSION_MAJOR 0
#define DAMKA_VERSION_MINOR 2
#define DAMKA_VERSION_PATCH 0

// A distance that is not known, or was not asked for.
#define DAMKA_UNKNOWN_PLIES 65535

// The room for a move or for a signature, in bytes, with the zero byte at the end.
#define DAMKA_NAME_SIZE 64

// Any value, distance or side; see DamkaQuery.
#define DAMKA_ANY -2

// How a call went. Everything but DAMKA_OK and DAMKA_NOT_DECODED is an error, whose text
// damka_error() has.
typedef enum DamkaStatus {
  // The answer is there.
  DAMKA_OK = 0,
  // An argument is NULL, out of range, no text, no position of the game, or too small a buffer.
  DAMKA_BAD_ARGUMENT = 1,
  // A table that is needed is not in the directory, or cannot be in any: there are more
  // pieces than tables have, or in chess a side may castle.
  DAMKA_MISSING = 2,
  // A table that is needed is damaged, or was made by another version.
  DAMKA_DAMAGED = 3,
  // A table could not be read, or memory could not be had.
  DAMKA_SYSTEM = 4,
  // A bug in damka.
  DAMKA_BUG = 5,
  // Captures lead to more positions than are looked at, which needs many more pieces than
  // tables have.
  DAMKA_TOO_MANY_CAPTURES = 6,
  // The answer does not follow from blocks that are in memory. Only what damka_probe_cached()
  // says; it is no error.
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

// How files of tables are read.
typedef enum DamkaAccess {
  // They are mapped into memory: the quickest way. If somebody cuts a table short, in place, while
  // it is open, or the disk fails, SIGBUS ends the process.
  DAMKA_MAP = 0,
  // They are read with pread(): all that can go wrong is a status. For processes that must go on
  // whatever happens to their files.
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

// What a table tells.
typedef enum DamkaMetric {
  // Win, draw or loss. A table with distances answers where the one without is missing.
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

// The bitboards of a position; `family` says which member is used.
typedef union DamkaBoards {
  // If `family` is DAMKA_DRAUGHTS.
  struct DamkaDraughts draughts;
  // If `family` is DAMKA_CHESS.
  struct DamkaChess chess;
  // If `family` is DAMKA_ALAPO.
  struct DamkaAlapo alapo;
} DamkaBoards;

// A position. Zero bytes are none, which is an error. In C99:
//
//     DamkaPosition position = {DAMKA_DRAUGHTS, {.draughts = {.white = 1u << 28, .black = 1u,
//                                                .kings = 1u << 28, .turn = DAMKA_WHITE}}};
typedef struct DamkaPosition {
  // The family of the game: DAMKA_DRAUGHTS, DAMKA_CHESS or DAMKA_ALAPO.
  int32_t family;
  // The bitboards.
  union DamkaBoards boards;
} DamkaPosition;

// What is known of a position.
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
  // The move as the game writes it: `c3xe5`, `Qh4#`.
  char name[DAMKA_NAME_SIZE];
  // The move by its squares: `c3e5`; in chess as UCI writes it, `d8h4`, `a7a8q`.
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
  // What it tells: DAMKA_WDL or DAMKA_DTW.
  int32_t metric;
  // The number of its pieces.
  uint32_t pieces;
  // The number of its values, both sides to move.
  uint64_t positions;
  // The size of its file in bytes.
  uint64_t bytes;
} DamkaTable;

// Which positions are listed: those of a table for which all conditions hold.
typedef struct DamkaQuery {
  // The pieces, White's first: `KKMvKM`.
  const char *signature;
  // Which values are listed: DAMKA_WDL or DAMKA_DTW.
  int32_t metric;
  // The result for the side to move: DAMKA_WIN, DAMKA_DRAW, DAMKA_LOSS or DAMKA_ANY.
  int32_t result;
  // The distance in plies, under DAMKA_DTW, or DAMKA_ANY.
  int32_t plies;
  // The side to move: DAMKA_WHITE, DAMKA_BLACK or DAMKA_ANY.
  int32_t turn;
  // If not 0, only mutual zugzwangs: each side would do better if the other were to move.
  int32_t zugzwang;
  // If not 0, only positions in which one move keeps the win or the draw, and there are others.
  int32_t only_move;
} DamkaQuery;

// A position that was listed.
typedef struct DamkaListed {
  // The position.
  struct DamkaPosition position;
  // Its value.
  struct DamkaValue value;
} DamkaListed;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens the tables of `game` in `directory`, with room for `cache_bytes` bytes of decoded blocks: 64 MiB is a
// good choice. Files are read with pread(): DAMKA_READ. `game` is any name that damka knows, in any case: russian,
// checkers, chess. The directory need not exist yet; each table is opened when it is first needed.
//
// Returns NULL if there is no such game. Otherwise the handle must be given to damka_close() in the
// end.
struct DamkaTables *damka_open(const char *game,
                               const char *directory,
                               uint64_t cache_bytes);

// Like damka_open(), with `access` DAMKA_MAP or DAMKA_READ. Returns NULL if it is neither.
struct DamkaTables *damka_open_with(const char *game,
                                    const char *directory,
                                    uint64_t cache_bytes,
                                    int access);

// Closes what damka_open() returned; NULL is ignored.
void damka_close(struct DamkaTables *tables);

// Like damka_probe_wdl(), for a position that is text: a FEN, a tag `[FEN "..."]`, or `start`.
enum DamkaStatus damka_wdl(const struct DamkaTables *tables,
                           const char *fen,
                           enum DamkaResult *result);

// Like damka_probe_dtw(), for a position that is text.
enum DamkaStatus damka_dtw(const struct DamkaTables *tables,
                           const char *fen,
                           enum DamkaResult *result,
                           uint16_t *plies);

// Finds the best move of a position that is text, the quickest win or the slowest loss, and writes it
// to `move`, which has room for `size` bytes, with a zero byte at the end: DAMKA_NAME_SIZE bytes are
// enough for any move. Only the zero byte is written if there is no legal move. Where tables with
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

// Finds whether the side to move wins, draws or loses. A table with distances answers where the one
// without is missing. Reads and decodes a block of a table if necessary, which takes microseconds;
// otherwise it takes no lock and no memory, and about 0.1 microseconds.
enum DamkaStatus damka_probe_wdl(const struct DamkaTables *tables,
                                 const struct DamkaPosition *position,
                                 enum DamkaResult *result);

// Like damka_probe_wdl(), with the distance to the win or loss in plies, the winner playing the
// shortest way and the loser the longest: 0 if the side to move has lost already. For a draw
// `plies` is set to 0. Needs tables with distances.
enum DamkaStatus damka_probe_dtw(const struct DamkaTables *tables,
                                 const struct DamkaPosition *position,
                                 enum DamkaResult *result,
                                 uint16_t *plies);

// Finds the value under `metric` (DAMKA_WDL or DAMKA_DTW) if it follows from blocks that are in
// memory, and returns DAMKA_NOT_DECODED otherwise: for threads that must not wait, as inside a
// search. Opens, reads and decodes nothing.
enum DamkaStatus damka_probe_cached(const struct DamkaTables *tables,
                                    const struct DamkaPosition *position,
                                    int metric,
                                    struct DamkaValue *value);

// Finds the values of `count` positions under `metric`, in whatever order needs the fewest reads: each
// block is decoded about once, however small the cache is. Each position has its own status in
// `values`; if one has no value, the status and the error are those of the first such position, and
// the others have theirs.
enum DamkaStatus damka_probe_batch(const struct DamkaTables *tables,
                                   const struct DamkaPosition *positions,
                                   size_t count,
                                   int metric,
                                   struct DamkaValue *values);

// Finds the value and all legal moves with theirs, best first: quick wins, slow wins, draws, slow
// losses, quick losses, and at the end those whose value is unknown. Under DAMKA_WDL distances are
// not asked for; under DAMKA_DTW, where tables with distances are missing, the others tell the
// result. `count` is set to the number of legal moves, and the first of them, at most `size`, are
// written to `moves`, which may be NULL if `size` is 0: there is room enough in 128 for nearly all
// positions. Values that no table tells have the status DAMKA_MISSING; the call fails only if nothing is
// known. Takes some 10 microseconds; for the root of a search.
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

// Asks the operating system to read what a probe of the position under `metric` would read, without
// waiting for it.
enum DamkaStatus damka_prefetch(const struct DamkaTables *tables,
                                const struct DamkaPosition *position,
                                int metric);

// Opens a table, so that the first probe need not, which takes up to milliseconds. `signature` names
// its pieces: `KKMvKM`. Reads no values.
enum DamkaStatus damka_preload(const struct DamkaTables *tables,
                               const char *signature,
                               int metric);

// Decodes a whole table into memory, outside of the cache, until the handle is closed. `bytes` is set
// to the memory that it takes, and may be NULL: a quarter of a byte for a position under DAMKA_WDL,
// one or two under DAMKA_DTW.
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
// more pieces has an answer only if captures lead to tables. Opens all tables, as damka_tables()
// does.
enum DamkaStatus damka_largest(const struct DamkaTables *tables, int metric, uint32_t *pieces);

// Lists positions of a table, of symmetric ones only the first. `cursor` has room for
// DAMKA_NAME_SIZE bytes: it is an empty string where a list begins, and is set to where it goes on, or
// to an empty string at its end. `count` is set to the number of positions found, and they are written
// to `list`, at most `size`, which must not be 0. Rare positions may need a look at the whole table.
enum DamkaStatus damka_list(const struct DamkaTables *tables,
                            const struct DamkaQuery *query,
                            char *cursor,
                            struct DamkaListed *list,
                            size_t size,
                            size_t *count);

// The version of the library that the program runs with, as DAMKA_VERSION is that of the header.
const char *damka_version(void);

// What went wrong in the last call on this thread that failed, in words, in up to 1023 bytes; empty if
// none has. The pointer is valid as long as the thread, and always the same; the text stays until
// another call on this thread fails.
const char *damka_error(void);

// How the last call on this thread that failed went; DAMKA_OK if none has.
enum DamkaStatus damka_error_code(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DAMKA_H */
