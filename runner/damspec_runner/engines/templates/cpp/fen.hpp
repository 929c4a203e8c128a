// Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move.
#pragma once

#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace damspec_adapter {

struct Position {
    char turn = 'W';          // 'W' or 'B'
    std::map<int, char> on;   // what stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king

    // Read a position. Throws std::invalid_argument if the text is invalid.
    static Position read(const std::string &text)
    {
        std::istringstream parts(text);
        std::string turn, one, other;
        std::getline(std::getline(std::getline(parts, turn, ':'), one, ':'), other, ':');
        const std::string sides = one.substr(0, 1) + other.substr(0, 1);
        if ((turn != "W" && turn != "B") || (sides != "WB" && sides != "BW"))
            throw std::invalid_argument("no position: " + text);
        Position found;
        found.turn = turn[0];
        found.read_side(one);
        found.read_side(other);
        return found;
    }

    // The position as text.
    std::string write() const
    {
        std::string text(1, turn);
        for (const char side : {'W', 'B'}) {
            text += std::string(":") + side;
            const char *before = "";
            for (const auto &[square, piece] : on)
                if (std::toupper(piece) == side) {
                    text += before + std::string(piece == side ? "K" : "") + std::to_string(square);
                    before = ",";
                }
        }
        return text;
    }

private:
    void read_side(const std::string &part)
    {
        std::istringstream pieces(part.substr(1));
        for (std::string piece; std::getline(pieces, piece, ',');) {
            const bool king = piece.substr(0, 1) == "K";
            const std::string squares = piece.substr(king ? 1 : 0);
            const auto dash = squares.find('-');
            const int first = number(squares.substr(0, dash));
            const int last = dash == std::string::npos ? first : number(squares.substr(dash + 1));
            if (piece.empty())
                continue;
            if (first < 1 || last < first)
                throw std::invalid_argument("no piece: " + piece);
            for (int square = first; square <= last; ++square)
                on[square] = king ? part[0] : static_cast<char>(std::tolower(part[0]));
        }
    }

    // The number that a text is; 0 if it is none, or greater than any square.
    static int number(const std::string &text)
    {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits && text.size() < 4 ? std::stoi(text) : 0;
    }
};

} // namespace damspec_adapter
