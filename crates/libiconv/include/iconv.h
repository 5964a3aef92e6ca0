/* iconv(3) converts text between encodings. This header declares the functions of POSIX.1-2024 and of GNU libiconv.
   Link with -lutfconv_iconv. SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef UTFCONV_ICONV_H
#define UTFCONV_ICONV_H

#include <errno.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library has libiconv's functions, but behaves as the C library of GNU/Linux if the two differ (//IGNORE, the byte
   order of UTF-16). _LIBICONV_VERSION is not defined, because programs that test for it expect libiconv's behavior. */

/* A program that includes this header calls the functions by libiconv's names, so that it never mixes them with functions
   of the C library. The library exports both names. To use POSIX's names, define LIBICONV_PLUG. */
#ifndef LIBICONV_PLUG
#define iconv_open libiconv_open
#define iconv libiconv
#define iconv_close libiconv_close
#define iconvctl libiconvctl
#define iconvlist libiconvlist
#endif

typedef void *iconv_t;

/* Opens a conversion from FROM to TO. TO may end with //TRANSLIT (approximate characters that TO cannot encode), //IGNORE
   (omit everything that cannot be converted) or //NON_IDENTICAL_DISCARD (omit characters that TO cannot encode). Before
   these, each name may end with a surface, as in IBM-1047/ZOS_UNIX. The empty name and "char" mean the encoding of the
   locale. Returns (iconv_t)-1, with errno EINVAL, if a name is unknown. */
extern iconv_t iconv_open(const char *to, const char *from);

/* Converts as much of the input as there is room for, and advances the pointers and sizes by the bytes read and written.
   Returns the number of characters for which others were written (//TRANSLIT), or (size_t)-1, with errno:
     E2BIG   there is no room for the next character, which is not consumed; if a code has several characters, those that
             fit are written, the code is consumed, and the next call writes the others first
     EINVAL  the input ends inside a character, which is not consumed
     EILSEQ  the next bytes are ill-formed, or TO cannot encode them; they are not consumed. With //IGNORE, the whole
             input was consumed, and some of it was omitted, by this call or by earlier calls that ended with E2BIG
     EBADF   CD is not a descriptor
   If the input is a null pointer, ends the text: writes characters that were held back, and the return to the initial
   shift state (E2BIG if there is no room), and returns to the start of a text. If the output is a null pointer, too, only
   returns to the start of a text. The byte order of the input remains as its BOM determined. */
extern size_t iconv(iconv_t cd, char **input, size_t *input_left, char **output, size_t *output_left);

/* Closes a conversion. Returns 0, or -1 with errno EBADF. */
extern int iconv_close(iconv_t cd);

/* The newlines of EBCDIC. In IBM's tables, 15 is U+0085 and 25 is U+000A; z/OS Unix exchanges them. */
#define ICONV_SURFACE_NONE 0
#define ICONV_SURFACE_EBCDIC_ZOS_UNIX 1

/* The requests of iconvctl(). Each takes a pointer to an int, or to an unsigned int if it is about surfaces. */
#define ICONV_TRIVIALP 0          /* get: whether both encodings are the same */
#define ICONV_GET_TRANSLITERATE 1 /* get: whether //TRANSLIT applies */
#define ICONV_SET_TRANSLITERATE 2
#define ICONV_GET_DISCARD_ILSEQ 3 /* get: whether //IGNORE applies */
#define ICONV_SET_DISCARD_ILSEQ 4
#define ICONV_SET_HOOKS 5     /* not supported; fails with EINVAL */
#define ICONV_SET_FALLBACKS 6 /* not supported; fails with EINVAL */
#define ICONV_GET_FROM_SURFACE 7 /* get: the surface of the input; set it before the first conversion */
#define ICONV_SET_FROM_SURFACE 8
#define ICONV_GET_TO_SURFACE 9
#define ICONV_SET_TO_SURFACE 10
#define ICONV_GET_DISCARD_INVALID 11 /* get: whether ill-formed bytes are omitted */
#define ICONV_SET_DISCARD_INVALID 12
#define ICONV_GET_DISCARD_NON_IDENTICAL 13 /* get: whether characters that TO cannot encode are omitted */
#define ICONV_SET_DISCARD_NON_IDENTICAL 14

/* Gets or sets an attribute of a conversion. Returns 0, or -1 with errno EINVAL or EBADF. */
extern int iconvctl(iconv_t cd, int request, void *argument);

/* Calls DO_ONE with the names of each encoding, the canonical name first, until it returns a value other than 0. */
extern void iconvlist(int (*do_one)(unsigned int count, const char *const *names, void *data), void *data);

/* Returns the canonical name of the encoding that NAME means, or NAME itself if no encoding has the name. */
extern const char *iconv_canonicalize(const char *name);

#ifdef __cplusplus
}
#endif

#endif
