/* A draughts engine with faults to choose from: engine RULESET [FAULT].
 *
 * It plays english, lb, international and vl, written from docs/protocol.md, spec/README.md, spec/rules.yaml and the
 * documents' clauses, and from no other program. Without FAULT it is meant to be right. Each fault is one mistake at
 * the place where it is easily made; faults.yaml says what each is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAULTS(F)                                                                                                      \
    /* rules */                                                                                                        \
    F(optional_capture) F(men_capture_back) F(crowned_goes_on) F(may_stop) F(most_pieces) F(long_king_moves)           \
    F(kings_forward) F(kings_capture_forward) F(white_begins) F(men_never_back) F(later_forward) F(free_choice)        \
    F(short_king_moves) F(removed_at_once) F(origin_blocks) F(begins_backward) F(lands_behind) F(no_draw)              \
    /* no rules */                                                                                                     \
    F(ten_moves) F(thirteen_moves) F(five_captured) F(last_direction) F(right_edge) F(top_ray) F(third_stays)          \
    F(four_five) F(black_kings_forward) F(white_men_never_back) F(first_piece) F(same_ends) F(jumped_kept)             \
    F(corner_uncrowned) F(last_square_stays) F(fiftieth_empty) F(best_kept) F(twelve_pieces) F(list_kept)              \
    F(crash) F(man_as_king) F(seven_steps) F(one_capture) F(crown_kept) F(men_counted)

#define AS_NAME(name) name,
#define AS_TEXT(name) #name,
enum fault { RIGHT, FAULTS(AS_NAME) HOW_MANY };
static const char *const names[] = {"right", FAULTS(AS_TEXT)};
static enum fault fault;

/* --- The games ---------------------------------------------------------------------------------------------------- */

enum { EMPTY, WHITE = 1, BLACK = 2, KING = 4, OFF = 8 };

struct game {
    const char *id;
    int size, rows, first;
    int back_first, back_later; /* whether a man's first jump, and the others, may go backward */
    int flying, majority, crown_stops, one_each_draws;
};
static const struct game games[] = {
    {.id = "english", .size = 8, .rows = 3, .first = BLACK, .crown_stops = 1},
    {.id = "lb", .size = 8, .rows = 3, .first = BLACK, .crown_stops = 1},
    {.id = "international", .size = 10, .rows = 4, .first = WHITE, .back_first = 1, .back_later = 1, .flying = 1,
     .majority = 1},
    {.id = "vl", .size = 8, .rows = 3, .first = WHITE, .back_later = 1, .flying = 1, .majority = 1, .one_each_draws = 1},
};
static struct game game;

/* --- The board: a mailbox of twelve columns with a border --------------------------------------------------------- */

enum { WIDTH = 12, CELLS = WIDTH * WIDTH, MOST_SQUARES = 50, MOST_TAKEN = 24, MOST_MOVES = 1000 };
static const int direction[4] = {-WIDTH - 1, -WIDTH + 1, WIDTH - 1, WIDTH + 1}; /* White's forward is the first two */
static int board[CELLS], cell_of[MOST_SQUARES + 1], number_of[CELLS], squares, side;

struct move {
    int from, to, taken_count, taken[MOST_TAKEN], path[MOST_TAKEN];
    int crowns;
};
static struct move list[MOST_MOVES], current;
static int count, best, jumped[CELLS], mover, flies, outcome_asked;

static int row_of(int cell) { return cell / WIDTH - 1; }
static int column_of(int cell) { return cell % WIDTH - 1; }
static int enemy(void) { return WHITE + BLACK - side; }
static int is_forward(int d) { return side == WHITE ? d < 2 : d >= 2; }

static void lay_out(void)
{
    for (int cell = 0; cell < CELLS; cell++)
        board[cell] = OFF;
    for (int row = 0; row < game.size; row++)
        for (int column = 0; column < game.size; column++)
            if ((row + column) % 2) { /* the near left corner of each side is dark */
                int cell = (row + 1) * WIDTH + column + 1;
                board[cell] = EMPTY;
                cell_of[++squares] = cell;
                number_of[cell] = squares;
            }
    if (fault == four_five) {
        number_of[cell_of[4]] = 5;
        number_of[cell_of[5]] = 4;
    }
}

