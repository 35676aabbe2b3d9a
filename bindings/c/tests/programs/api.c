/* Calls every function of damka.h, with right and with wrong arguments, from several threads.
 *
 *     ./api DIR    with the directories `russian`, `chess` and `alapo`
 */
#define _XOPEN_SOURCE 700
#include <damka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s; %s\n", __FILE__, __LINE__, #condition, damka_error());     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Checks for an error with this status and this part of the text. */
#define FAILS(call, status, part)                                                                  \
    do {                                                                                           \
        CHECK((call) == (status));                                                                 \
        CHECK(damka_error_code() == (status));                                                     \
        CHECK(strstr(damka_error(), part));                                                        \
    } while (0)

#define BAD(call, part) FAILS(call, DAMKA_BAD_ARGUMENT, part)

static DamkaPosition draughts(uint32_t white, uint32_t black, uint32_t kings, int turn) {
    DamkaPosition position = {DAMKA_DRAUGHTS, {.draughts = {0}}};
    position.boards.draughts.white = white;
    position.boards.draughts.black = black;
    position.boards.draughts.kings = kings;
    position.boards.draughts.turn = (uint8_t)turn;
    return position;
}

/* White: king a1, and a piece of the kind at `kind` on d2; Black: king h8. */
static DamkaPosition chess(size_t kind, int turn) {
    DamkaPosition position = {DAMKA_CHESS, {.chess = {0}}};
    const uint64_t a1 = 1, d2 = 1ull << 11, h8 = 1ull << 63;
    position.boards.chess.white = a1 | d2;
    position.boards.chess.black = h8;
    position.boards.chess.kings = a1 | h8;
    memcpy((char *)&position.boards.chess + kind, &d2, sizeof d2);
    position.boards.chess.turn = (uint8_t)turn;
    return position;
}

static const uint32_t A1 = 1u << 28, C3 = 1u << 21, B8 = 1u, G7 = 1u << 7, H2 = 1u << 27;

static void text_and_bitboards(const DamkaTables *tables) {
    DamkaPosition position;
    CHECK(damka_read_fen(tables, "B:WKa1:Bb8", &position) == DAMKA_OK);
    CHECK(position.family == DAMKA_DRAUGHTS && position.boards.draughts.white == A1);
    CHECK(position.boards.draughts.black == B8 && position.boards.draughts.kings == A1);
    CHECK(position.boards.draughts.turn == DAMKA_BLACK);
    char fen[256];
    CHECK(damka_write_fen(tables, &position, fen, sizeof fen) == DAMKA_OK);
    CHECK(strcmp(fen, "B:WKa1:Bb8") == 0);
    CHECK(damka_write_fen(tables, &position, fen, 11) == DAMKA_OK);
    BAD(damka_write_fen(tables, &position, fen, 10), "the fen takes 11 bytes, there are 10");
    BAD(damka_write_fen(tables, &position, NULL, 10), "fen is NULL");
    BAD(damka_read_fen(tables, "nonsense", &position), "nonsense");
    BAD(damka_read_fen(tables, NULL, &position), "fen is NULL");
    BAD(damka_read_fen(tables, "start", NULL), "position is NULL");
}

