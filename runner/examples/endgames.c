/* The value of a position, read from a file that `damspec solve` wrote: ./endgames KKvK.damsolve W:WK1,K2:BK14
 * For games whose squares are numbered row by row from the top left; docs/solve.md has the format. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int n, square[8]; } Pieces;

static uint64_t number(const unsigned char *at, int bytes) {
    uint64_t found = 0;
    while (bytes-- > 0) found = found << 8 | at[bytes];
    return found;
}

static uint64_t ways(int squares, int pieces) {
    uint64_t found = 1;
    if (squares < pieces) return 0;
    for (int i = 1; i <= pieces; i++) found = found * (squares - pieces + i) / i;
    return found;
}

static void add(Pieces *pieces, int square) { /* in the order of the squares */
    int place = pieces->n++;
    for (; place > 0 && pieces->square[place - 1] > square; place--) pieces->square[place] = pieces->square[place - 1];
    pieces->square[place] = square;
}

static uint64_t rank(Pieces pieces, Pieces *taken, int skipped) {
    uint64_t found = 0;
    for (int i = 0; i < pieces.n; i++) {
        int free = pieces.square[i] - skipped;
        for (int j = 0; j < taken->n; j++) free -= taken->square[j] < pieces.square[i];
        found += ways(free, i + 1);
    }
    for (int i = 0; i < pieces.n; i++) add(taken, pieces.square[i]);
    return found;
}

int main(int count, char **words) {
    static const char *const values[] = {"draw", "win", "loss", "no position"};
    FILE *file = count == 3 ? fopen(words[1], "rb") : NULL;
    unsigned char head[88];
    if (!file || fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "DAMSOLVE", 8)) return 1;
    uint64_t start = number(head + 12, 4);
    int squares = (int)number(head + 16, 2), sections = head[18], width = head[19], limit = head[20];
    char *fen = words[2], turn = fen[0], side = 0;
    Pieces pieces[4] = {{0}}, none = {0}, taken = {0}; /* own men and kings, enemy men and kings */
    for (char *at = fen + 1; *at; ) {
        if (*at == 'W' || *at == 'B') side = *at++;
        int king = *at == 'K', square = (int)strtol(at + king, &at, 10) - 1;
        if (square >= 0 && side) add(&pieces[2 * (side != turn) + king], turn == 'B' ? squares - 1 - square : square);
        else at++;
    }
    unsigned char row[2][16];
    int apart = 0, section = 0;
    for (int i = 0; i < sections; i++) {
        if (fread(row[i], 1, 16, file) != 16) return 1;
        apart |= row[i][0];
    }
    for (; section < sections; section++) {
        int same = row[section][0] == (apart && turn == 'B');
        for (int i = 0; i < 4; i++) same &= row[section][1 + i] == pieces[i].n;
        if (same) break;
        uint64_t size = number(row[section] + 8, 8);
        start += (size + 3) / 4 + size * width;
    }
    if (section == sections) return 1;
    int free = squares - pieces[0].n - pieces[2].n;
    uint64_t place = rank(pieces[0], &taken, row[section][5]);
    place = place * ways(squares - row[section][6], pieces[2].n) + rank(pieces[2], &none, 0);
    for (int i = 0; i < pieces[2].n; i++) add(&taken, pieces[2].square[i]);
    place = place * ways(free, pieces[1].n) + rank(pieces[1], &taken, 0);
    place = place * ways(free - pieces[1].n, pieces[3].n) + rank(pieces[3], &taken, 0);
    for (int i = 0; i < 4; i += 2) place *= pieces[i].n ? 1 + limit * pieces[i + 1].n : 1; /* without king runs */
    unsigned char value = 0, distance[2] = {0};
    fseek(file, (long)(start + place / 4), SEEK_SET);
    if (fread(&value, 1, 1, file) != 1) return 1;
    fseek(file, (long)(start + (number(row[section] + 8, 8) + 3) / 4 + place * width), SEEK_SET);
    if (fread(distance, 1, width, file) != (size_t)width) return 1;
    printf("%s %d\n", values[value >> 2 * (place % 4) & 3], distance[0] | distance[1] << 8);
}
