// An engine's side of damspec's line protocol: each question is a line, each answer is a line.
//
//	go build -o adapter adapter.go fen.go
//	damspec check english --lines -- ./adapter
//
// In a module, put both files in a folder of it, such as cmd/damspec, import the engine's package here, and build with
// go build -o adapter ./cmd/damspec. Beside an engine that is package main, rename main() below and call it from there:
// all other names begin with damspec.
//
// To fill in: damspecName, damspecRuleset and damspecStart below, and damspecMoves(). The rest can stay as it is.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

const (
	damspecName    = "my-engine 1.0"
	damspecRuleset = "english"        // the rulesets it plays, separated by commas; `damspec rulesets` lists them
	damspecStart   = "B:W21-32:B1-12" // numbered as the engine does; --rotate and --numbering translate it
	damspecHops    = false            // true if it lists single jumps, one after another, and not whole captures
)

// A legal move.
type damspecMove struct {
	text  string          // with all the squares on its way: 9-14, or 9x18x27
	after damspecPosition // where it is the other side's turn, unless a jump has to be followed by another
}

// damspecMoveBetween returns a move of which the engine only knows where it begins and ends: what left the board was
// captured.
func damspecMoveBetween(from, to int, before, after damspecPosition) damspecMove {
	var captured []string
	for _, square := range before.squares() {
		if _, stays := after.on[square]; !stays && square != from {
			captured = append(captured, fmt.Sprint(square))
		}
	}
	if captured == nil {
		return damspecMove{fmt.Sprintf("%d-%d", from, to), after}
	}
	return damspecMove{fmt.Sprintf("%dx%d(%s)", from, to, strings.Join(captured, ",")), after}
}

// TO FILL IN: every legal move of the side position.turn, and true. With damspecHops, hops are the jumps already made
// from the position in this turn, as they were listed; else there are none.
func damspecMoves(ruleset string, position damspecPosition, hops []string) ([]damspecMove, bool) {
	return nil, false // not filled in yet
}

func damspecList(ruleset, fen string, hops []string) string {
	position, err := damspecRead(fen)
	if err != nil {
		return "error " + err.Error()
	}
	legal, filledIn := damspecMoves(ruleset, position, hops)
	if !filledIn {
		return "unsupported damspecMoves() in adapter.go is not filled in yet"
	}
	answer := "moves"
	for _, move := range legal {
		answer += " " + move.text + ">" + move.after.write()
	}
	return answer
}

func damspecAnswer(words []string) string {
	switch {
	case words[0] == "hello" && damspecHops:
		return fmt.Sprintf("hello %s rulesets=%s questions=start,moves,play,steps", damspecName, damspecRuleset)
	case words[0] == "hello":
		return fmt.Sprintf("hello %s rulesets=%s questions=start,moves,play", damspecName, damspecRuleset)
	case words[0] == "start":
		return damspecStart
	case words[0] == "moves" && len(words) > 2:
		return damspecList(words[1], words[2], words[3:])
	}
	return "unsupported " + words[0]
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() && lines.Text() != "quit" {
		fmt.Println(damspecAnswer(strings.Split(lines.Text(), " ")))
	}
}
