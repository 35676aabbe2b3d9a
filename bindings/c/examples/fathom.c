/* Fathom's tb_probe_wdl() with damka's tables, for engines that call it.
 *
 *     cc -std=c99 fathom.c $(pkg-config --cflags --libs damka) -o fathom
 *     ./fathom DIR
 *
 * Differences: values ignore the 50-move rule, so TB_CURSED_WIN and TB_BLESSED_LOSS do not occur, and
 * a position with a rule50 counter has a value.
 */
#include <damka.h>
#include <stdbool.h>
#include <stdio.h>

#define TB_LOSS 0
#define TB_DRAW 2
#define TB_WIN 4
#define TB_RESULT_FAILED 0xFFFFFFFF

static DamkaTables *tables;
static unsigned TB_LARGEST;

static bool tb_init(const char *path) {
    tables = damka_open("chess", path, 256 << 20);
    uint32_t largest = 0;
    if (!tables || damka_largest(tables, DAMKA_WDL, &largest) != DAMKA_OK) {
        return false;
    }
    TB_LARGEST = largest;
    return true;
}

static void tb_free(void) {
    damka_close(tables);
    tables = NULL;
}

static unsigned tb_probe_wdl(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                             uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                             unsigned rule50, unsigned castling, unsigned ep, bool turn) {
    (void)rule50;
    if (castling != 0) {
        return TB_RESULT_FAILED;
    }
    DamkaPosition position = {DAMKA_CHESS, {.chess = {0}}};
    DamkaChess *chess = &position.boards.chess;
    chess->white = white;
    chess->black = black;
    chess->kings = kings;
    chess->queens = queens;
    chess->rooks = rooks;
    chess->bishops = bishops;
    chess->knights = knights;
    chess->pawns = pawns;
    chess->turn = turn ? DAMKA_WHITE : DAMKA_BLACK;
    chess->en_passant = (uint8_t)ep;
    DamkaResult result;
    if (damka_probe_wdl(tables, &position, &result) != DAMKA_OK) {
        return TB_RESULT_FAILED;
    }
    return result == DAMKA_WIN ? TB_WIN : result == DAMKA_DRAW ? TB_DRAW : TB_LOSS;
}

#define A(file, rank) (1ull << (8 * (rank - 1) + (file - 'a')))

int main(int argc, char **argv) {
    if (argc != 2 || !tb_init(argv[1])) {
        fprintf(stderr, "%s\n", argc == 2 ? damka_error() : "expected a directory of tables");
        return 1;
    }
    printf("up to %u pieces\n", TB_LARGEST);
    uint64_t white = A('a', 1) | A('d', 2), black = A('h', 8), kings = A('a', 1) | black;
    uint64_t other = A('d', 2);
    /* A queen wins, whichever side is to move; a bishop does not. */
    printf("queen: %u\n", tb_probe_wdl(white, black, kings, other, 0, 0, 0, 0, 0, 0, 0, true));
    printf("moved: %u\n", tb_probe_wdl(white, black, kings, other, 0, 0, 0, 0, 0, 0, 0, false));
    printf("bishop: %u\n", tb_probe_wdl(white, black, kings, 0, 0, other, 0, 0, 0, 0, 0, true));
    unsigned castling = tb_probe_wdl(white, black, kings, other, 0, 0, 0, 0, 0, 1, 0, true);
    printf("castling: %s\n", castling == TB_RESULT_FAILED ? "failed" : "?");
    tb_free();
    return 0;
}
