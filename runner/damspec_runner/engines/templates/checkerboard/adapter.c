/* An engine for CheckerBoard, which is a library, as an engine of damspec's line protocol.
 *
 *     cc -o adapter adapter.c -ldl
 *     damspec check english --lines -- ./adapter ./engine.so
 *
 * A DLL wants a Windows program with as many bits: i686-w64-mingw32-gcc -o adapter.exe adapter.c, or x86_64-...
 * The library has to have islegal(), by which it judges moves; getmove() alone says nothing of the moves not played.
 * Of several captures that begin and end on the same squares islegal() tells only one.
 *
 * The functions, numbers and coordinates are those of cb_interface.h in github.com/eygilbert/CheckerBoard. To fill in
 * for another game than American checkers: RULESET, START and the coordinates. */
#include "fen.h"

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#define dup _dup
#define dup2 _dup2
#define fdopen _fdopen
#define find(library, name) ((void *)GetProcAddress(library, name))
#else
#include <dlfcn.h>
#include <unistd.h>
#define WINAPI
#define find dlsym
#endif

#define RULESET "english"
#define START "B:W21-32:B1-12"

enum { CB_WHITE = 1, CB_BLACK = 2, CB_MAN = 4, CB_KING = 8 };
struct coor {
    int x, y;
};
struct CBmove {
    int jumps, newpiece, oldpiece; /* how many pieces are captured; the moving piece afterwards, and before */
    struct coor from, to, path[12], del[12]; /* path[1] and on: where it lands on its way; del: the captured pieces */
    int delpiece[12];
};
typedef int(WINAPI *islegal_function)(int board[8][8], int color, int from, int to, struct CBmove *move);
typedef int(WINAPI *command_function)(const char *command, char *reply);

static struct coor coordinates(int square)
{
    struct coor at = {2 * (3 - (square - 1) % 4) + (square - 1) / 4 % 2, (square - 1) / 4};
    return at;
}

static int square_at(struct coor at)
{
    int square = 4 * (at.y + 1) - at.x / 2;
    return square < 1 ? 1 : square > 32 ? 32 : square;
}

static char letter(int piece)
{
    return piece & CB_WHITE ? (piece & CB_KING ? 'W' : 'w') : piece & CB_KING ? 'B' : 'b';
}

/* Ask whether a move is legal, by its first and its last square, and which move that is. */
static int is_legal(islegal_function islegal, const Position *p, int from, int to, struct CBmove *move)
{
    int board[8][8] = {{0}};
    for (int square = 1; square <= 32; square++)
        if (p->on[square] != ' ')
            board[coordinates(square).x][coordinates(square).y] =
                (toupper(p->on[square]) == 'W' ? CB_WHITE : CB_BLACK) | (islower(p->on[square]) ? CB_MAN : CB_KING);
    memset(move, 0, sizeof *move);
    int color = p->turn == 'W' ? CB_WHITE : CB_BLACK;
    return islegal(board, color, from, to, move) && move->jumps >= 0 && move->jumps <= 12;
}

/* The position after a move. */
static const char *after(const Position *p, int from, int to, const struct CBmove *move)
{
    Position next = *p;
    next.on[from] = ' ';
    for (int n = 0; n < move->jumps; n++)
        next.on[square_at(move->del[n])] = ' ';
    next.on[to] = letter(move->newpiece);
    next.turn = p->turn == 'W' ? 'B' : 'W';
    return fen_write(&next);
}

/* Whether the move that was told leads over these squares. */
static int leads_over(const struct CBmove *move, const int *squares, int count)
{
    int same = count == (move->jumps ? move->jumps : 1) + 1;
    for (int n = 1; same && n < count - 1; n++)
        same = square_at(move->path[n]) == squares[n];
    return same;
}

int main(int count, char **words)
{
    char line[8192], reply[1024] = "";
    FILE *answers = fdopen(dup(1), "w"); /* what the library prints goes to standard error */
    dup2(2, 1);
#ifdef _WIN32
    HMODULE library = count > 1 ? LoadLibraryA(words[1]) : NULL;
#else
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
#endif
    islegal_function islegal = library ? (islegal_function)find(library, "islegal") : NULL;
    command_function command = library ? (command_function)find(library, "enginecommand") : NULL;
    if (!islegal) {
        fprintf(stderr, "%s: %s\n", count > 1 ? words[1] : "adapter LIBRARY",
                library ? "the library has no islegal()" : "no library that can be loaded");
        return 1;
    }
    if (!command || !command("name", reply) || !*reply)
        strcpy(reply, "checkerboard-engine");
    for (char *at = reply; *at; at++)
        *at = isgraph((unsigned char)*at) && *at != '=' ? *at : '-';
    while (fgets(line, sizeof line, stdin)) {
        char question[16] = "", ruleset[128] = "", fen[4096] = "", text[512] = "";
        int squares[64], path = 0;
        const char *wrong;
        Position position;
        struct CBmove move;
        sscanf(line, "%15s %127s %4095s %511s", question, ruleset, fen, text);
        for (char *at = text; isdigit((unsigned char)*at) && path < 64; at += *at == 'x' || *at == '-')
            squares[path++] = (int)strtol(at, &at, 10);
        int plays = !strcmp(question, "play");
        if (!strcmp(question, "quit"))
            return 0;
        if (!strcmp(question, "hello"))
            fprintf(answers, "hello %s rulesets=%s questions=start,legal,play,ends", reply, RULESET);
        else if (!strcmp(question, "start"))
            fprintf(answers, "%s", START);
        else if (!plays && strcmp(question, "legal"))
            fprintf(answers, "unsupported %s", question);
        else if ((wrong = fen_read(fen, &position)))
            fprintf(answers, "error %s", wrong);
        else if (path < 2 || !is_legal(islegal, &position, squares[0], squares[path - 1], &move))
            fprintf(answers, plays ? "error no legal move: %s" : "no", text);
        else if (!plays)
            fprintf(answers, "yes");
        else if (leads_over(&move, squares, path))
            fprintf(answers, "%s", after(&position, squares[0], squares[path - 1], &move));
        else
            fprintf(answers, "unsupported islegal() tells another capture between these squares");
        fprintf(answers, "\n");
        fflush(answers);
    }
    return 0;
}
