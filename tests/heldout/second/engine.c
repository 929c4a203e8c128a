/* A draughts engine in plain lines, with faults to choose from: engine RULESET [FAULT].
 *
 * It plays english, international, brazilian and pool, written from docs/lines.md, docs/protocol.md, spec/README.md,
 * spec/rules.yaml and the documents' clauses, and from no other program. Without FAULT it is meant to be right. Each
 * fault is one mistake at the place where it is easily made; faults.yaml says what each is.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAULTS(F)                                                                                                      \
    /* moves */                                                                                                        \
    F(kings_may_stop) F(goes_on_as_king) F(lands_anywhere) F(longest_per_piece) F(men_avoid_kings) F(back_later)       \
    F(two_bits) F(capture_short_of_edge) F(quiet_beside) F(kings_exempt) F(crown_ends_capture) F(kings_uncounted)     \
    F(right_edge_men) F(one_way)                                                                               \
    /* the position after a move, the start, the end */                                                                \
    F(branches_add_up) F(crown_flag_left) F(king_demoted) F(start_copied) F(three_rows) F(second_repetition)           \
    F(bare_side_plays) F(outcome_for_white) F(king_moves_halved) F(home_row_crowns) F(jump_uncrowned) F(midpoint_taken)                                                                                                 \
    /* capacity, reading, writing, state */                                                                            \
    F(list_of_24) F(fifteen_a_side) F(fen_of_80) F(line_of_120) F(empty_field) F(short_captures)                       \
    F(black_turned_round) F(four_kings_abort) F(kings_left_over) F(outcome_of_last_list) F(four_jumps) F(text_of_11)       \
    F(crown_letter_first) F(white_tail) F(dashed_captures) F(first_landing_left_out) F(several_multi_error)

#define AS_NAME(name) name,
#define AS_TEXT(name) #name,
enum fault { RIGHT, FAULTS(AS_NAME) HOW_MANY };
static const char *const fault_names[] = {"right", FAULTS(AS_TEXT)};
static enum fault fault;

/* --- The games ---------------------------------------------------------------------------------------------------- */

enum mid_capture { STOPS, AS_MAN };

struct game {
    const char *id;
    int size, start_rows, black_first, back_first, back_later, flying, continuing, most_pieces;
    enum mid_capture mid_capture;
    int repetition, king_moves; /* draws by what went before; 0 where this engine does not count them */
};

static const struct game games[] = {
    {"english", 8, 3, 1, 0, 0, 0, 0, 0, STOPS, 3, 40},
    {"international", 10, 4, 0, 1, 1, 1, 0, 1, AS_MAN, 0, 0},
    {"brazilian", 8, 3, 0, 1, 1, 1, 0, 1, AS_MAN, 0, 0},
    {"pool", 8, 3, 1, 1, 1, 1, 1, 0, AS_MAN, 0, 0},
};
static struct game game;

/* --- Squares: numbered from 1, 0 is off the board ------------------------------------------------------------------ */

enum { SQUARES = 50, MOST_JUMPS = 40, MOST_MOVES = 900, TEXT = 1200 };
enum direction { NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST, DIRECTIONS };

static int squares, row_of[SQUARES + 1], column_of[SQUARES + 1], beside[SQUARES + 1][DIRECTIONS];

static int square_at(int row, int column)
{
    if (row < 0 || column < 0 || row >= game.size || column >= game.size)
        return 0;
    return row * (game.size / 2) + column / 2 + 1;
}

static void lay_out(void)
{
    squares = game.size * game.size / 2;
    for (int square = 1; square <= squares; square++) {
        int half = game.size / 2, row = (square - 1) / half;
        row_of[square] = row;
        column_of[square] = (square - 1) % half * 2 + (row % 2 ? 0 : 1);
    }
    for (int square = 1; square <= squares; square++)
        for (int d = 0; d < DIRECTIONS; d++)
            beside[square][d] =
                square_at(row_of[square] + (d < SOUTH_WEST ? -1 : 1), column_of[square] + (d % 2 ? 1 : -1));
}

static int is_edge(int square)
{
    int row = row_of[square], column = column_of[square];
    return row == 0 || column == 0 || row == game.size - 1 || column == game.size - 1;
}