static int on_promotion_row(int cell)
{
    if (fault == corner_uncrowned && side == WHITE)
        return cell < cell_of[4];
    return row_of(cell) == (side == WHITE ? 0 : game.size - 1);
}

static int read_position(const char *fen)
{
    for (int square = 1; square <= squares; square++)
        if (!(fault == last_square_stays && square == squares))
            board[cell_of[square]] = EMPTY;
    side = fen[0] == 'W' ? WHITE : BLACK;
    for (const char *field = strchr(fen, ':'); field; field = strchr(field, ':')) {
        int colour = *++field == 'W' ? WHITE : BLACK;
        for (const char *at = field + 1; *at && *at != ':';) {
            int kind = *at == 'K' ? KING : 0;
            int square = (int)strtol(at + (kind ? 1 : 0), (char **)&at, 10);
            if (square < 1 || square > squares)
                return 0;
            board[cell_of[square]] = colour | kind;
            at += *at == ',';
        }
    }
    return 1;
}

static void write_position(char *out)
{
    out += sprintf(out, "%c", side == WHITE ? 'W' : 'B');
    for (int colour = WHITE; colour <= BLACK; colour++) {
        const char *before = "";
        out += sprintf(out, ":%c", colour == WHITE ? 'W' : 'B');
        for (int square = 1; square <= squares; square++) {
            int piece = board[cell_of[square]];
            if (piece & colour) {
                out += sprintf(out, "%s%s%d", before, piece & KING ? "K" : "", number_of[cell_of[square]]);
                before = ",";
            }
        }
    }
}

/* --- Moves -------------------------------------------------------------------------------------------------------- */

static int same_move(const struct move *a, const struct move *b)
{
    if (a->from != b->from || a->to != b->to || a->taken_count != b->taken_count)
        return 0;
    if (fault == same_ends)
        return 1;
    int mark[CELLS] = {0};
    for (int i = 0; i < a->taken_count; i++)
        mark[a->taken[i]] = 1;
    for (int i = 0; i < b->taken_count; i++)
        if (!mark[b->taken[i]])
            return 0;
    return 1;
}

static void add(void)
{
    if (game.majority) {
        if (current.taken_count < best)
            return;
        if (current.taken_count > best)
            count = 0;
        best = current.taken_count;
    }
    for (int i = 0; i < count; i++)
        if (same_move(&list[i], &current))
            return;
    if ((fault == ten_moves && count == 10) || (fault == thirteen_moves && count == 13))
        return;
    if (fault == crash && count == 12)
        abort();
    list[count++] = current;
}

static void end_capture(int cell, int piece)
{
    current.to = cell;
    current.crowns = !(mover & KING) && (piece & KING || on_promotion_row(cell));
    if (fault == crown_kept && !(mover & KING))
        for (int i = 0; i < current.taken_count; i++)
            current.crowns |= on_promotion_row(current.path[i]);
    add();
}

/* All captures that go on from a cell; `current` has the jumps up to there. */
static void jumps(int at, int piece)
{
    int found = 0, is_king = piece & KING;
    for (int d = 0; d < 4; d++) {
        if (!is_king && !is_forward(d)) {
            if (!(current.taken_count ? game.back_later : game.back_first))
                continue;
            if (fault == white_men_never_back && side == WHITE)
                continue;
        }
        if (fault == kings_capture_forward && is_king && !is_forward(d))
            continue;
        int over = at + direction[d];
        while (flies && board[over] == EMPTY)
            over += direction[d];
        if (!(board[over] & enemy()) || jumped[over])
            continue;
        if (fault == five_captured && current.taken_count == 5)
            continue;
        for (int to = over + direction[d]; board[to] == EMPTY; to += direction[d]) {
            int now = piece, kept = board[over];
            if (fault == top_ray && row_of(to) == 0 && to != over + direction[d])
                break;
            if (fault == crowned_goes_on && on_promotion_row(to))
                now |= KING;
            found = 1;
            jumped[over] = 1;
            if (fault == removed_at_once)
                board[over] = EMPTY;
            current.taken[current.taken_count] = over;
            current.path[current.taken_count++] = to;
            if (fault == may_stop || (game.crown_stops && !(now & KING) && on_promotion_row(to)))
                end_capture(to, now);
            if (!(game.crown_stops && !(now & KING) && on_promotion_row(to)))
                jumps(to, now);
            current.taken_count--;
            board[over] = kept;
            if (fault != jumped_kept)
                jumped[over] = 0;
            if (fault == one_capture)
                return;
            if (!flies || fault == lands_behind)
                break;
        }
    }
    if (!found && current.taken_count)
        end_capture(at, piece);
}

