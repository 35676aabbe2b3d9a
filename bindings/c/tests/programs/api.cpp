// Calls every function of damka.hpp.
//
//     ./api DIR    with the directories `russian`, `chess` and `alapo`
#include <damka.hpp>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <type_traits>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::cerr << __FILE__ << ":" << __LINE__ << ": " << #condition << "\n";                \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

static_assert(!std::is_copy_constructible_v<damka::Tables>);
static_assert(std::is_nothrow_move_constructible_v<damka::Tables>);
static_assert(std::is_nothrow_move_assignable_v<damka::Tables>);

template <typename Function> static void fails(DamkaStatus status, std::string_view part, Function f) {
    try {
        f();
    } catch (const damka::Error &error) {
        CHECK(error.status() == status);
        CHECK(std::string_view(error.what()).find(part) != std::string_view::npos);
        return;
    }
    CHECK(!"an error");
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    const std::string directory = argv[1];
    damka::Tables opened("russian", directory, 1 << 20, DAMKA_READ);
    const damka::Tables tables = std::move(opened);
    const std::uint32_t a1 = 1u << 28, g7 = 1u << 7, h2 = 1u << 27;
    const DamkaPosition win = damka::draughts(a1, g7, a1 | g7, DAMKA_WHITE);
    const DamkaPosition draw = damka::draughts(a1, h2, a1 | h2, DAMKA_WHITE);

    CHECK(!tables.cached(draw));
    CHECK(tables.wdl(draw) == DAMKA_DRAW && tables.cached(draw)->result == DAMKA_DRAW);
    CHECK(tables.wdl(win) == DAMKA_WIN && tables.wdl("W:WKa1:BKg7") == DAMKA_WIN);
    CHECK(tables.dtw(win).plies == 1 && tables.dtw("W:WKa1:BKh2").plies == 0);
    CHECK(tables.fen(win) == "W:WKa1:BKg7");
    // A part of a text, without a zero byte at its end.
    CHECK(tables.wdl(std::string_view("W:WKa1:BKg7 and more").substr(0, 11)) == DAMKA_WIN);
    CHECK(tables.fen(tables.position("start")).size() > 20);

    const damka::Root root = tables.root(win);
    CHECK(root.value->result == DAMKA_WIN && root.moves.size() == 1);
    CHECK(root.moves[0].name == "a1xh8" && root.moves[0].value->plies == 1);
    CHECK(tables.fen(root.moves[0].after) == "B:WKh8:B");
    CHECK(!tables.root(draw, DAMKA_WDL).moves.empty());
    CHECK(tables.line(win).size() == 1 && tables.line(draw).empty());

    const auto values = tables.batch({win, draw, DamkaPosition{}});
    CHECK(values.size() == 3 && values[0].result == DAMKA_WIN && values[1].result == DAMKA_DRAW);
    CHECK(values[2].status == DAMKA_BAD_ARGUMENT);
    CHECK(tables.batch({}).empty());

    tables.prefetch(win);
    tables.preload("KvM");
    CHECK(tables.pin("KvM") > 0);
    CHECK(tables.tables().size() == 6 && tables.largest() == 3 && tables.handle() != nullptr);

    damka::Query query;
    query.signature = "KvK";
    CHECK(tables.list(query, 100).size() == 100);
    query.result = DAMKA_WIN;
    query.plies = std::uint16_t{1};
    query.turn = DAMKA_WHITE;
    const auto won = tables.list(query, 1000);
    CHECK(!won.empty() && won.size() < 1000 && won[0].value.plies == 1);
    query.signature = "KQvK";
    fails(DAMKA_BAD_ARGUMENT, "KQvK", [&] { (void)tables.list(query, 1); });

    fails(DAMKA_BAD_ARGUMENT, "there is no game `go`", [&] { damka::Tables("go", directory); });
    fails(DAMKA_BAD_ARGUMENT, "nonsense", [&] { (void)tables.wdl("nonsense"); });
    fails(DAMKA_BAD_ARGUMENT, "zero byte", [&] { (void)tables.wdl(std::string("start\0x", 7)); });
    fails(DAMKA_BAD_ARGUMENT, "zero byte", [&] { tables.preload(std::string("KvM\0x", 5)); });
    fails(DAMKA_MISSING, "KKKvK.wdl is missing", [&] { tables.preload("KKKvK"); });
    fails(DAMKA_BAD_ARGUMENT, "two pieces", [&] {
        (void)tables.wdl(damka::draughts(a1, a1, a1, DAMKA_WHITE));
    });

    damka::Tables chess("chess", directory);
    DamkaChess boards = {};
    boards.white = 1ull << 41 | 1ull << 3;
    boards.black = 1ull << 56;
    boards.kings = 1ull << 41 | 1ull << 56;
    boards.queens = 1ull << 3;
    CHECK(chess.dtw(damka::chess(boards)).plies == 1);
    damka::Tables alapo("alapo", directory);
    DamkaAlapo race = {};
    race.white = race.large_circles = 1ull << 14;
    race.black = race.small_squares = 1ull << 32;
    CHECK(alapo.fen(damka::alapo(race)).size() > 10);
    (void)alapo.wdl(damka::alapo(race));
    chess = std::move(alapo);
    (void)chess.wdl(damka::alapo(race));

    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back([&tables, win] {
            for (int j = 0; j < 1000; j++) {
                CHECK(tables.wdl(win) == DAMKA_WIN);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}