static void probes(const DamkaTables *tables) {
    DamkaPosition win = draughts(A1, G7, A1 | G7, DAMKA_WHITE);
    DamkaPosition draw = draughts(A1, H2, A1 | H2, DAMKA_WHITE);
    DamkaValue value;
    DamkaResult result = DAMKA_LOSS;
    uint16_t plies = 9;
    /* The draw does not follow from a capture: its block is not in memory yet. */
    CHECK(damka_probe_cached(tables, &draw, DAMKA_WDL, &value) == DAMKA_NOT_DECODED);
    CHECK(damka_probe_wdl(tables, &win, &result) == DAMKA_OK && result == DAMKA_WIN);
    CHECK(damka_probe_dtw(tables, &win, &result, &plies) == DAMKA_OK);
    CHECK(result == DAMKA_WIN && plies == 1);
    CHECK(damka_probe_dtw(tables, &draw, &result, &plies) == DAMKA_OK);
    CHECK(result == DAMKA_DRAW && plies == 0);
    CHECK(damka_probe_wdl(tables, &draw, &result) == DAMKA_OK && result == DAMKA_DRAW);
    CHECK(damka_probe_cached(tables, &draw, DAMKA_WDL, &value) == DAMKA_OK);
    CHECK(value.status == DAMKA_OK && value.result == DAMKA_DRAW && value.plies == 0);
    CHECK(damka_prefetch(tables, &draw, DAMKA_DTW) == DAMKA_OK);

    DamkaPosition missing = draughts(A1 | C3 | 1u << 29, H2, A1 | H2, DAMKA_WHITE);
    FAILS(damka_probe_wdl(tables, &missing, &result), DAMKA_MISSING, "KMMvK.wdl is missing");
    FAILS(damka_prefetch(tables, &missing, DAMKA_WDL), DAMKA_MISSING, "KMMvK");

    BAD(damka_probe_wdl(NULL, &win, &result), "tables is NULL");
    BAD(damka_probe_wdl(tables, NULL, &result), "position is NULL");
    BAD(damka_probe_wdl(tables, &win, NULL), "result is NULL");
    BAD(damka_probe_dtw(tables, &win, &result, NULL), "plies is NULL");
    BAD(damka_probe_cached(tables, &win, 2, &value), "there is no metric 2");
    BAD(damka_probe_cached(tables, &win, DAMKA_WDL, NULL), "value is NULL");
    BAD(damka_prefetch(tables, &win, -1), "there is no metric -1");
}

static void wrong_positions(const DamkaTables *russian, const DamkaTables *of_chess,
                            const DamkaTables *alapo) {
    DamkaResult result;
    DamkaPosition position = draughts(A1, A1, A1, DAMKA_WHITE);
    BAD(damka_probe_wdl(russian, &position, &result), "two pieces stand on a1");
    position = draughts(A1, G7, H2, DAMKA_WHITE);
    BAD(damka_probe_wdl(russian, &position, &result), "one side and of one kind");
    position = draughts(A1, G7, 0, 2);
    BAD(damka_probe_wdl(russian, &position, &result), "must be 0 (White) or 1 (Black), not 2");
    position = draughts(A1, 0, 0, DAMKA_WHITE);
    BAD(damka_probe_wdl(russian, &position, &result), "has no pieces");
    position = draughts(0x1FFF0000, 1u << 10, 0, DAMKA_WHITE);
    BAD(damka_probe_wdl(russian, &position, &result), "13 pieces");
    position = draughts(B8, A1, A1, DAMKA_WHITE);
    BAD(damka_probe_wdl(russian, &position, &result), "promotion row");
    position = draughts(0x0FFF0000, 0x00000FFF, 0, DAMKA_WHITE);
    CHECK(damka_probe_wdl(russian, &position, &result) == DAMKA_MISSING);
    memset(&position, 0, sizeof position);
    BAD(damka_probe_wdl(russian, &position, &result), "not one of the family of russian");
    BAD(damka_probe_wdl(of_chess, &position, &result), "not one of the family of chess");
    memset(&position, 0xFF, sizeof position);
    BAD(damka_probe_wdl(russian, &position, &result), "family");

    const size_t queens = offsetof(DamkaChess, queens), pawns = offsetof(DamkaChess, pawns);
    position = chess(queens, DAMKA_WHITE);
    BAD(damka_probe_wdl(russian, &position, &result), "not one of the family of russian");
    CHECK(damka_probe_wdl(of_chess, &position, &result) == DAMKA_OK && result == DAMKA_WIN);
    position.boards.chess.kings = 1;
    BAD(damka_probe_wdl(of_chess, &position, &result), "one side and of one kind");
    position.boards.chess.black = 0;
    BAD(damka_probe_wdl(of_chess, &position, &result), "each side must have one");
    position = chess(queens, DAMKA_WHITE);
    position.boards.chess.rooks = position.boards.chess.queens;
    BAD(damka_probe_wdl(of_chess, &position, &result), "two pieces stand on d2");
    position = chess(queens, DAMKA_WHITE);
    position.boards.chess.black |= 1;
    BAD(damka_probe_wdl(of_chess, &position, &result), "two pieces stand on a1");
    position = chess(queens, DAMKA_WHITE);
    position.boards.chess.castling = 1;
    BAD(damka_probe_wdl(of_chess, &position, &result), "the right to castle");
    position.boards.chess.castling = 16;
    BAD(damka_probe_wdl(of_chess, &position, &result), "not a set of castling rights");
    position = chess(queens, DAMKA_WHITE);
    position.boards.chess.en_passant = 200;
    BAD(damka_probe_wdl(of_chess, &position, &result), "must be 0 to 63, not 200");
    position.boards.chess.en_passant = 43;
    BAD(damka_probe_wdl(of_chess, &position, &result), "can have passed d6");
    position = chess(pawns, DAMKA_WHITE);
    position.boards.chess.white = 0xFFFFFF;
    position.boards.chess.pawns = 0xFFFFFE;
    BAD(damka_probe_wdl(of_chess, &position, &result), "");
    position = chess(pawns, DAMKA_WHITE);
    position.family = DAMKA_ALAPO;
    BAD(damka_probe_wdl(of_chess, &position, &result), "not one of the family of chess");
    BAD(damka_probe_wdl(alapo, &position, &result), "");

    /* White's large circle on c3, Black's small square on c6. */
    DamkaPosition race = {DAMKA_ALAPO, {.alapo = {0}}};
    race.boards.alapo.white = 1ull << 14;
    race.boards.alapo.large_circles = 1ull << 14;
    race.boards.alapo.black = race.boards.alapo.small_squares = 1ull << 32;
    CHECK(damka_probe_wdl(alapo, &race, &result) == DAMKA_OK);
    race.boards.alapo.small_squares |= 1ull << 60;
    BAD(damka_probe_wdl(alapo, &race, &result), "one side and of one kind");
    race.boards.alapo.black |= 1ull << 60;
    BAD(damka_probe_wdl(alapo, &race, &result), "no square with the index 60");
}