/* --- Positions: positive pieces are White's ------------------------------------------------------------------------- */

enum { MAN = 1, CROWNED = 2 };

struct position {
    signed char on[SQUARES + 1];
    int side; /* 1 for White, -1 for Black */
};

struct move {
    int jumps, path[MOST_JUMPS + 1], taken[MOST_JUMPS];
    int crowns;
    unsigned long long lifted; /* a bit for each square that is emptied */
};

static struct position now;
static struct move moves[MOST_MOVES], trail;
static int count, last_count = -1;

static int is_own(const struct position *position, int square) { return position->on[square] * position->side > 0; }
static int is_enemy(const struct position *position, int square) { return position->on[square] * position->side < 0; }
static int is_king(int piece) { return abs(piece) == CROWNED; }
static int last_row(int side) { return side > 0 ? 0 : game.size - 1; }

static int read_position(const char *fen, struct position *position)
{
    static struct position before;
    char text[TEXT];
    snprintf(text, fault == fen_of_80 ? 80 : sizeof text, "%s", fen);
    *position = (struct position){.side = toupper((unsigned char)text[0]) == 'W' ? 1 : -1};
    if (fault == empty_field && strstr(text, ":W:B")) {
        memcpy(position->on, before.on, sizeof before.on);
        return 1;
    }
    for (char *field = strchr(text, ':'); field; field = strchr(field, ':')) {
        int side = toupper((unsigned char)*++field) == 'W' ? 1 : -1, men = 0;
        char *at = field;
        if (*at)
            at++;
        while (*at && *at != ':') {
            int piece = MAN;
            if (toupper((unsigned char)*at) == 'K') {
                piece = fault == crown_letter_first && at != field + 1 ? MAN : CROWNED;
                at++;
            }
            if (!isdigit((unsigned char)*at)) {
                at++;
                continue;
            }
            int from = (int)strtol(at, &at, 10), to = *at == '-' ? (int)strtol(at + 1, &at, 10) : from;
            if (from < 1 || to > squares)
                return 0;
            if (fault == white_tail && *at == ':')
                continue;
            for (int square = from; square <= to; square++)
                if (!(fault == fifteen_a_side && men++ >= 15))
                    position->on[square] = (signed char)(side * piece);
        }
    }
    if (fault == kings_left_over)
        for (int square = 1; square <= squares; square++)
            if (is_king(before.on[square]) && before.on[square] * position->on[square] > 0)
                position->on[square] = before.on[square];
    before = *position;
    return 1;
}

static int append(char *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    size_t used = strlen(out);
    int written = vsnprintf(out + used, TEXT - used, format, values);
    va_end(values);
    return written;
}

static void write_position(const struct position *position, char *out)
{
    sprintf(out, "%c", position->side > 0 ? 'W' : 'B');
    for (int side = 1; side >= -1; side -= 2) {
        const char *comma = "";
        append(out, ":%c", side > 0 ? 'W' : 'B');
        for (int square = 1; square <= squares; square++)
            if (position->on[square] * side > 0) {
                append(out, "%s%s%d", comma, is_king(position->on[square]) ? "K" : "", square);
                comma = ",";
            }
    }
}

/* --- Moves ---------------------------------------------------------------------------------------------------------- */

static int worth(const struct move *move)
{
    int men = 0;
    for (int i = 0; i < move->jumps; i++)
        men += !is_king(now.on[move->taken[i]]);
    return fault == two_bits ? move->jumps & 3 : fault == kings_uncounted ? men : move->jumps;
}

static int same_move(const struct move *a, const struct move *b)
{
    return a->jumps == b->jumps && a->path[0] == b->path[0] && a->path[a->jumps] == b->path[b->jumps] &&
           a->lifted == b->lifted && (a->jumps || a->path[1] == b->path[1]);
}

static void add(const struct move *move)
{
    if (fault == list_of_24 && count == 24)
        return;
    for (int i = 0; i < count; i++)
        if (same_move(&moves[i], move))
            return;
    if (count < MOST_MOVES)
        moves[count++] = *move;
}

