/* American checkers as CheckerBoard's islegal() and enginecommand(), for the adapter of `damspec new adapter
 * checkerboard`. With -DFREE nobody has to capture. Black moves to higher y. It prints what it does, as many engines
 * do. */
#include <stdio.h>
#include <string.h>

struct coor {
    int x, y;
};
struct CBmove {
    int jumps, newpiece, oldpiece;
    struct coor from, to, path[12], del[12];
    int delpiece[12];
};

static int on_board(int x, int y) { return x >= 0 && x < 8 && y >= 0 && y < 8; }

/* Follow the jumps of a piece from (x, y); to the square if `m` is given, else any. Returns whether there are any. */
static int jump(int b[8][8], int piece, int x, int y, const struct coor *to, struct CBmove *m, int done)
{
    int any = 0;
    for (int n = 0; n < 4; n++) {
        int dx = n % 2 ? 1 : -1, dy = n / 2 ? 1 : -1, over;
        if ((piece & 4 && dy != (piece & 2 ? 1 : -1)) || !on_board(x + 2 * dx, y + 2 * dy) || done == 12)
            continue;
        over = b[x + dx][y + dy];
        if (!over || (over & 3) == (piece & 3) || b[x + 2 * dx][y + 2 * dy])
            continue;
        if (!m)
            return 1;
        any = 1;
        struct CBmove so_far = *m;
        m->path[done] = (struct coor){x, y};
        m->del[done] = (struct coor){x + dx, y + dy};
        b[x + dx][y + dy] = 0;
        int found = jump(b, piece, x + 2 * dx, y + 2 * dy, to, m, done + 1);
        b[x + dx][y + dy] = over;
        if (found)
            return 1;
        *m = so_far;
    }
    if (!any && done && m && to->x == x && to->y == y) {
        m->jumps = done;
        return 1;
    }
    return 0;
}

int islegal(int b[8][8], int color, int from, int to, struct CBmove *m)
{
    struct coor a = {2 * (3 - (from - 1) % 4) + (from - 1) / 4 % 2, (from - 1) / 4};
    struct coor z = {2 * (3 - (to - 1) % 4) + (to - 1) / 4 % 2, (to - 1) / 4};
    int piece = b[a.x][a.y], duty = 0;
    printf("asked %d-%d\n", from, to);
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            if ((b[x][y] & 3) == color)
                duty |= jump(b, b[x][y], x, y, NULL, NULL, 0);
    if ((piece & 3) != color)
        return 0;
    m->oldpiece = piece, m->from = a, m->to = z;
    m->newpiece = piece & 4 && z.y == (color == 2 ? 7 : 0) ? color | 8 : piece;
    b[a.x][a.y] = 0;
    if (jump(b, piece, a.x, a.y, &z, m, 0))
        return 1;
#ifdef FREE
    duty = 0;
#endif
    int dx = z.x - a.x, dy = z.y - a.y;
    m->jumps = 0;
    return !duty && dx * dx == 1 && dy * dy == 1 && !b[z.x][z.y] && (piece & 8 || dy == (color == 2 ? 1 : -1));
}

int enginecommand(const char *command, char *reply)
{
    strcpy(reply, strcmp(command, "name") ? "" : "Small Engine 1");
    return 1;
}
