/* Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move. */
#ifndef FEN_H
#define FEN_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 200 }; /* more than a board has; squares are numbered from 1 */

typedef struct {
    char turn;            /* 'W' or 'B' */
    char on[SQUARES + 1]; /* what stands on a square: 'w' 'b' a man, 'W' 'B' a king, ' ' nothing */
} Position;

/* Read a position. Returns 0 if the text is invalid. */
static int fen_read(const char *text, Position *p)
{
    memset(p->on, ' ', sizeof p->on);
    p->turn = *text;
    if (p->turn != 'W' && p->turn != 'B')
        return 0;
    for (text++; text[0] == ':' && (text[1] == 'W' || text[1] == 'B');) {
        char side = text[1];
        for (text += 2; *text == 'K' || isdigit((unsigned char)*text); text += *text == ',') {
            int king = *text == 'K';
            char *end;
            long first = strtol(text + king, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
            if (first < 1 || last > SQUARES)
                return 0;
            for (; first <= last; first++)
                p->on[first] = king ? side : (char)tolower(side);
            text = end;
        }
    }
    return 1;
}

/* The position as text, until the next one is written. */
static const char *fen_write(const Position *p)
{
    static char text[2 * 5 * SQUARES + 8];
    size_t size = (size_t)sprintf(text, "%c", p->turn);
    for (const char *side = "WB"; *side; side++) {
        const char *before = "";
        size += (size_t)sprintf(text + size, ":%c", *side);
        for (int square = 1; square <= SQUARES; square++)
            if (toupper(p->on[square]) == *side) {
                size += (size_t)sprintf(text + size, "%s%s%d", before, p->on[square] == *side ? "K" : "", square);
                before = ",";
            }
    }
    return text;
}

#endif
