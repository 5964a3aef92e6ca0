/* iconv(3): conversion of text between encodings. The functions of POSIX.1-2024 and the extensions of GNU libiconv.
   Link with -lutfconv_iconv. SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef UTFCONV_ICONV_H
#define UTFCONV_ICONV_H

#include <errno.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library has libiconv's functions, but behaves as the C library of GNU/Linux where the two differ (//IGNORE, the byte
   order of UTF-16). _LIBICONV_VERSION is therefore not defined: programs that ask for it expect libiconv's behavior. */

/* A program that includes this header calls the functions by libiconv's names, so that it never mixes them with those of the
   C library. The library has both. To use POSIX's names, define LIBICONV_PLUG. */
#ifndef LIBICONV_PLUG
#define iconv_open libiconv_open
#define iconv libiconv
#define iconv_close libiconv_close
#define iconvctl libiconvctl
#define iconvlist libiconvlist
#endif

typedef void *iconv_t;

/* Opens a conversion from FROM to TO. TO may end with //TRANSLIT (approximate what TO cannot encode), //IGNORE (omit what
   cannot be converted) or //NON_IDENTICAL_DISCARD (omit what TO cannot encode). Each name may end with a surface, as
   IBM-1047/ZOS_UNIX, before these. The empty name and "char" are the encoding of
   the locale. Returns (iconv_t)-1, with errno EINVAL, if a name is not known. */
extern iconv_t iconv_open(const char *to, const char *from);

/* Converts as much of the input as there is room for, and moves the pointers and sizes by what was taken and written.
   Returns the number of characters for which others were written (//TRANSLIT), or (size_t)-1, with errno:
     E2BIG   there is no room for the next character, which is not taken; of a code of several characters, those that
             fit are written, the code is taken, and the next call writes the others first
     EINVAL  the input ends in the middle of a character, which is not taken
     EILSEQ  what follows is ill-formed, or TO cannot encode it; it is not taken. With //IGNORE all was taken, and
             something of it was omitted, by this call or by those before that ended with E2BIG
     EBADF   CD is no descriptor
   With a null pointer for the input, ends the text: writes what was held back and what leads to the initial shift state
   (E2BIG if there is no room), and starts anew. With a null pointer for the output, too, only starts anew. The byte order of
   the input stays as its BOM has said. */
extern size_t iconv(iconv_t cd, char **input, size_t *input_left, char **output, size_t *output_left);

/* Closes a conversion. Returns 0, or -1 with errno EBADF. */
extern int iconv_close(iconv_t cd);

/* The newlines of EBCDIC: by IBM's tables, 15 is U+0085 and 25 U+000A; on z/OS Unix it is the other way about. */
#define ICONV_SURFACE_NONE 0
#define ICONV_SURFACE_EBCDIC_ZOS_UNIX 1

/* Requests of iconvctl(). Each takes a pointer to an int, those of surfaces to an unsigned int. */
#define ICONV_TRIVIALP 0          /* get: are both encodings the same? */
#define ICONV_GET_TRANSLITERATE 1 /* get: as //TRANSLIT */
#define ICONV_SET_TRANSLITERATE 2
#define ICONV_GET_DISCARD_ILSEQ 3 /* get: as //IGNORE */
#define ICONV_SET_DISCARD_ILSEQ 4
#define ICONV_SET_HOOKS 5     /* not supported: -1, EINVAL */
#define ICONV_SET_FALLBACKS 6 /* not supported: -1, EINVAL */
#define ICONV_GET_FROM_SURFACE 7 /* get: the surface of the input; to be set before anything is converted */
#define ICONV_SET_FROM_SURFACE 8
#define ICONV_GET_TO_SURFACE 9
#define ICONV_SET_TO_SURFACE 10
#define ICONV_GET_DISCARD_INVALID 11 /* get: omit what is ill-formed */
#define ICONV_SET_DISCARD_INVALID 12
#define ICONV_GET_DISCARD_NON_IDENTICAL 13 /* get: omit what TO cannot encode */
#define ICONV_SET_DISCARD_NON_IDENTICAL 14

/* Asks for or sets an attribute of a conversion. Returns 0, or -1 with errno EINVAL or EBADF. */
extern int iconvctl(iconv_t cd, int request, void *argument);

/* Calls DO_ONE with the names of each encoding, the canonical one first, until it returns something else than 0. */
extern void iconvlist(int (*do_one)(unsigned int count, const char *const *names, void *data), void *data);

/* The canonical name of the encoding that NAME names; NAME itself if there is none. */
extern const char *iconv_canonicalize(const char *name);

#ifdef __cplusplus
}
#endif

#endif
