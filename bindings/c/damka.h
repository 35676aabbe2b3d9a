// Exact endgame results from a directory of damka tables.
//
// Made from bindings/c/src/c.rs by cbindgen.

#ifndef DAMKA_H
#define DAMKA_H

#include <stddef.h>
#include <stdint.h>
// A handle may be used by several threads at once. Strings end in a zero byte; no function
// keeps a pointer that it is given, and none writes to one unless it succeeds. What went wrong
// is told by damka_error(): nothing ends the process, unless files are mapped (DAMKA_MAP) and
// somebody cuts a table short, in place, while it is open.

// How a call went.
typedef enum DamkaStatus {
  // The answer is there.
  DAMKA_OK = 0,
  // An argument is NULL, no text, no position of the game, or too small a buffer.
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
  // They are mapped into memory: the quickest way. If somebody cuts a table short, in
  // place, while it is open, or the disk fails, SIGBUS ends the process.
  DAMKA_MAP = 0,
  // They are read with pread(): all that can go wrong is a status. For processes that have
  // to go on whatever happens to their files.
  DAMKA_READ = 1,
} DamkaAccess;

// A directory of tables of one game.
typedef struct DamkaTables DamkaTables;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens the tables of `game` (russian, checkers, chess and so on, by any name that `damka` knows)
// in `directory`, with memory for `cache_bytes` bytes of decoded blocks: 64 MiB is a good choice. Tables are read
// when they are first needed, as DAMKA_MAP says.
//
// Returns NULL if there is no such game. Otherwise the handle must be given to damka_close()
// in the end.
//
// # Safety
// `game` and `directory` must be NULL or point to strings that end in a zero byte.
struct DamkaTables *damka_open(const char *game,
                               const char *directory,
                               uint64_t cache_bytes);

// The same, files being read as `access` says: DAMKA_MAP or DAMKA_READ. Returns NULL if it is
// neither.
//
// # Safety
// As damka_open().
struct DamkaTables *damka_open_with(const char *game,
                                    const char *directory,
                                    uint64_t cache_bytes,
                                    int access);

// Closes what damka_open() returned; NULL is ignored.
//
// # Safety
// `tables` must be NULL or come from damka_open() and not be used any more, by any thread.
void damka_close(struct DamkaTables *tables);

// Finds whether the side to move wins, draws or loses the position `fen`. A table with distances
// answers where the one without is missing.
//
// # Safety
// `tables` must be NULL or open, `fen` be NULL or point to a string that ends in a zero byte,
// `result` be NULL or point to a DamkaResult that may be written.
enum DamkaStatus damka_wdl(const struct DamkaTables *tables,
                           const char *fen,
                           enum DamkaResult *result);

// The same with the distance to the win or loss in plies, the winner playing the shortest
// way and the loser the longest: 0 if the side to move has lost already. For a draw `plies`
// is set to 0.
//
// # Safety
// As damka_wdl(); `plies` must be NULL or point to a uint16_t that may be written.
enum DamkaStatus damka_dtw(const struct DamkaTables *tables,
                           const char *fen,
                           enum DamkaResult *result,
                           uint16_t *plies);

// Finds the best move, the quickest win or the slowest loss, and writes it to `move`, which
// has room for `size` bytes, with a zero byte at the end: 64 bytes are enough for any move.
// Nothing but the zero byte if there is no legal move. Where tables with distances are missing,
// it is a move that keeps the result, but may make no progress.
//
// # Safety
// As damka_wdl(); `move` must be NULL or point to `size` bytes that may be written.
enum DamkaStatus damka_best_move(const struct DamkaTables *tables,
                                 const char *fen,
                                 char *move,
                                 size_t size);

// What went wrong in the last call on this thread that failed, for people to read, in up to
// 1023 bytes; empty if none has. The pointer is valid as long as the thread, and always the
// same one; the text stays until another call on this thread fails.
const char *damka_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* DAMKA_H */
