/* An engine's side of damspec's line protocol: each question is a line, each answer is a line.
 *
 *     cc -o adapter adapter.c          and your engine's own files
 *     damspec check english --lines -- ./adapter
 *
 * To fill in: NAME, RULESET and START below, and list_moves(). The rest can stay as it is. */
#include "fen.h"
#include "echeckers.h"
#include "rcheckers.h"

#define NAME "kcheckers 0.8.1"
#define RULESET "english,russian" /* the rulesets it plays, separated by commas; `damspec rulesets` lists them */
#define START (*ruleset == 'e' ? "B:W21-32:B1-12" : "W:W21-32:B1-12")
#define HOPS 0 /* 1 if it lists single jumps, one after another, and not whole captures */

static char listed[1 << 16]; /* the moves of the answer */
static char hops[2048]; /* with HOPS, the jumps already made in this turn, as they were listed, with spaces between */

/* One legal move and the position after it, where it is the other side's turn, unless a jump has to be followed by
 * another. A move is written with all the squares on its way: 9-14, or 9x18x27. */
static void move(const char *text, const Position *after)
{
    size_t used = strlen(listed);
    snprintf(listed + used, sizeof listed - used, " %s>%s", text, fen_write(after));
}

/* The same for an engine that only knows where a move begins and ends: what left the board was captured. */
static inline void move_between(int from, int to, const Position *before, const Position *after)
{
    char text[64 + 4 * SQUARES], captured[4 * SQUARES] = "";
    size_t used = 0;
    for (int square = 1; square <= SQUARES; square++)
        if (before->on[square] != ' ' && after->on[square] == ' ' && square != from)
            used += (size_t)sprintf(captured + used, used ? ",%d" : "%d", square);
    if (used)
        snprintf(text, sizeof text, "%dx%d(%s)", from, to, captured);
    else
        snprintf(text, sizeof text, "%d-%d", from, to);
    move(text, after);
}

/* Each pair of squares is offered to the engine, whose player moves up the board: Black is turned round for it. */
static int list_moves(const char *ruleset, const Position *p)
{
    static ECheckers english;
    static RCheckers russian;
    Checkers &game = *ruleset == 'e' ? (Checkers &)english : russian;
    const char *pieces = p->turn == 'W' ? "wW Bb" : "bB Ww"; /* as the engine counts them, from 1 */
    for (int pair = 0, n, turned = p->turn == 'W' ? 0 : 33; pair < 32 * 32; pair++) {
        int from = pair / 32 + 1, to = pair % 32 + 1;
        Position after = *p;
        for (n = 1; n <= 32; n++)
            game.setItem(abs(turned - n) - 1, strchr(pieces, p->on[n]) - pieces + 1);
        if (p->on[to] != ' ' || !game.go1(abs(turned - from) - 1, abs(turned - to) - 1))
            continue;
        for (n = 1; n <= 32; n++)
            after.on[n] = pieces[game.item(abs(turned - n) - 1) - 1];
        after.turn = turned ? 'W' : 'B';
        move_between(from, to, p, &after);
    }
    return 1;
}

int main(void)
{
    char line[8192];
    const char *wrong;
    Position position;
    while (fgets(line, sizeof line, stdin)) {
        char question[16] = "", ruleset[128] = "", fen[4096] = "";
        hops[0] = '\0';
        sscanf(line, "%15s %127s %4095s %2047[^\n]", question, ruleset, fen, hops);
        if (!strcmp(question, "quit"))
            return 0;
        if (!strcmp(question, "hello"))
            printf("hello %s rulesets=%s questions=start,moves,play%s", NAME, RULESET, HOPS ? ",steps" : "");
        else if (!strcmp(question, "start"))
            printf("%s", START);
        else if (strcmp(question, "moves"))
            printf("unsupported %s", question);
        else if ((wrong = fen_read(fen, &position)))
            printf("error %s", wrong);
        else {
            listed[0] = '\0';
            if (list_moves(ruleset, &position))
                printf("moves%s", listed);
            else
                printf("unsupported list_moves() in adapter.c is not filled in yet");
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
