/* Prints the value of a position given as text:
 *
 *     cc -std=c99 probe.c $(pkg-config --cflags --libs damka) -o probe
 *     ./probe russian DIR 'W:WKa1:BKh2'
 */
#include <damka.h>
#include <stdio.h>

static int fail(void) {
    fprintf(stderr, "%s\n", damka_error());
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "expected a game, a directory of tables and positions\n");
        return 2;
    }
    DamkaTables *tables = damka_open(argv[1], argv[2], 64 << 20);
    if (!tables) {
        return fail();
    }
    int failed = 0;
    for (int i = 3; i < argc; i++) {
        DamkaResult wdl, dtw;
        uint16_t plies;
        char best[64];
        if (damka_wdl(tables, argv[i], &wdl) != DAMKA_OK ||
            damka_dtw(tables, argv[i], &dtw, &plies) != DAMKA_OK ||
            damka_best_move(tables, argv[i], best, sizeof best) != DAMKA_OK) {
            failed = fail();
            continue;
        }
        printf("%s: wdl %d, dtw %d in %d, best %s\n", argv[i], wdl, dtw, plies, best);
    }
    damka_close(tables);
    return failed;
}
