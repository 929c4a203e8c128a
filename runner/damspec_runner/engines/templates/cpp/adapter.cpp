// An engine's side of damspec's line protocol: each question is a line, each answer is a line.
//
//     c++ -std=c++17 -o adapter adapter.cpp          and your engine's own files
//     damspec check english --lines -- ./adapter
//
// To fill in: NAME, RULESET and START below, and legal_moves(). The rest can stay as it is.
#include "fen.hpp"

#include <iostream>
#include <optional>
#include <vector>

// The engine may have a Move, a Position and moves of its own.
namespace damspec_adapter {

const std::string NAME = "my-engine 1.0";
const std::string RULESET = "english"; // the rulesets it plays, separated by commas; `damspec rulesets` lists them
const std::string START = "B:W21-32:B1-12"; // numbered as the engine does; --rotate and --numbering translate it
const bool HOPS = false; // true if it lists single jumps, one after another, and not whole captures

struct Move {
    std::string text; // with all the squares on its way: 9-14, or 9x18x27
    Position after;   // where it is the other side's turn, unless a jump has to be followed by another
};

// TO FILL IN: every legal move of the side position.turn. With HOPS, the second argument has the jumps already made
// from the position in this turn, as they were listed; else there are none.
std::optional<std::vector<Move>> legal_moves(const Position &, const std::vector<std::string> &)
{
    return std::nullopt; // not filled in yet
}

std::string moves(const std::string &fen, const std::vector<std::string> &hops)
{
    const auto legal = legal_moves(Position::read(fen), hops);
    if (!legal)
        return "unsupported legal_moves() in adapter.cpp is not filled in yet";
    std::string answer = "moves";
    for (const Move &move : *legal)
        answer += " " + move.text + ">" + move.after.write();
    return answer;
}

std::string answer(const std::string &line)
{
    std::istringstream words(line);
    std::string question, ruleset, fen;
    words >> question >> ruleset >> fen;
    std::vector<std::string> hops;
    for (std::string hop; words >> hop;)
        hops.push_back(hop);
    if (question == "hello")
        return "hello " + NAME + " rulesets=" + RULESET + " questions=start,moves,play" + (HOPS ? ",steps" : "");
    if (question == "start")
        return START;
    try {
        return question == "moves" ? moves(fen, hops) : "unsupported " + question;
    } catch (const std::invalid_argument &error) {
        return std::string("error ") + error.what();
    }
}

} // namespace damspec_adapter

int main()
{
    for (std::string line; std::getline(std::cin, line) && line != "quit";)
        std::cout << damspec_adapter::answer(line) << std::endl;
}
