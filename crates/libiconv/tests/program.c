/* A C program that calls each function, with -DLIBICONV_PLUG by POSIX's names, otherwise by libiconv's names. */
#include <iconv.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int is_true, int line) {
    if (!is_true) {
        fprintf(stderr, "program.c:%d: failed, errno %d\n", line, errno);
        exit(1);
    }
}
#define CHECK(condition) check((condition), __LINE__)

/* Converts `text`, of `length` bytes, in one call. Returns the number of bytes written to `output`. */
static size_t convert(iconv_t cd, const char *text, size_t length, char *output, size_t room, size_t *result) {
    char *input = (char *)text, *at = output;
    size_t left = room;
    *result = iconv(cd, &input, &length, &at, &left);
    return room - left;
}

static int count_names(unsigned int count, const char *const *names, void *data) {
    CHECK(count > 0 && *names[0]);
    return ++*(int *)data == 5;
}

int main(void) {
    char output[64];
    size_t result, left;

    iconv_t cd = iconv_open("UTF-16LE", "UTF-8");
    CHECK(cd != (iconv_t)-1);
    CHECK(convert(cd, "h\xC3\xA9", 3, output, 64, &result) == 4 && result == 0 && !memcmp(output, "h\0\xE9\0", 4));
    CHECK(convert(cd, "h\xC3\xA9", 3, output, 3, &result) == 2 && result == (size_t)-1 && errno == E2BIG);
    CHECK(convert(cd, "h\xC3", 2, output, 64, &result) == 2 && result == (size_t)-1 && errno == EINVAL);
    CHECK(convert(cd, "h\xFF", 2, output, 64, &result) == 2 && result == (size_t)-1 && errno == EILSEQ);
    /* A caller that knows that the output fits may pass the largest size. */
    CHECK(convert(cd, "h", 1, output, SIZE_MAX, &result) == 2 && result == 0);
    memset(output, '!', 64);
    CHECK(convert(cd, "h\xC3\xA9", 3, output, SIZE_MAX, &result) == 4 && output[4] == '!' && output[63] == '!');
    CHECK(iconv(cd, NULL, NULL, NULL, NULL) == 0);
    CHECK(iconv_close(cd) == 0);

    cd = iconv_open("ASCII//TRANSLIT", "UTF-8");
    CHECK(convert(cd, "\xC3\xA9\xE2\x82\xAC", 5, output, 64, &result) == 4 && result == 2 && !memcmp(output, "eEUR", 4));
    int number = -1;
    CHECK(iconvctl(cd, ICONV_GET_TRANSLITERATE, &number) == 0 && number == 1);
    number = 0;
    CHECK(iconvctl(cd, ICONV_SET_TRANSLITERATE, &number) == 0);
    CHECK(convert(cd, "\xC3\xA9", 2, output, 64, &result) == 0 && result == (size_t)-1 && errno == EILSEQ);
    number = 1;
    CHECK(iconvctl(cd, ICONV_SET_DISCARD_ILSEQ, &number) == 0);
    CHECK(convert(cd, "a\xC3\xA9z", 4, output, 64, &result) == 2 && result == (size_t)-1 && errno == EILSEQ);
    CHECK(iconvctl(cd, ICONV_TRIVIALP, &number) == 0 && number == 0);
    CHECK(iconvctl(cd, ICONV_SET_HOOKS, &number) == -1 && errno == EINVAL);
    CHECK(iconv_close(cd) == 0);

    /* If a call that runs out of room omits a character, the call that takes the rest reports it, once. */
    cd = iconv_open("ASCII//IGNORE", "UTF-8");
    CHECK(convert(cd, "\xC3\xA9" "ab", 4, output, 1, &result) == 1 && result == (size_t)-1 && errno == E2BIG);
    CHECK(convert(cd, "b", 1, output, 64, &result) == 1 && result == (size_t)-1 && errno == EILSEQ);
    CHECK(convert(cd, "b", 1, output, 64, &result) == 1 && result == 0);
    CHECK(convert(cd, "\xC3\xA9" "ab", 4, output, 1, &result) == 1 && result == (size_t)-1 && errno == E2BIG);
    CHECK(iconv(cd, NULL, NULL, NULL, NULL) == 0 && convert(cd, "b", 1, output, 64, &result) == 1 && result == 0);
    CHECK(iconv_close(cd) == 0);

    /* Surfaces can be set for each side separately. */
    unsigned int surface = 2;
    cd = iconv_open("UTF-8", "IBM-1047");
    CHECK(convert(cd, "\xC1\x15\x25", 3, output, 64, &result) == 4 && !memcmp(output, "A\xC2\x85\n", 4));
    CHECK(iconvctl(cd, ICONV_SET_FROM_SURFACE, &surface) == -1 && errno == EINVAL);
    CHECK(iconvctl(cd, ICONV_SET_TO_SURFACE, &surface) == -1 && errno == EINVAL);
    CHECK(iconvctl(cd, ICONV_GET_FROM_SURFACE, &surface) == 0 && surface == ICONV_SURFACE_NONE);
    surface = ICONV_SURFACE_EBCDIC_ZOS_UNIX;
    CHECK(iconvctl(cd, ICONV_SET_FROM_SURFACE, &surface) == 0);
    CHECK(convert(cd, "\xC1\x15\x25", 3, output, 64, &result) == 4 && !memcmp(output, "A\n\xC2\x85", 4));
    CHECK(iconvctl(cd, ICONV_GET_TO_SURFACE, &surface) == 0 && surface == ICONV_SURFACE_NONE);
    CHECK(iconv_close(cd) == 0);
    cd = iconv_open("IBM-1047/zos_unix//TRANSLIT", "UTF-8");
    CHECK(convert(cd, "A\n\xC2\x85\xE2\x80\xA6", 7, output, 64, &result) == 6 && result == 1 && !memcmp(output, "\xC1\x15\x25KKK", 6));
    CHECK(iconvctl(cd, ICONV_GET_TO_SURFACE, &surface) == 0 && surface == ICONV_SURFACE_EBCDIC_ZOS_UNIX);
    CHECK(iconv_close(cd) == 0);
    cd = iconv_open("IBM-1047/ZOS_UNIX", "IBM-1047");
    CHECK(iconvctl(cd, ICONV_TRIVIALP, &number) == 0 && number == 0);
    CHECK(convert(cd, "\xC1\x15\x25", 3, output, 64, &result) == 3 && !memcmp(output, "\xC1\x25\x15", 3));
    surface = ICONV_SURFACE_EBCDIC_ZOS_UNIX;
    CHECK(iconvctl(cd, ICONV_SET_FROM_SURFACE, &surface) == 0 && iconvctl(cd, ICONV_TRIVIALP, &number) == 0 && number == 1);
    CHECK(convert(cd, "\xC1\x15\x25", 3, output, 64, &result) == 3 && !memcmp(output, "\xC1\x15\x25", 3));
    CHECK(iconv_close(cd) == 0);
    CHECK(iconv_open("UTF-8", "IBM-1047/MVS") == (iconv_t)-1 && errno == EINVAL);

    cd = iconv_open("ISO-2022-JP", "UTF-8");
    CHECK(convert(cd, "\xE3\x81\x82", 3, output, 64, &result) == 5 && result == 0);
    char *at = output;
    left = 2;
    CHECK(iconv(cd, NULL, NULL, &at, &left) == (size_t)-1 && errno == E2BIG && left == 2);
    left = 64;
    CHECK(iconv(cd, NULL, NULL, &at, &left) == 0 && left == 61 && !memcmp(output, "\x1B(B", 3));
    CHECK(iconv_close(cd) == 0);

    /* If a code stands for two characters and only the first fits, the next call writes the second. */
    cd = iconv_open("UTF-8", "BIG5-HKSCS");
    CHECK(convert(cd, "\x88\x62", 2, output, 2, &result) == 2 && result == (size_t)-1 && errno == E2BIG);
    CHECK(convert(cd, "", 0, output, 1, &result) == 0 && result == (size_t)-1 && errno == E2BIG);
    CHECK(convert(cd, "A", 1, output, 2, &result) == 2 && result == (size_t)-1 && errno == E2BIG && !memcmp(output, "\xCC\x84", 2));
    CHECK(convert(cd, "\x88\x62", 2, output, 2, &result) == 2 && result == (size_t)-1 && errno == E2BIG);
    at = output;
    left = 2;
    CHECK(iconv(cd, NULL, NULL, &at, &left) == 0 && left == 0 && !memcmp(output, "\xCC\x84", 2));
    CHECK(iconv_close(cd) == 0);

    CHECK(iconv_open("UTF-8", "no-such-encoding") == (iconv_t)-1 && errno == EINVAL);
    CHECK(iconv((iconv_t)-1, NULL, NULL, NULL, NULL) == (size_t)-1 && errno == EBADF);
    CHECK(iconv_close((iconv_t)-1) == -1 && errno == EBADF);
    CHECK(!strcmp(iconv_canonicalize("latin1"), "ISO-8859-1") && !strcmp(iconv_canonicalize("nothing"), "nothing"));
    int count = 0;
    iconvlist(count_names, &count);
    CHECK(count == 5);
    puts("program.c: passed");
    return 0;
}
