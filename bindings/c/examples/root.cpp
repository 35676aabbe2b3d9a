// Prints the ranked moves of a position, and best play to the end:
//
//     c++ -std=c++17 root.cpp $(pkg-config --cflags --libs damka) -o root
//     ./root russian DIR 'W:WKg1,c3:BKb8'
#include <damka.hpp>
#include <iostream>

namespace {

void print(const std::optional<damka::Value> &value) {
    if (!value) {
        std::cout << "unknown";
    } else if (value->result == DAMKA_DRAW) {
        std::cout << "draws";
    } else {
        std::cout << (value->result == DAMKA_WIN ? "wins" : "loses");
        if (value->plies) {
            std::cout << " in " << *value->plies;
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4) {
        std::cerr << "expected a game, a directory of tables and a position\n";
        return 2;
    }
    try {
        const damka::Tables tables(argv[1], argv[2]);
        const DamkaPosition position = tables.position(argv[3]);
        const damka::Root root = tables.root(position);
        std::cout << tables.fen(position) << ": ";
        print(root.value);
        std::cout << "\n";
        for (const damka::Move &move : root) {
            std::cout << "  " << move.name << " ";
            print(move.value);
            std::cout << "\n";
        }
        if (root.value && root.value->plies) {
            for (const damka::Move &move : tables.line(position)) {
                std::cout << move.name << " ";
            }
            std::cout << "\n";
        }
    } catch (const damka::Error &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