static void captures(int from)
{
    mover = board[from];
    if (mover & KING)
        flies = game.flying;
    else if (fault != man_as_king)
        flies = 0;
    memset(jumped, 0, sizeof jumped);
    current = (struct move){.from = from};
    if (fault != origin_blocks)
        board[from] = EMPTY;
    jumps(from, mover);
    board[from] = mover;
}

static void quiet_moves(int from)
{
    int is_king = board[from] & KING;
    int reach = is_king && (game.flying || fault == long_king_moves) ? game.size : 1;
    if (fault == short_king_moves)
        reach = 1;
    if (fault == seven_steps && reach > 7)
        reach = 7;
    for (int d = 0; d < (fault == last_direction && is_king ? 3 : 4); d++) {
        if (!is_king && !is_forward(d))
            continue;
        if (is_king && !is_forward(d) && (fault == kings_forward || (fault == black_kings_forward && side == BLACK)))
            continue;
        int to = from + direction[d];
        for (int steps = 1; steps <= reach && board[to] == EMPTY; steps++, to += direction[d]) {
            if (fault == right_edge && column_of(to) == game.size - 1)
                break;
            if (fault == top_ray && steps > 1 && row_of(to) == 0)
                break;
            current = (struct move){.from = from, .to = to, .crowns = !is_king && on_promotion_row(to)};
            add();
        }
    }
}

static void generate(void)
{
    int own[MOST_SQUARES], pieces = 0;
    for (int square = 1; square <= squares; square++)
        if (board[cell_of[square]] & side && !(fault == twelve_pieces && pieces == 12))
            own[pieces++] = cell_of[square];
    int first = fault == first_piece, old = 0;
    if (fault == list_kept && outcome_asked)
        old = count;
    count = old;
    if (fault != best_kept)
        best = 0;
    flies = 0;
    for (int i = first; i < pieces; i++)
        captures(own[i]);
    if (count > old && fault != optional_capture)
        return;
    best = 0;
    for (int i = first; i < pieces; i++)
        quiet_moves(own[i]);
}

static void play(const struct move *move)
{
    int piece = board[move->from];
    board[move->from] = EMPTY;
    for (int i = 0; i < move->taken_count; i++)
        if (!(fault == third_stays && i == 2))
            board[move->taken[i]] = EMPTY;
    board[move->to] = piece | (move->crowns ? KING : 0);
    side = enemy();
}

static int pieces_of(int colour)
{
    int found = 0;
    for (int square = 1; square <= squares; square++) {
        int piece = board[cell_of[square]];
        found += piece & colour && !(fault == men_counted && piece & KING);
    }
    return found;
}

static const char *outcome(void)
{
    const char *other_wins = side == WHITE ? "black" : "white", *side_wins = side == WHITE ? "white" : "black";
    generate();
    if (!pieces_of(side) || (pieces_of(enemy()) && !count))
        return other_wins;
    if (!pieces_of(enemy()))
        return side_wins;
    return game.one_each_draws && pieces_of(WHITE) == 1 && pieces_of(BLACK) == 1 ? "draw" : "ongoing";
}

/* --- The protocol ------------------------------------------------------------------------------------------------- */

static void write_move(const struct move *move, char *out)
{
    out += sprintf(out, "%d", number_of[move->from]);
    for (int i = 0; i < move->taken_count; i++)
        out += sprintf(out, "x%d", number_of[move->path[i]]);
    if (!move->taken_count)
        sprintf(out, "-%d", number_of[move->to]);
}

