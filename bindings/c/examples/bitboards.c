/* Probes a position of Russian draughts given as bitboards:
 *
 *     cc -std=c99 bitboards.c $(pkg-config --cflags --libs damka) -o bitboards
 *     ./bitboards DIR
 */
#include <damka.h>
#include <stdio.h>

static int fail(void) {
    fprintf(stderr, "%s\n", damka_error());
    return 1;
}

int main(int argc, char **argv) {
    DamkaTables *tables = damka_open("russian", argc > 1 ? argv[1] : "", 64 << 20);
    if (!tables) {
        return fail();
    }
    /* A white king on a1, a black one on g7, White to move. */
    DamkaPosition position = {DAMKA_DRAUGHTS, {.draughts = {0}}};
    position.boards.draughts.white = 1u << 28;
    position.boards.draughts.black = 1u << 7;
    position.boards.draughts.kings = 1u << 28 | 1u << 7;
    position.boards.draughts.turn = DAMKA_WHITE;

    DamkaResult result;
    uint16_t plies;
    DamkaValue value;
    DamkaMove moves[128];
    size_t count;
    if (damka_probe_dtw(tables, &position, &result, &plies) != DAMKA_OK ||
        damka_probe_root(tables, &position, DAMKA_DTW, &value, moves, 128, &count) != DAMKA_OK) {
        damka_close(tables);
        return fail();
    }
    printf("result %d in %d plies, %d moves\n", result, plies, (int)count);
    for (size_t i = 0; i < count; i++) {
        printf("%s: %d in %d\n", moves[i].name, moves[i].value.result, moves[i].value.plies);
    }
    damka_close(tables);
    return 0;
}
