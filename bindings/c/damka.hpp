// damka for C++17: exact results of endgames in draughts, chess and Alapo.
//
//     #include <damka.hpp>
//     #include <iostream>
//
//     int main() {
//         const damka::Tables tables("russian", "/var/lib/damka");
//         // White: king a1. Black: king g7. White to move.
//         const auto position = damka::draughts(1u << 28, 1u << 7, 1u << 28 | 1u << 7, DAMKA_WHITE);
//         const damka::Value value = tables.dtw(position);
//         if (value.result == DAMKA_WIN) std::cout << "wins in " << *value.plies << " plies\n";
//         for (const damka::Move &move : tables.root(position)) std::cout << move.name << "\n";
//     }
//
//     c++ -std=c++17 program.cpp $(pkg-config --cflags --libs damka)
//
// A thin layer over damka.h, which describes positions, values and distances. Failing functions throw
// damka::Error. Any number of threads may use a const Tables at the same time.
#ifndef DAMKA_HPP
#define DAMKA_HPP

#include "damka.h"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace damka {

// An error; what() is its text.
class Error : public std::runtime_error {
public:
    Error(DamkaStatus status, const char *text) : std::runtime_error(text), status_(status) {}

    // The kind of error.
    DamkaStatus status() const noexcept { return status_; }

private:
    DamkaStatus status_;
};

// The value of a position for the side to move.
struct Value {
    DamkaResult result;
    // The distance to the win or loss in plies, 0 for a draw; empty if it is unknown or was not
    // requested.
    std::optional<std::uint16_t> plies;
};

// A legal move.
struct Move {
    // The move in the notation of the game.
    std::string name;
    // The move by its squares; in chess as UCI writes it.
    std::string coordinates;
    // The value for the side that plays it; the distance includes the move. Empty if it is unknown.
    std::optional<Value> value;
    // The position after it.
    DamkaPosition after;
};

// A position and its moves.
struct Root {
    // The value of the position; empty if it is unknown.
    std::optional<Value> value;
    // All legal moves, best first. Moves of unknown value are last, or first if the best move must be one of them.
    std::vector<Move> moves;

    auto begin() const { return moves.begin(); }
    auto end() const { return moves.end(); }
};

// A query: the positions of a table that meet all conditions are listed; see DamkaQuery.
struct Query {
    std::string signature;
    DamkaMetric metric = DAMKA_DTW;
    std::optional<DamkaResult> result = {};
    std::optional<std::uint16_t> plies = {};
    std::optional<DamkaColor> turn = {};
    bool zugzwang = false;
    bool only_move = false;
};

// A position of draughts; see DamkaDraughts.
inline DamkaPosition draughts(std::uint32_t white, std::uint32_t black, std::uint32_t kings,
                              DamkaColor turn) {
    DamkaPosition position = {};
    position.family = DAMKA_DRAUGHTS;
    position.boards.draughts = {white, black, kings, static_cast<std::uint8_t>(turn)};
    return position;
}

// A position of chess.
inline DamkaPosition chess(const DamkaChess &boards) {
    DamkaPosition position = {};
    position.family = DAMKA_CHESS;
    position.boards.chess = boards;
    return position;
}

// A position of Alapo.
inline DamkaPosition alapo(const DamkaAlapo &boards) {
    DamkaPosition position = {};
    position.family = DAMKA_ALAPO;
    position.boards.alapo = boards;
    return position;
}

// An open directory of tables of one game. Can be moved, not copied; a moved-from object can only be
// assigned to and destroyed.
class Tables {
public:
    // Opens the tables of a game, with a cache of `cache_bytes` bytes for decoded blocks.
    Tables(std::string_view game, std::string_view directory,
           std::uint64_t cache_bytes = std::uint64_t{64} << 20, DamkaAccess access = DAMKA_READ)
        : handle_(damka_open_with(c_string(game).c_str(), c_string(directory).c_str(), cache_bytes,
                                  access)) {
        if (!handle_) {
            throw Error(damka_error_code(), damka_error());
        }
    }

    // The result for the side to move.
    DamkaResult wdl(const DamkaPosition &position) const {
        DamkaResult result;
        check(damka_probe_wdl(handle_.get(), &position, &result));
        return result;
    }

    // The result and the distance.
    Value dtw(const DamkaPosition &position) const {
        Value value{};
        std::uint16_t plies;
        check(damka_probe_dtw(handle_.get(), &position, &value.result, &plies));
        value.plies = plies;
        return value;
    }

    // The result of a position given as text.
    DamkaResult wdl(std::string_view fen) const { return wdl(position(fen)); }

    // The result and the distance of a position given as text.
    Value dtw(std::string_view fen) const { return dtw(position(fen)); }

    // The value if it follows from blocks in memory; nothing is read.
    std::optional<Value> cached(const DamkaPosition &position, DamkaMetric metric = DAMKA_WDL) const {
        DamkaValue value;
        const DamkaStatus status = damka_probe_cached(handle_.get(), &position, metric, &value);
        if (status == DAMKA_NOT_DECODED) {
            return std::nullopt;
        }
        check(status);
        return of(value);
    }

