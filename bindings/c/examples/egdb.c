/* egdb_lookup(), the look-up function of drivers for checkers databases, with damka's tables: for engines that
 * call it.
 *
 *     cc -std=c99 egdb.c $(pkg-config --cflags --libs damka) -o egdb
 *     ./egdb GAME DIR
 *
 * Differences: positions with captures have answers, too, and an answer is never a bound.
 */
#include <damka.h>
#include <stdio.h>

enum { EGDB_NOT_IN_CACHE = -1, EGDB_UNKNOWN = 0, EGDB_WIN = 1, EGDB_LOSS = 2, EGDB_DRAW = 3 };
enum { EGDB_BLACK = 0, EGDB_WHITE = 1 };

/* Bit 0 is square 1, bit 31 square 32. */
typedef struct {
    uint32_t black, white, king;
} EGDB_POSITION;

typedef DamkaTables EGDB_DRIVER;

static EGDB_DRIVER *egdb_open(const char *game, int cache_mb, const char *directory) {
    return damka_open(game, directory, (uint64_t)cache_mb << 20);
}

/* With `cl` (conditional look-up) only blocks in memory are used. */
static int egdb_lookup(EGDB_DRIVER *handle, const EGDB_POSITION *board, int color, int cl) {
    DamkaPosition position = {DAMKA_DRAUGHTS, {.draughts = {0}}};
    position.boards.draughts.white = board->white;
    position.boards.draughts.black = board->black;
    position.boards.draughts.kings = board->king;
    position.boards.draughts.turn = color == EGDB_WHITE ? DAMKA_WHITE : DAMKA_BLACK;
    DamkaResult result;
    if (cl) {
        DamkaValue value;
        DamkaStatus status = damka_probe_cached(handle, &position, DAMKA_WDL, &value);
        if (status == DAMKA_NOT_DECODED) {
            damka_prefetch(handle, &position, DAMKA_WDL);
            return EGDB_NOT_IN_CACHE;
        }
        if (status != DAMKA_OK) {
            return EGDB_UNKNOWN;
        }
        result = value.result;
    } else if (damka_probe_wdl(handle, &position, &result) != DAMKA_OK) {
        return EGDB_UNKNOWN;
    }
    return result == DAMKA_WIN ? EGDB_WIN : result == DAMKA_DRAW ? EGDB_DRAW : EGDB_LOSS;
}

static void egdb_close(EGDB_DRIVER *handle) { damka_close(handle); }

int main(int argc, char **argv) {
    EGDB_DRIVER *handle = argc == 3 ? egdb_open(argv[1], 64, argv[2]) : NULL;
    if (!handle) {
        fprintf(stderr, "%s\n", argc == 3 ? damka_error() : "expected a game and a directory");
        return 1;
    }
    /* A white king on 29 (a1), a black one on 8 (g7): White captures it in games with flying kings. */
    EGDB_POSITION board = {1u << 7, 1u << 28, 1u << 7 | 1u << 28};
    printf("conditional: %d\n", egdb_lookup(handle, &board, EGDB_WHITE, 1));
    printf("White to move: %d\n", egdb_lookup(handle, &board, EGDB_WHITE, 0));
    /* A black king on 28 (h2): neither side can win. */
    board.black = 1u << 27;
    board.king = board.black | board.white;
    printf("conditional: %d\n", egdb_lookup(handle, &board, EGDB_WHITE, 1));
    printf("White to move: %d\n", egdb_lookup(handle, &board, EGDB_WHITE, 0));
    printf("conditional: %d\n", egdb_lookup(handle, &board, EGDB_WHITE, 1));
    egdb_close(handle);
    return 0;
}