/* The text of a key's string value; the first in the line counts. */
static const char *text_of(const char *line, const char *key, char *out, size_t room)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(line, quoted);
    out[0] = 0;
    if (at) {
        at += strlen(quoted);
        at += strspn(at, " \"");
        snprintf(out, room, "%.*s", (int)strcspn(at, "\""), at);
    }
    return out;
}

static void answer(const char *line, char *out)
{
    static int asked;
    char method[32], fen[1024], wanted[256], text[256];
    text_of(line, "method", method, sizeof method);
    text_of(line, "position", fen, sizeof fen);
    text_of(line, "move", wanted, sizeof wanted);
    if (!strcmp(method, "hello")) {
        sprintf(out, "\"result\":{\"protocol\":1,\"name\":\"heldout-c\",\"version\":\"1\",\"rulesets\":[\"%s\"],"
                     "\"questions\":[\"start\",\"moves\",\"play\",\"outcome\"]}", game.id);
        return;
    }
    if (!strcmp(method, "quit")) {
        strcpy(out, "\"result\":null");
        return;
    }
    if (!strcmp(method, "start")) {
        read_position("W:W:B");
        for (int square = 1; square <= squares; square++) {
            int row = row_of(cell_of[square]);
            board[cell_of[square]] = row < game.rows ? BLACK : row >= game.size - game.rows ? WHITE : EMPTY;
        }
        side = fault == white_begins ? WHITE : game.first;
        write_position(text);
        sprintf(out, "\"result\":{\"position\":\"%s\"}", text);
        return;
    }
    if (!read_position(fen)) {
        strcpy(out, "\"error\":{\"code\":-32000,\"message\":\"no such square\"}");
        return;
    }
    if (!strcmp(method, "outcome")) {
        sprintf(out, "\"result\":{\"outcome\":\"%s\"}", outcome());
        outcome_asked = 1;
        return;
    }
    generate();
    outcome_asked = 0;
    if (!strcmp(method, "moves")) {
        if (fault == fiftieth_empty && ++asked % 50 == 0)
            count = 0;
        out += sprintf(out, "\"result\":{\"moves\":[");
        for (int i = 0; i < count; i++) {
            write_move(&list[i], text);
            out += sprintf(out, "%s\"%s\"", i ? "," : "", text);
        }
        strcpy(out, "]}");
        return;
    }
    for (int i = 0; i < count; i++) {
        write_move(&list[i], text);
        if (!strcmp(text, wanted)) {
            play(&list[i]);
            write_position(text);
            sprintf(out, "\"result\":{\"position\":\"%s\"}", text);
            return;
        }
    }
    strcpy(out, "\"error\":{\"code\":-32000,\"message\":\"no such move\"}");
}

static int choose(const char *id, const char *name)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (!strcmp(games[i].id, id))
            game = games[i];
    for (int i = 0; i < HOW_MANY; i++)
        if (!strcmp(names[i], name)) {
            fault = (enum fault)i;
            return game.id != NULL;
        }
    return 0;
}

int main(int argc, char **argv)
{
    static char line[8192], out[128 * MOST_MOVES];
    if (argc < 2 || !choose(argv[1], argc > 2 ? argv[2] : "right")) {
        fprintf(stderr, "usage: %s RULESET [FAULT]\n", argv[0]);
        return 2;
    }
    if (fault == men_capture_back)
        game.back_first = game.back_later = 1;
    if (fault == men_never_back)
        game.back_first = game.back_later = 0;
    if (fault == later_forward)
        game.back_later = 0;
    if (fault == begins_backward)
        game.back_first = 1;
    if (fault == free_choice)
        game.majority = 0;
    if (fault == most_pieces)
        game.majority = 1;
    if (fault == no_draw)
        game.one_each_draws = 0;
    lay_out();
    while (fgets(line, sizeof line, stdin)) {
        const char *id = strstr(line, "\"id\":");
        answer(line, out);
        printf("{\"jsonrpc\":\"2.0\",\"id\":%ld,%s}\n", id ? strtol(id + 5, NULL, 10) : 0, out);
        fflush(stdout);
        if (strstr(line, "\"method\":\"quit\""))
            break;
    }
    return 0;
}