static int reaches_last_row(int piece, int side, int square)
{
    if (fault == home_row_crowns && row_of[square] == last_row(-side))
        return !is_king(piece);
    return !is_king(piece) && row_of[square] == last_row(side);
}

/* The first piece in a direction that a piece on a square could jump, or 0. */
static int jumped_piece(int square, int d, int piece, int jumps)
{
    int forward = now.side > 0 ? d < SOUTH_WEST : d >= SOUTH_WEST;
    if (!is_king(piece) && !forward && !(jumps ? game.back_later : game.back_first))
        return 0;
    int over = beside[square][d];
    while (is_king(piece) && game.flying && over && !now.on[over])
        over = beside[over][d];
    if (!over || !is_enemy(&now, over) || trail.lifted >> over & 1)
        return 0;
    if (fault == men_avoid_kings && !is_king(piece) && is_king(now.on[over]))
        return 0;
    int behind = beside[over][d];
    return behind && !now.on[behind] ? over : 0;
}

static int can_jump(int square, int piece, int jumps)
{
    for (int d = 0; d < DIRECTIONS; d++)
        if (jumped_piece(square, d, piece, jumps))
            return 1;
    return 0;
}

static void end_capture(int piece)
{
    int square = trail.path[trail.jumps];
    int man = abs(now.on[0]) == MAN; /* what the piece was when the capture began */
    if (fault != crown_flag_left)
        trail.crowns = 0;
    if (fault != jump_uncrowned)
        trail.crowns |= man && (is_king(piece) || reaches_last_row(piece, now.side, square));
    add(&trail);
}

static void captures_from(int square, int piece)
{
    int went_on = 0;
    if (trail.jumps && game.mid_capture == STOPS && reaches_last_row(piece, now.side, square)) {
        end_capture(piece);
        return;
    }
    for (int d = 0; d < DIRECTIONS && trail.jumps < (fault == four_jumps ? 4 : MOST_JUMPS); d++) {
        int over = jumped_piece(square, d, piece, trail.jumps), landings[SQUARES], found = 0, better = 0;
        if (!over)
            continue;
        unsigned long long kept = trail.lifted;
        trail.lifted |= 1ULL << over;
        trail.taken[trail.jumps] = over;
        for (int to = beside[over][d]; to && !now.on[to]; to = beside[to][d]) {
            if (!(fault == capture_short_of_edge && is_edge(to)))
                landings[found++] = to;
            if (!is_king(piece) || !game.flying)
                break;
        }
        if (game.continuing && is_king(piece) && fault != lands_anywhere)
            for (int i = 0; i < found; i++)
                if (can_jump(landings[i], piece, trail.jumps + 1))
                    landings[better++] = landings[i];
        found = better ? better : found;
        for (int i = 0; i < found; i++) {
            int then = piece;
            if (fault == goes_on_as_king && reaches_last_row(piece, now.side, landings[i]))
                then = now.side * CROWNED;
            trail.path[++trail.jumps] = landings[i];
            captures_from(landings[i], then);
            if (fault == kings_may_stop && is_king(then))
                end_capture(then);
            trail.jumps--;
            went_on = 1;
        }
        if (fault != branches_add_up)
            trail.lifted = kept;
        if (fault == one_way && is_king(piece))
            break;
    }
    if (!went_on && trail.jumps)
        end_capture(piece);
}

static void keep_longest(int from)
{
    int best = 0, kept = from;
    for (int i = from; i < count; i++)
        if (worth(&moves[i]) > best)
            best = worth(&moves[i]);
    for (int i = from; i < count; i++)
        if (worth(&moves[i]) == best)
            moves[kept++] = moves[i];
    count = kept;
}

static void begin_trail(int square)
{
    int crowns = trail.crowns;
    trail = (struct move){.path = {square}};
    if (fault == crown_flag_left)
        trail.crowns = crowns;
}

