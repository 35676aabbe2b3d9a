/* Compares damka with Fathom, which probes Syzygy tables: the answers, and the time of a WDL probe by bitboards.
 *
 *     target/release/damka gen chess 4 --metric wdl --tables DIR
 *     cc -std=c99 -O2 -I bindings/c -o fathom_check tests/crosscheck/fathom_check.c target/release/libdamka_c.a \
 *         -lpthread -ldl -lm
 *     ./fathom_check Fathom/libfathom.so SYZYGY DIR 4096 3 4 KRPvKR
 *
 * libfathom.so is Fathom's library, as its own makefile builds it. SYZYGY has the Syzygy tables (.rtbw) and DIR
 * damka's. For each named number of pieces and signature, the program makes this many (here 4096) legal positions
 * without castling rights and en passant captures. They are random, but the same in each run. Those for a number of
 * pieces are of any signature with that number. Both libraries probe all positions in turn, in many rounds; the first
 * round also reads blocks. The time of a library is the least processor time of a round. Every difference is printed.
 * Exit code: 0 without differences, else 1.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <damka.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 200, CACHE = 256 << 20, FAILED = 2 };

/* Fathom's functions. */
static bool (*tb_init)(const char *);
static unsigned (*tb_probe_wdl)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                unsigned, bool);

static DamkaTables *tables;

static void stop(const char *problem) {
    fprintf(stderr, "%s\n", problem);
    exit(2);
}

/* The result by damka: 1, 0 or -1. */
static int ask_damka(const DamkaPosition *position) {
    DamkaResult result;
    return damka_probe_wdl(tables, position, &result) == DAMKA_OK ? (int)result : FAILED;
}

/* The result by Fathom. A win that the 50-move rule makes a draw is a win here. */
static int ask_fathom(const DamkaPosition *position) {
    const DamkaChess *chess = &position->boards.chess;
    unsigned value = tb_probe_wdl(chess->white, chess->black, chess->kings, chess->queens, chess->rooks,
                                  chess->bishops, chess->knights, chess->pawns, 0, chess->turn == DAMKA_WHITE);
    return value > 4 ? FAILED : (value > 2) - (value < 2);
}

/* A random number below `end`. */
static unsigned below(unsigned end) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 32) * end >> 32);
}

/* Puts a piece with this letter on a free square. */
static void put(DamkaChess *chess, char letter, bool is_black) {
    uint64_t *kinds[] = {&chess->kings,   &chess->queens,  &chess->rooks,
                         &chess->bishops, &chess->knights, &chess->pawns};
    const char *letters = "KQRBNP";
    uint64_t square;
    do {
        square = (uint64_t)1 << below(64);
    } while (square & (chess->white | chess->black));
    *kinds[strchr(letters, letter) - letters] |= square;
    *(is_black ? &chess->black : &chess->white) |= square;
}

/* A random position of a signature or a number of pieces, which may be impossible. */
static DamkaPosition placed(const char *material) {
    DamkaPosition position = {DAMKA_CHESS, {.chess = {0}}};
    DamkaChess *chess = &position.boards.chess;
    if (isdigit((unsigned char)*material)) {
        put(chess, 'K', false);
        put(chess, 'K', true);
        for (int left = atoi(material) - 2; left > 0; left--) {
            put(chess, "QRBNP"[below(5)], below(2));
        }
    } else {
        bool is_black = false;
        for (; *material; material++) {
            if (*material == 'v') {
                is_black = true;
            } else {
                put(chess, *material, is_black);
            }
        }
    }
    chess->turn = (uint8_t)below(2);
    return position;
}

static void check_material(const char *material) {
    const char *allowed = isdigit((unsigned char)*material) ? "0123456789" : "KQRBNPv";
    if (strspn(material, allowed) != strlen(material) || strlen(material) > 8) {
        stop("a material is a number of pieces or a signature: 4, KRPvKR");
    }
}

/* Processor time, in nanoseconds. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/* The time of a probe of each position; their results. */
static double ask_all(int (*ask)(const DamkaPosition *), const DamkaPosition *positions, int count, int *results) {
    double start = now();
    for (int i = 0; i < count; i++) {
        results[i] = ask(&positions[i]);
    }
    return (now() - start) / count;
}

/* Compares random positions of a material, and returns the number of differences. */
static int compare(const char *material, int count) {
    DamkaPosition *positions = malloc(count * sizeof *positions);
    int *results[2] = {malloc(count * sizeof **results), malloc(count * sizeof **results)};
    if (!positions || !results[0] || !results[1]) {
        stop("not enough memory");
    }
    for (int i = 0; i < count;) {
        positions[i] = placed(material);
        DamkaResult result;
        switch (damka_probe_wdl(tables, &positions[i], &result)) {
        case DAMKA_OK: i++; break;
        case DAMKA_BAD_ARGUMENT: break;
        default: stop(damka_error());
        }
    }
    double best[2] = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; round++) {
        for (int fathom = 0; fathom < 2; fathom++) {
            double time = ask_all(fathom ? ask_fathom : ask_damka, positions, count, results[fathom]);
            best[fathom] = time < best[fathom] ? time : best[fathom];
        }
    }
    int differences = 0;
    for (int i = 0; i < count; i++) {
        if (results[0][i] != results[1][i]) {
            char fen[256];
            damka_write_fen(tables, &positions[i], fen, sizeof fen);
            printf("%s: damka %d, Fathom %d\n", fen, results[0][i], results[1][i]);
            differences++;
        }
    }
    printf("%s: %d positions, damka %.0f ns, Fathom %.0f ns, %.1f times; %d differ\n", material, count, best[0],
           best[1], best[1] / best[0], differences);
    free(positions);
    free(results[0]);
    free(results[1]);
    return differences;
}

int main(int argc, char **argv) {
    int count = argc > 5 ? atoi(argv[4]) : 0;
    if (count < 1) {
        stop("arguments: LIBRARY SYZYGY DIR POSITIONS MATERIAL...");
    }
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        stop(dlerror());
    }
    *(void **)&tb_init = dlsym(library, "tb_init");
    *(void **)&tb_probe_wdl = dlsym(library, "tb_probe_wdl_impl");
    if (!tb_init || !tb_probe_wdl || !tb_init(argv[2])) {
        stop("this is not Fathom, or it cannot read the tables");
    }
    tables = damka_open("chess", argv[3], CACHE);
    if (!tables) {
        stop(damka_error());
    }
    int differences = 0;
    for (int i = 5; i < argc; i++) {
        check_material(argv[i]);
        differences += compare(argv[i], count);
    }
    damka_close(tables);
    dlclose(library);
    return differences != 0;
}
