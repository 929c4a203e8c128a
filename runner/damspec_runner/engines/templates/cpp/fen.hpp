// Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move.
#pragma once

#include <cctype>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace damspec_adapter {

struct Position {
    char turn = 'W';          // 'W' or 'B'
    std::map<int, char> on;   // what stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king

    // Read a position; nothing if the text is invalid.
    static std::optional<Position> read(const std::string &text)
    {
        Position found;
        std::istringstream parts(text);
        std::string part;
        if (!std::getline(parts, part, ':') || (part != "W" && part != "B"))
            return std::nullopt;
        found.turn = part[0];
        while (std::getline(parts, part, ':') && !part.empty() && (part[0] == 'W' || part[0] == 'B')) {
            const char side = part[0];
            std::istringstream pieces(part.substr(1));
            for (std::string piece; std::getline(pieces, piece, ',');) {
                const bool king = piece.substr(0, 1) == "K";
                int first = 0, last = 0;
                char dash = 0;
                std::istringstream numbers(piece.substr(king ? 1 : 0));
                if (!(numbers >> first) || first < 1)
                    return std::nullopt;
                if (!(numbers >> dash >> last) || dash != '-')
                    last = first;
                for (int square = first; square <= last; ++square)
                    found.on[square] = king ? side : static_cast<char>(std::tolower(side));
            }
        }
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
};

} // namespace damspec_adapter