static void quiet_moves(int square)
{
    int piece = now.on[square], most = is_king(piece) && game.flying ? game.size : 1;
    if (fault == right_edge_men && !is_king(piece) && column_of[square] == game.size - 1)
        return;
    if (fault == kings_exempt && !is_king(piece) && count && moves[0].jumps)
        return;
    for (int d = 0; d < DIRECTIONS; d++) {
        if (!is_king(piece) && (now.side > 0) != (d < SOUTH_WEST))
            continue;
        int to = beside[square][d];
        for (int steps = 0; steps < most && to && !now.on[to]; steps++, to = beside[to][d]) {
            trail.path[1] = to;
            if (fault != crown_flag_left)
                trail.crowns = 0;
            trail.crowns |= reaches_last_row(piece, now.side, to);
            add(&trail);
        }
    }
}

static void list_moves(void)
{
    count = 0;
    trail.crowns = 0;
    for (int square = 1; square <= squares; square++)
        if (is_own(&now, square)) {
            int piece = now.on[square], first = count;
            begin_trail(square);
            now.on[0] = (signed char)piece;
            now.on[square] = 0;
            captures_from(square, piece);
            now.on[square] = (signed char)piece;
            if (fault == longest_per_piece)
                keep_longest(first);
        }
    if (game.most_pieces && fault != longest_per_piece)
        keep_longest(0);
    int captures = count;
    if (fault == quiet_beside || fault == kings_exempt)
        captures = 0;
    for (int square = 1; square <= squares && !captures; square++)
        if (is_own(&now, square)) {
            begin_trail(square);
            quiet_moves(square);
        }
}

static void play(const struct move *move)
{
    int from = move->path[0], to = move->path[move->jumps ? move->jumps : 1], piece = now.on[from];
    now.on[from] = 0;
    for (int square = 1; square <= squares; square++)
        if (move->lifted >> square & 1 && fault != midpoint_taken)
            now.on[square] = 0;
    for (int i = 0; i < move->jumps && fault == midpoint_taken; i++) {
        int rows = row_of[move->path[i]] + row_of[move->path[i + 1]];
        if (rows % 2 == 0)
            now.on[square_at(rows / 2, (column_of[move->path[i]] + column_of[move->path[i + 1]]) / 2)] = 0;
    }
    if (fault == start_copied && move->jumps > 1)
        now.on[from] = (signed char)piece;
    if (fault == king_demoted && move->jumps)
        piece = now.side * MAN;
    now.on[to] = (signed char)(move->crowns && !is_king(piece) ? 2 * piece : piece);
    now.side = -now.side;
}

static int written(int square) { return fault == black_turned_round && now.side < 0 ? squares + 1 - square : square; }

static void write_move(const struct move *move, char *out)
{
    sprintf(out, "%d", written(move->path[0]));
    for (int i = fault == short_captures && move->jumps ? move->jumps : 1; i <= (move->jumps ? move->jumps : 1); i++)
        if (!(fault == first_landing_left_out && i == 1 && move->jumps > 1))
            append(out, "%c%d", move->jumps && fault != dashed_captures ? 'x' : '-', written(move->path[i]));
    if (fault == text_of_11 && strlen(out) > 11)
        out[11] = 0;
}

static const struct move *find_move(const char *text)
{
    char own[TEXT];
    list_moves();
    for (int i = 0; i < count; i++) {
        write_move(&moves[i], own);
        if (!strcmp(own, text))
            return &moves[i];
    }
    return NULL;
}

/* --- The end of the game -------------------------------------------------------------------------------------------- */

static int pieces_of(int side)
{
    int found = 0;
    for (int square = 1; square <= squares; square++)
        found += now.on[square] * side > 0;
    return found;
}

static const char *outcome(void)
{
    if (fault == outcome_for_white)
        now.side = 1;
    const char *lost = now.side > 0 ? "black" : "white", *won = now.side > 0 ? "white" : "black";
    int listed = last_count;
    list_moves();
    if (fault != outcome_of_last_list || listed < 0)
        listed = count;
    if (!pieces_of(now.side))
        return fault == bare_side_plays ? "ongoing" : lost;
    if (!pieces_of(-now.side))
        return fault == bare_side_plays ? "ongoing" : won;
    return listed ? "ongoing" : lost;
}

