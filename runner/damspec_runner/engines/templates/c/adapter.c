/* An engine's side of damspec's line protocol: a question is a line, its answer is a line.
 *
 *     cc -o adapter adapter.c          and your engine's own files
 *     damspec check english --lines -- ./adapter
 *
 * To fill in: NAME, RULESET and START below, and list_moves(). The rest can stay as it is. */
#include "fen.h"

#define NAME "my-engine 1.0"
#define RULESET "english" /* what it plays; several with commas; `damspec rulesets` lists them */
#define START "B:W21-32:B1-12"

static char listed[1 << 16]; /* the moves of the answer */

/* One legal move and the position after it, where it is the other side's turn. A move is written with all the squares
 * on its way: 9-14, or 9x18x27. */
static void move(const char *text, const Position *after)
{
    size_t used = strlen(listed);
    snprintf(listed + used, sizeof listed - used, " %s>%s", text, fen_write(after));
}

/* TO FILL IN: call move() for each legal move of the side p->turn, and return 1. */
static int list_moves(const Position *p)
{
    (void)p;
    (void)move;
    return 0; /* not filled in yet */
}

int main(void)
{
    char line[8192];
    Position position;
    while (fgets(line, sizeof line, stdin)) {
        char question[16] = "", ruleset[128] = "", fen[4096] = "";
        sscanf(line, "%15s %127s %4095s", question, ruleset, fen);
        if (!strcmp(question, "quit"))
            return 0;
        if (!strcmp(question, "hello"))
            printf("hello %s rulesets=%s questions=start,moves,play", NAME, RULESET);
        else if (!strcmp(question, "start"))
            printf("%s", START);
        else if (strcmp(question, "moves"))
            printf("unsupported %s", question);
        else if (!fen_read(fen, &position))
            printf("error no position: %s", fen);
        else {
            listed[0] = '\0';
            if (list_moves(&position))
                printf("moves%s", listed);
            else
                printf("unsupported list_moves() is not filled in yet");
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
