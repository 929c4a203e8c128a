/* An engine that knows its answers by heart: echo TABLE, the fastest there can be.
 *
 * TABLE has two lines for each question: the question from its "method" on, and the answer's "result".
 * Questions are looked up in a hash table; what is not there is answered with an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **keys, **values;
static size_t slots;

static size_t hash(const char *text, size_t length) {
    size_t sum = 1469598103934665603u;
    while (length--) sum = (sum ^ (unsigned char)*text++) * 1099511628211u;
    return sum;
}

static size_t slot(const char *key, size_t length) {
    size_t place = hash(key, length) & (slots - 1);
    while (keys[place] && (strlen(keys[place]) != length || memcmp(keys[place], key, length)))
        place = (place + 1) & (slots - 1);
    return place;
}

static void learn(char *text) {
    size_t lines = 0;
    for (char *at = text; *at; at++) lines += *at == '\n';
    for (slots = 16; slots < 2 * lines; slots *= 2) {}
    keys = calloc(slots, sizeof *keys);
    values = calloc(slots, sizeof *values);
    for (char *key = strtok(text, "\n"); key; key = strtok(NULL, "\n")) {
        char *value = strtok(NULL, "\n");
        size_t place = slot(key, strlen(key));
        keys[place] = key;
        values[place] = value;
    }
}

int main(int count, char **words) {
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    char *text = calloc((size_t)size + 1, 1);
    rewind(file);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) return 2;
    learn(text);
    static char lines[1 << 20];
    char *line = lines, *end = lines;
    for (;;) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        if (!next) { /* what was asked is answered; before it waits for more, that is written */
            fflush(stdout);
            memmove(lines, line, (size_t)(end - line));
            end = lines + (end - line);
            line = lines;
            ssize_t more = read(0, end, (size_t)(lines + sizeof lines - end));
            if (more <= 0) return 0;
            end += more;
            continue;
        }
        *next = 0;
        char *id = strstr(line, "\"id\":"), *key = strstr(line, "\"method\":");
        if (!id || !key) return 2;
        size_t length = strlen(key);
        size_t place = slot(key, length);
        printf("{\"jsonrpc\":\"2.0\",\"id\":%ld,", strtol(id + 5, NULL, 10));
        if (keys[place]) printf("\"result\":%s}\n", values[place]);
        else printf("\"error\":{\"code\":-32000,\"message\":\"never heard of it\"}}\n");
        if (!strncmp(key, "\"method\":\"quit\"", 15)) return fflush(stdout);
        line = next + 1;
    }
}