    // The values of many positions, each with its own status, computed block by block. Does not throw
    // for positions without a value.
    std::vector<DamkaValue> batch(const std::vector<DamkaPosition> &positions,
                                  DamkaMetric metric = DAMKA_WDL) const {
        std::vector<DamkaValue> values(
            positions.size(), DamkaValue{DAMKA_BUG, DAMKA_DRAW, DAMKA_UNKNOWN_PLIES});
        const DamkaStatus status = damka_probe_batch(handle_.get(), positions.data(),
                                                     positions.size(), metric, values.data());
        // If the arguments are wrong, no position gets a status.
        if (!values.empty() && values.front().status == DAMKA_BUG) {
            check(status);
        }
        return values;
    }

    // All legal moves with their values.
    Root root(const DamkaPosition &position, DamkaMetric metric = DAMKA_DTW) const {
        DamkaValue value;
        const auto moves = all<DamkaMove>([&](DamkaMove *room, std::size_t size, std::size_t *count) {
            return damka_probe_root(handle_.get(), &position, metric, &value, room, size, count);
        });
        return {of(value), moves_of(moves)};
    }

    // Best play to the end; empty for a draw, or if the game is over.
    std::vector<Move> line(const DamkaPosition &position) const {
        return moves_of(all<DamkaMove>([&](DamkaMove *room, std::size_t size, std::size_t *count) {
            return damka_probe_line(handle_.get(), &position, room, size, count);
        }));
    }

    // Asks the system to read the data of a probe, without waiting.
    void prefetch(const DamkaPosition &position, DamkaMetric metric = DAMKA_WDL) const {
        check(damka_prefetch(handle_.get(), &position, metric));
    }

    // Opens a table, so that the first probe does not have to.
    void preload(std::string_view signature, DamkaMetric metric = DAMKA_WDL) const {
        check(damka_preload(handle_.get(), c_string(signature).c_str(), metric));
    }

    // Decodes a whole table into memory; returns its size in bytes.
    std::uint64_t pin(std::string_view signature, DamkaMetric metric = DAMKA_WDL) const {
        std::uint64_t bytes;
        check(damka_pin(handle_.get(), c_string(signature).c_str(), metric, &bytes));
        return bytes;
    }

    // The existing tables.
    std::vector<DamkaTable> tables() const {
        return all<DamkaTable>([&](DamkaTable *room, std::size_t size, std::size_t *count) {
            return damka_tables(handle_.get(), room, size, count);
        });
    }

    // Positions of a table, at most `limit`.
    std::vector<DamkaListed> list(const Query &query, std::size_t limit) const {
        const std::string signature = c_string(query.signature);
        const DamkaQuery asked = {
            signature.c_str(), query.metric,
            query.result ? *query.result : DAMKA_ANY, query.plies ? *query.plies : DAMKA_ANY,
            query.turn ? *query.turn : DAMKA_ANY, query.zugzwang, query.only_move};
        std::vector<DamkaListed> found;
        char cursor[DAMKA_NAME_SIZE] = "";
        while (found.size() < limit) {
            DamkaListed page[64];
            const std::size_t size = std::min<std::size_t>(limit - found.size(), 64);
            std::size_t count;
            check(damka_list(handle_.get(), &asked, cursor, page, size, &count));
            found.insert(found.end(), page, page + count);
            if (cursor[0] == 0) {
                break;
            }
        }
        return found;
    }

    // The number of pieces of the largest table, 0 if there is none.
    std::uint32_t largest(DamkaMetric metric = DAMKA_WDL) const {
        std::uint32_t pieces;
        check(damka_largest(handle_.get(), metric, &pieces));
        return pieces;
    }

    // Reads a position from text.
    DamkaPosition position(std::string_view fen) const {
        DamkaPosition position;
        check(damka_read_fen(handle_.get(), c_string(fen).c_str(), &position));
        return position;
    }

    // The FEN of a position.
    std::string fen(const DamkaPosition &position) const {
        char fen[256];
        check(damka_write_fen(handle_.get(), &position, fen, sizeof fen));
        return fen;
    }

    // The handle, for functions of damka.h.
    const DamkaTables *handle() const noexcept { return handle_.get(); }

private:
    struct Close {
        void operator()(DamkaTables *tables) const noexcept { damka_close(tables); }
    };

    // A string for damka.h, whose functions read a text only up to its first zero byte.
    static std::string c_string(std::string_view text) {
        if (text.find('\0') != std::string_view::npos) {
            throw Error(DAMKA_BAD_ARGUMENT, "a text has a zero byte");
        }
        return std::string(text);
    }

    static void check(DamkaStatus status) {
        if (status != DAMKA_OK) {
            throw Error(status, damka_error());
        }
    }

    static std::optional<Value> of(const DamkaValue &value) {
        if (value.status != DAMKA_OK) {
            return std::nullopt;
        }
        if (value.plies == DAMKA_UNKNOWN_PLIES) {
            return Value{value.result, std::nullopt};
        }
        return Value{value.result, value.plies};
    }

    static std::vector<Move> moves_of(const std::vector<DamkaMove> &found) {
        std::vector<Move> moves;
        moves.reserve(found.size());
        for (const DamkaMove &move : found) {
            moves.push_back({move.name, move.coordinates, of(move.value), move.after});
        }
        return moves;
    }

    // Returns all items that a function writes: calls it again if the buffer was too small.
    template <typename T, typename Function> static std::vector<T> all(Function &&function) {
        std::vector<T> found(64);
        for (;;) {
            const std::size_t size = found.size();
            std::size_t count;
            check(function(found.data(), size, &count));
            found.resize(count);
            if (count <= size) {
                return found;
            }
        }
    }

    std::unique_ptr<DamkaTables, Close> handle_;
};

} // namespace damka

#endif // DAMKA_HPP
