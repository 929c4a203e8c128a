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

/* Read a position. Returns NULL, or of a text that is invalid what is wrong, until the next one is read. */
static const char *fen_read(const char *text, Position *p)
{
    static char wrong[4200];
    const char *at = text + 1;
    int sides = 0;
    snprintf(wrong, sizeof wrong, "no position: %s", text);
    memset(p->on, ' ', sizeof p->on);
    p->turn = *text;
    if (p->turn != 'W' && p->turn != 'B')
        return wrong;
    for (char other = 0; sides < 2 && at[0] == ':' && (at[1] == 'W' || at[1] == 'B') && at[1] != other; sides++) {
        char side = other = at[1];
        for (at += 2; *at && *at != ':'; at += *at == ',') {
            int king = *at == 'K', size = (int)strcspn(at, ",:");
            char *end = (char *)at + king;
            long first = isdigit((unsigned char)*end) ? strtol(end, &end, 10) : 0, last = first;
            if (*end == '-')
                last = isdigit((unsigned char)end[1]) ? strtol(end + 1, &end, 10) : 0;
            if (size && (end != at + size || first < 1 || last < first || last > SQUARES)) {
                snprintf(wrong, sizeof wrong, "no piece: %.*s", size, at);
                return wrong;
            }
            for (; size && first <= last; first++)
                p->on[first] = king ? side : (char)tolower(side);
            at += size;
        }
    }
    return sides == 2 ? NULL : wrong;
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
