// Package dam plays English draughts, for the adapter of docs/engines.md. Squares are 0 to 31, Black's side first.
package dam

// A Board has 1 for a black man, 2 for a black king, -1 and -2 for White's, and the side to move, 1 or -1.
type Board struct {
	Squares [32]int
	Side    int
}

// A Move has the squares on its way, and those of captured pieces.
type Move struct{ Path, Captured []int }

func neighbour(square, down, right, steps int) int {
	row := square/4 + down*steps
	column := square%4*2 + (square/4+1)%2 + right*steps
	if row < 0 || row > 7 || column < 0 || column > 7 {
		return -1
	}
	return row*4 + column/2
}

// Moves returns the legal moves.
func (b Board) Moves() []Move {
	var captures, steps []Move
	for square, piece := range b.Squares {
		if piece*b.Side <= 0 {
			continue
		}
		for _, d := range [][2]int{{1, -1}, {1, 1}, {-1, -1}, {-1, 1}} {
			to := neighbour(square, d[0], d[1], 1)
			if (piece*piece > 1 || d[0] == piece) && to >= 0 && b.Squares[to] == 0 {
				steps = append(steps, Move{[]int{square, to}, nil})
			}
		}
		lifted := b
		lifted.Squares[square] = 0
		captures = append(captures, lifted.captures(piece, Move{[]int{square}, nil})...)
	}
	if captures != nil {
		return captures
	}
	return steps
}

func (b Board) captures(piece int, so Move) []Move {
	var found []Move
	from := so.Path[len(so.Path)-1]
	for _, d := range [][2]int{{1, -1}, {1, 1}, {-1, -1}, {-1, 1}} {
		over, to := neighbour(from, d[0], d[1], 1), neighbour(from, d[0], d[1], 2)
		if piece*piece == 1 && d[0] != piece || to < 0 || b.Squares[over]*b.Side >= 0 || b.Squares[to] != 0 {
			continue
		}
		next := b
		next.Squares[over] = 0
		path := append(append([]int{}, so.Path...), to)
		found = append(found, next.captures(piece, Move{path, append(append([]int{}, so.Captured...), over)})...)
	}
	if found == nil && so.Captured != nil {
		return []Move{so}
	}
	return found
}

// After returns the board after a move.
func (b Board) After(m Move) Board {
	from, to := m.Path[0], m.Path[len(m.Path)-1]
	piece := b.Squares[from]
	b.Squares[from] = 0
	for _, square := range m.Captured {
		b.Squares[square] = 0
	}
	if piece == 1 && to >= 28 || piece == -1 && to < 4 {
		piece *= 2
	}
	b.Squares[to], b.Side = piece, -b.Side
	return b
}