/* A position in which Black is mated, an en passant square, and castling rights. */
static void chess_values(const DamkaTables *tables) {
    DamkaPosition position;
    DamkaResult result;
    uint16_t plies;
    CHECK(damka_read_fen(tables, "8/8/8/8/8/1K6/8/k2Q4 b - - 0 1", &position) == DAMKA_OK);
    CHECK(damka_probe_dtw(tables, &position, &result, &plies) == DAMKA_OK);
    CHECK(result == DAMKA_LOSS && plies == 0);
    CHECK(damka_read_fen(tables, "8/8/8/8/4Pp2/8/8/k2K4 b - e3 0 1", &position) == DAMKA_OK);
    CHECK(position.boards.chess.en_passant == 20 && position.boards.chess.castling == 0);
    char fen[256];
    CHECK(damka_write_fen(tables, &position, fen, sizeof fen) == DAMKA_OK);
    CHECK(strcmp(fen, "8/8/8/8/4Pp2/8/8/k2K4 b - e3 0 1") == 0);
    CHECK(damka_read_fen(tables, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", &position) == DAMKA_OK);
    CHECK(position.boards.chess.castling == 2);
    FAILS(damka_probe_wdl(tables, &position, &result), DAMKA_MISSING, "castle");
}

static void moves(const DamkaTables *tables) {
    DamkaPosition position = draughts(A1, G7, A1 | G7, DAMKA_WHITE);
    DamkaMove list[128];
    DamkaValue value;
    size_t count;
    CHECK(damka_probe_root(tables, &position, DAMKA_DTW, &value, list, 128, &count) == DAMKA_OK);
    CHECK(count == 1 && strcmp(list[0].name, "a1xh8") == 0);
    CHECK(value.result == DAMKA_WIN && value.plies == 1);
    CHECK(list[0].value.result == DAMKA_WIN && list[0].value.plies == 1);
    CHECK(list[0].after.boards.draughts.black == 0 && list[0].after.boards.draughts.white == 1u << 3);
    CHECK(list[0].after.boards.draughts.turn == DAMKA_BLACK);
    CHECK(damka_probe_line(tables, &position, list, 128, &count) == DAMKA_OK);
    CHECK(count == 1 && strcmp(list[0].name, "a1xh8") == 0 && list[0].value.plies == 1);

    /* KMvK has distances; KKvK, to which the man may promote, has none. */
    position = draughts(1u << 31 | C3, B8, 1u << 31 | B8, DAMKA_WHITE);
    CHECK(damka_probe_root(tables, &position, DAMKA_DTW, &value, list, 128, &count) == DAMKA_OK);
    CHECK(count > 1 && value.status == DAMKA_OK && value.plies != DAMKA_UNKNOWN_PLIES);
    size_t all = count;
    memset(list, 0x7F, sizeof list);
    CHECK(damka_probe_root(tables, &position, DAMKA_WDL, &value, list, 1, &count) == DAMKA_OK);
    CHECK(count == all && list[0].value.result == value.result && list[1].name[0] == 0x7F);
    CHECK(value.result == DAMKA_DRAW ? value.plies == 0 : value.plies == DAMKA_UNKNOWN_PLIES);
    CHECK(damka_probe_root(tables, &position, DAMKA_WDL, &value, NULL, 0, &count) == DAMKA_OK);
    CHECK(count == all);
    BAD(damka_probe_root(tables, &position, DAMKA_WDL, &value, NULL, 1, &count), "moves is NULL");
    BAD(damka_probe_root(tables, &position, DAMKA_WDL, &value, list, 1, NULL), "count is NULL");
    BAD(damka_probe_root(tables, &position, DAMKA_WDL, NULL, list, 1, &count), "value is NULL");
    BAD(damka_probe_line(tables, &position, list, 1, NULL), "count is NULL");
    BAD(damka_probe_line(tables, NULL, list, 1, &count), "position is NULL");

    /* In a win of several plies, each move is one ply less. */
    CHECK(damka_read_fen(tables, "B:WKg1:Ba7", &position) == DAMKA_OK);
    CHECK(damka_probe_line(tables, &position, list, 128, &count) == DAMKA_OK);
    CHECK(count == 2);
    CHECK(list[0].value.result == DAMKA_LOSS && list[0].value.plies == 2);
    CHECK(list[1].value.result == DAMKA_WIN && list[1].value.plies == 1);

    /* KKvK has results only: two kings do not win against one that they cannot capture. */
    position = draughts(A1 | 1u << 29, H2, A1 | 1u << 29 | H2, DAMKA_WHITE);
    CHECK(damka_probe_root(tables, &position, DAMKA_DTW, &value, list, 128, &count) == DAMKA_OK);
    CHECK(value.status == DAMKA_OK && count > 1 && list[count - 1].value.status == DAMKA_OK);
    position = draughts(A1 | C3 | 1u << 29, H2, A1 | H2, DAMKA_WHITE);
    FAILS(damka_probe_root(tables, &position, DAMKA_DTW, &value, list, 128, &count), DAMKA_MISSING,
          "is missing");
}

static void batches(const DamkaTables *tables) {
    enum { COUNT = 1000 };
    static DamkaPosition positions[COUNT];
    static DamkaValue values[COUNT];
    const DamkaPosition some[] = {
        draughts(A1, G7, A1 | G7, DAMKA_WHITE),
        draughts(A1, H2, A1 | H2, DAMKA_WHITE),
        draughts(1u << 31, 1u << 4, 1u << 31, DAMKA_BLACK),
    };
    for (int i = 0; i < COUNT; i++) {
        positions[i] = some[i % 3];
    }
    CHECK(damka_probe_batch(tables, positions, COUNT, DAMKA_DTW, values) == DAMKA_OK);
    for (int i = 0; i < COUNT; i++) {
        DamkaResult result;
        uint16_t plies;
        CHECK(damka_probe_dtw(tables, &positions[i], &result, &plies) == DAMKA_OK);
        CHECK(values[i].status == DAMKA_OK);
        CHECK(values[i].result == result && values[i].plies == plies);
    }
    /* A wrong position does not affect the values of the others. */
    positions[500] = draughts(A1 | C3 | 1u << 29, H2, A1 | H2, DAMKA_WHITE);
    positions[600] = draughts(A1, A1, A1, DAMKA_WHITE);
    memset(&positions[601], 0, sizeof positions[601]);
    FAILS(damka_probe_batch(tables, positions, COUNT, DAMKA_WDL, values), DAMKA_MISSING, "KMMvK");
    CHECK(values[500].status == DAMKA_MISSING && values[600].status == DAMKA_BAD_ARGUMENT);
    CHECK(values[601].status == DAMKA_BAD_ARGUMENT);
    CHECK(values[501].status == DAMKA_OK && values[999].status == DAMKA_OK);
    CHECK(values[501].plies == DAMKA_UNKNOWN_PLIES || values[501].result == DAMKA_DRAW);
    CHECK(damka_probe_batch(tables, NULL, 0, DAMKA_WDL, NULL) == DAMKA_OK);
    BAD(damka_probe_batch(tables, NULL, 1, DAMKA_WDL, values), "positions is NULL");
    BAD(damka_probe_batch(tables, positions, 1, DAMKA_WDL, NULL), "values is NULL");
    BAD(damka_probe_batch(tables, positions, SIZE_MAX, DAMKA_WDL, values), "do not fit into memory");
    BAD(damka_probe_batch(tables, positions, 1, 7, values), "there is no metric 7");
}

static void whole_tables(const DamkaTables *tables) {
    DamkaTable list[64];
    size_t count;
    uint32_t pieces;
    CHECK(damka_tables(tables, list, 64, &count) == DAMKA_OK && count == 6);
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        CHECK(list[i].bytes > 0 && list[i].positions > 0);
        CHECK(list[i].pieces == 2 || list[i].pieces == 3);
        found += strcmp(list[i].signature, "KKvK") == 0 && list[i].metric == DAMKA_WDL;
    }
    CHECK(found == 1);
    CHECK(damka_tables(tables, NULL, 0, &count) == DAMKA_OK && count == 6);
    CHECK(damka_largest(tables, DAMKA_WDL, &pieces) == DAMKA_OK && pieces == 3);
    CHECK(damka_largest(tables, DAMKA_DTW, &pieces) == DAMKA_OK && pieces == 3);
    BAD(damka_tables(tables, NULL, 1, &count), "list is NULL");
    BAD(damka_tables(tables, list, 1, NULL), "count is NULL");
    BAD(damka_largest(tables, DAMKA_WDL, NULL), "pieces is NULL");
    uint64_t bytes = 0;
    CHECK(damka_preload(tables, "KvM", DAMKA_WDL) == DAMKA_OK);
    CHECK(damka_pin(tables, "KvM", DAMKA_WDL, &bytes) == DAMKA_OK && bytes > 0);
    CHECK(damka_pin(tables, "KvK", DAMKA_WDL, NULL) == DAMKA_OK);
    FAILS(damka_pin(tables, "KKvK", DAMKA_DTW, &bytes), DAMKA_MISSING, "KKvK.dtw is missing");
    FAILS(damka_preload(tables, "KKKvK", DAMKA_WDL), DAMKA_MISSING, "KKKvK.wdl is missing");
    BAD(damka_preload(tables, "KQvK", DAMKA_WDL), "KQvK");
    BAD(damka_preload(tables, NULL, DAMKA_WDL), "signature is NULL");
    BAD(damka_pin(tables, "KvM", 3, NULL), "there is no metric 3");
}

/* Solved by hand: two kings on the main road; the side to move captures and wins in 1. */
static void lists(const DamkaTables *tables) {
    DamkaQuery query = {"KvK", DAMKA_DTW, DAMKA_WIN, 1, DAMKA_BLACK, 0, 0};
    static DamkaListed list[5000];
    char cursor[DAMKA_NAME_SIZE] = "";
    size_t count, all;
    CHECK(damka_list(tables, &query, cursor, list, 5000, &all) == DAMKA_OK);
    CHECK(cursor[0] == 0 && all > 10);
    DamkaListed first = list[0];
    CHECK(first.value.result == DAMKA_WIN && first.value.plies == 1);
    CHECK(first.position.boards.draughts.turn == DAMKA_BLACK);
    char first_fen[100], fen[100];
    CHECK(damka_write_fen(tables, &first.position, first_fen, sizeof first_fen) == DAMKA_OK);
    for (size_t i = 0; i < all; i++) {
        DamkaResult result;
        uint16_t plies;
        CHECK(damka_probe_dtw(tables, &list[i].position, &result, &plies) == DAMKA_OK);
        CHECK(result == DAMKA_WIN && plies == 1);
    }
    /* The same list in pages of seven positions. */
    size_t sum = 0;
    do {
        CHECK(damka_list(tables, &query, cursor, list, 7, &count) == DAMKA_OK && count <= 7);
        CHECK(damka_write_fen(tables, &list[0].position, fen, sizeof fen) == DAMKA_OK);
        CHECK(sum > 0 || strcmp(fen, first_fen) == 0);
        sum += count;
    } while (cursor[0]);
    CHECK(sum == all);
    query.result = query.plies = query.turn = DAMKA_ANY;
    CHECK(damka_list(tables, &query, cursor, list, 5000, &count) == DAMKA_OK && count > all);
    cursor[0] = 0;
    BAD(damka_list(tables, &query, cursor, list, 0, &count), "size is 0");
    BAD(damka_list(tables, NULL, cursor, list, 1, &count), "query is NULL");
    BAD(damka_list(tables, &query, NULL, list, 1, &count), "cursor is NULL");
    BAD(damka_list(tables, &query, cursor, NULL, 1, &count), "list is NULL");
    char endless[DAMKA_NAME_SIZE];
    memset(endless, 'w', sizeof endless);
    BAD(damka_list(tables, &query, endless, list, 1, &count), "the cursor has no zero byte");
    BAD(damka_list(tables, &query, cursor, list, 1, NULL), "count is NULL");
    BAD(damka_list(tables, &query, (char[64]){"nonsense"}, list, 1, &count), "");
    BAD(damka_list(tables, &query, (char[64]){"w99999999"}, list, 1, &count), "");
    query.result = 5;
    BAD(damka_list(tables, &query, cursor, list, 1, &count), "result must not be 5");
    query.result = DAMKA_WIN;
    query.plies = 65536;
    BAD(damka_list(tables, &query, cursor, list, 1, &count), "plies must not be 65536");
    query.plies = 3;
    query.turn = 2;
    BAD(damka_list(tables, &query, cursor, list, 1, &count), "turn must not be 2");
    query.signature = NULL;
    BAD(damka_list(tables, &query, cursor, list, 1, &count), "signature is NULL");
}

/* Half of the threads probe a legal position, half an illegal one. */
static const DamkaTables *shared;

static void *asking(void *number) {
    const int fails = *(const int *)number % 2;
    const DamkaPosition good = draughts(A1, H2, A1 | H2, DAMKA_WHITE);
    const DamkaPosition bad = draughts(A1, A1, A1, DAMKA_WHITE);
    CHECK(damka_error_code() == DAMKA_OK && damka_error()[0] == 0);
    for (int i = 0; i < 2000; i++) {
        DamkaResult result;
        if (fails) {
            BAD(damka_probe_wdl(shared, &bad, &result), "two pieces stand on a1");
        } else {
            CHECK(damka_probe_wdl(shared, &good, &result) == DAMKA_OK && result == DAMKA_DRAW);
            CHECK(damka_error()[0] == 0);
        }
    }
    return NULL;
}

static void threads(const DamkaTables *tables) {
    shared = tables;
    enum { THREADS = 8 };
    pthread_t started[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&started[i], NULL, asking, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(started[i], NULL) == 0);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    CHECK(damka_error_code() == DAMKA_OK);
    CHECK(strcmp(damka_version(), DAMKA_VERSION) == 0);
    const int accesses[] = {DAMKA_MAP, DAMKA_READ};
    for (int i = 0; i < 2; i++) {
        DamkaTables *russian = damka_open_with("russian", argv[1], 1 << 20, accesses[i]);
        DamkaTables *of_chess = damka_open_with("chess", argv[1], 1 << 20, accesses[i]);
        DamkaTables *alapo = damka_open_with("alapo", argv[1], 0, accesses[i]);
        CHECK(russian && of_chess && alapo);
        probes(russian);
        text_and_bitboards(russian);
        wrong_positions(russian, of_chess, alapo);
        chess_values(of_chess);
        moves(russian);
        batches(russian);
        whole_tables(russian);
        lists(russian);
        threads(russian);
        damka_close(alapo);
        damka_close(of_chess);
        damka_close(russian);
    }
    CHECK(!damka_open_with("russian", argv[1], 0, 9) && damka_error_code() == DAMKA_BAD_ARGUMENT);
    CHECK(!damka_open("go", argv[1], 0) && strstr(damka_error(), "there is no game `go`"));
    damka_close(NULL);
    return 0;
}
