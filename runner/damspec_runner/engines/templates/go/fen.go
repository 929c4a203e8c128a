package main

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// A position of draughts.
type damspecPosition struct {
	turn byte         // 'W' or 'B'
	on   map[int]byte // what stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king
}

var damspecPiece = regexp.MustCompile(`^(K?)([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?$`)

// damspecRead reads a position as damspec writes it: B:W21-32:BK5,9 is Black to move.
func damspecRead(text string) (damspecPosition, error) {
	parts := strings.Split(text, ":")
	if parts[0] != "W" && parts[0] != "B" || len(parts) < 3 {
		return damspecPosition{}, fmt.Errorf("no position: %s", text)
	}
	sides := parts[1:3]
	if !strings.HasPrefix(sides[0], "W") || !strings.HasPrefix(sides[1], "B") {
		sides = []string{parts[2], parts[1]}
	}
	if !strings.HasPrefix(sides[0], "W") || !strings.HasPrefix(sides[1], "B") {
		return damspecPosition{}, fmt.Errorf("no position: %s", text)
	}
	found := damspecPosition{parts[0][0], map[int]byte{}}
	for _, part := range sides {
		for _, piece := range strings.Split(part[1:], ",") {
			if piece == "" {
				continue
			}
			match := damspecPiece.FindStringSubmatch(piece)
			if match == nil {
				return damspecPosition{}, fmt.Errorf("no piece: %s", piece)
			}
			first, _ := strconv.Atoi(match[2])
			last := first
			if match[3] != "" {
				last, _ = strconv.Atoi(match[3])
			}
			if last < first {
				return damspecPosition{}, fmt.Errorf("no piece: %s", piece)
			}
			for square := first; square <= last; square++ {
				found.on[square] = part[0]
				if match[1] == "" {
					found.on[square] += 'a' - 'A'
				}
			}
		}
	}
	return found, nil
}

// copy returns a position that can be changed.
func (position damspecPosition) copy() damspecPosition {
	on := map[int]byte{}
	for square, piece := range position.on {
		on[square] = piece
	}
	return damspecPosition{position.turn, on}
}

// squares returns the squares on which a piece stands, in order.
func (position damspecPosition) squares() []int {
	var found []int
	for square := range position.on {
		found = append(found, square)
	}
	sort.Ints(found)
	return found
}

// write returns the position as text.
func (position damspecPosition) write() string {
	text := string(position.turn)
	for _, side := range "WB" {
		var pieces []string
		for _, square := range position.squares() {
			switch piece := rune(position.on[square]); piece {
			case side:
				pieces = append(pieces, fmt.Sprintf("K%d", square))
			case side + 'a' - 'A':
				pieces = append(pieces, strconv.Itoa(square))
			}
		}
		text += ":" + string(side) + strings.Join(pieces, ",")
	}
	return text
}
