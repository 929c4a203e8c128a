package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// A position of draughts.
type damspecPosition struct {
	turn byte         // 'W' or 'B'
	on   map[int]byte // what stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king
}

// damspecRead reads a position as damspec writes it: B:W21-32:BK5,9 is Black to move.
func damspecRead(text string) (damspecPosition, error) {
	parts := strings.Split(text, ":")
	if parts[0] != "W" && parts[0] != "B" {
		return damspecPosition{}, fmt.Errorf("no position: %s", text)
	}
	found := damspecPosition{parts[0][0], map[int]byte{}}
	for _, part := range parts[1:] {
		if part == "" || part[0] != 'W' && part[0] != 'B' {
			break
		}
		for _, piece := range strings.Split(part[1:], ",") {
			if piece == "" {
				continue
			}
			squares := strings.TrimPrefix(piece, "K")
			ends := strings.Split(squares, "-")
			first, err := strconv.Atoi(ends[0])
			last, wrong := strconv.Atoi(ends[len(ends)-1])
			if err != nil || wrong != nil || last > 999 {
				return damspecPosition{}, fmt.Errorf("no position: %s", text)
			}
			for square := first; square <= last; square++ {
				found.on[square] = part[0]
				if squares == piece {
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