/* The same after the moves of a game: also by repetition, and by moves of kings alone. */
static const char *outcome_after(char *rest)
{
    static char seen[4000][TEXT];
    int stood = 0, times = 0, quiet = 0;
    write_position(&now, seen[stood++]);
    for (char *word = strtok(rest, " \n"); word && stood < 4000; word = strtok(NULL, " \n")) {
        const struct move *move = find_move(word);
        if (!move)
            return "error no such move";
        quiet = move->jumps || !is_king(now.on[move->path[0]]) ? 0 : quiet + 1;
        play(move);
        write_position(&now, seen[stood++]);
    }
    const char *plain = outcome();
    for (int i = 0; i < stood; i++)
        times += !strcmp(seen[i], seen[stood - 1]);
    if (strcmp(plain, "ongoing"))
        return plain;
    if (game.repetition && times >= (fault == second_repetition ? 2 : game.repetition))
        return "draw repetition";
    if (game.king_moves && quiet >= (fault == king_moves_halved ? 1 : 2) * game.king_moves)
        return "draw king-moves";
    return plain;
}

/* Whether more than one piece has a capture of several jumps. */
static int can_several_jump_on(void)
{
    int from = 0;
    for (int i = 0; i < count; i++)
        if (moves[i].jumps > 1) {
            if (from && from != moves[i].path[0])
                return 1;
            from = moves[i].path[0];
        }
    return 0;
}

/* --- The protocol --------------------------------------------------------------------------------------------------- */

static void start(void)
{
    int rows = fault == three_rows ? 3 : game.start_rows;
    now = (struct position){.side = game.black_first ? -1 : 1};
    for (int square = 1; square <= squares; square++)
        now.on[square] = (signed char)(row_of[square] < rows ? -MAN : row_of[square] >= game.size - rows ? MAN : 0);
}

static void answer(char *line)
{
    static char text[TEXT];
    char *method = strtok(line, " \n");
    if (!method)
        return;
    if (!strcmp(method, "hello")) {
        printf("hello second-c 1 rulesets=%s questions=start,moves,play,outcome%s\n", game.id,
               game.repetition ? ",history" : "");
        return;
    }
    strtok(NULL, " \n"); /* the ruleset */
    if (!strcmp(method, "start")) {
        start();
        write_position(&now, text);
        puts(text);
        return;
    }
    char *fen = strtok(NULL, " \n");
    if (!fen || !read_position(fen, &now)) {
        puts("error no such position");
        return;
    }
    if (fault == four_kings_abort)
        for (int side = -1; side <= 1; side += 2) {
            int kings = 0;
            for (int square = 1; square <= squares; square++)
                kings += now.on[square] == side * CROWNED;
            if (kings > 3)
                abort();
        }
    if (!strcmp(method, "outcome")) {
        char *rest = strtok(NULL, "\n");
        puts(rest ? outcome_after(rest) : outcome());
    } else if (!strcmp(method, "play")) {
        const struct move *move = find_move(strtok(NULL, " \n"));
        if (move) {
            play(move);
            write_position(&now, text);
        }
        puts(move ? text : "error no such move");
    } else {
        static char out[40 * TEXT];
        size_t used = (size_t)sprintf(out, "moves");
        list_moves();
        last_count = count;
        if (fault == several_multi_error && can_several_jump_on()) {
            puts("error ambiguous piece");
            return;
        }
        for (int i = 0; i < count; i++) {
            write_move(&moves[i], text);
            if (!(fault == line_of_120 && used + strlen(text) + 1 >= 120))
                used += (size_t)sprintf(out + used, " %s", text);
        }
        puts(out);
    }
}

static int choose(const char *id, const char *name)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (!strcmp(games[i].id, id))
            game = games[i];
    for (int i = 0; i < HOW_MANY; i++)
        if (!strcmp(fault_names[i], name)) {
            fault = (enum fault)i;
            return game.id != NULL;
        }
    return 0;
}

int main(int argc, char **argv)
{
    static char line[65536];
    if (argc < 2 || !choose(argv[1], argc > 2 ? argv[2] : "right")) {
        fprintf(stderr, "usage: %s RULESET [FAULT]\n", argv[0]);
        return 2;
    }
    if (fault == back_later)
        game.back_later = 1;
    if (fault == crown_ends_capture)
        game.mid_capture = STOPS;
    lay_out();
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        answer(line);
        fflush(stdout);
    }
    return 0;
}
