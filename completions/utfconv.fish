# Completions of utfconv for fish, printed by `utfconv completions fish`.

# One line per encoding: its name and its aliases.
set -g __utfconv_rows \
    'UTF-8 csUTF8 CP65001 u8 ibm-1208 ibm-1209 ibm-5304 ibm-5305 ibm-13496 ibm-13497 ibm-17592 ibm-17593 windows-65001 cp1208 x-UTF_8J unicode-1-1-utf-8 unicode-2-0-utf-8 65001 utf8mb4 x-unicode20utf8 ISO-IR-193 OSF05010001 1208 ISO-10646/UTF8 ISO-10646/UTF-8 utf utf8_ucs2 utf8_ucs4 utf8mb3 utf-8-strict AL32UTF8 mule-utf-8' \
    'UTF-16 csUTF16 u16 ibm-1204 ibm-1205' \
    'UTF-16LE cp1200 csUTF16LE unicodelittleunmarked ibm-1202 ibm-1203 ibm-13490 ibm-13491 ibm-17586 ibm-17587 ibm-21682 ibm-21683 ibm-25778 ibm-25779 ibm-29874 ibm-29875 windows-1200 x-utf-16le UTF16_LittleEndian 1200 AL16UTF16LE' \
    'UTF-16BE cp1201 csUTF16BE unicodebigunmarked ibm-1200 ibm-1201 ibm-13488 ibm-13489 ibm-17584 ibm-17585 ibm-21680 ibm-21681 ibm-25776 ibm-25777 ibm-29872 ibm-29873 ibm-61955 ibm-61956 windows-1201 x-utf-16be UTF16_BigEndian 1201 unicodefffe AL16UTF16' \
    'UTF-32 csUTF32 u32 ibm-1236 ibm-1237' \
    'UTF-32LE cp12000 csUTF32LE ibm-1234 ibm-1235 UTF32_LittleEndian 12000 X-UTF-32LE' \
    'UTF-32BE cp12001 csUTF32BE ibm-1232 ibm-1233 ibm-9424 UTF32_BigEndian 12001 X-UTF-32BE' \
    'UTF16_PlatformEndian' \
    'UTF16_OppositeEndian' \
    'UTF32_PlatformEndian' \
    'UTF32_OppositeEndian' \
    'UCS-2 ISO-10646-UCS-2 csUnicode OSF00010100 OSF00010101 OSF00010102 UCS-2-INTERNAL ISO-10646/UCS2' \
    'UCS-2LE UNICODELITTLE' \
    'UCS-2BE UNICODE-1-1 csUnicode11 UNICODEBIG' \
    'UCS-2-SWAPPED' \
    'UNICODE' \
    'UCS-4 ISO-10646-UCS-4 csUCS4 10646-1:1993 OSF00010104 OSF00010105 OSF00010106 UCS-4BE ISO-10646/UCS4 10646-1:1993/UCS4 ISO-10646' \
    'UCS-4LE' \
    'UCS-4-INTERNAL WCHAR_T INTERNAL' \
    'UCS-4-SWAPPED' \
    'CESU-8 csCESU8 ibm-9400' \
    'MUTF-8 Modified-UTF-8 java-utf8' \
    'WTF-8' \
    'UTF-8-2279' \
    'UTF-1 ISO-10646-UTF-1 csISO10646UTF1' \
    'UTF-7 UNICODE-1-1-UTF-7 csUnicode11UTF7 csUTF7 CP65000 u7 windows-65000 unicode-2-0-utf-7 65000' \
    'UTF-7-IMAP IMAP-mailbox-name csUTF7IMAP IMAP-UTF-7' \
    'ISO-8859-1 ISO_8859-1:1987 iso-ir-100 latin1 l1 IBM819 CP819 csISOLatin1 8859_1 OSF00010001 CP28591 819 28591 latin 8859 iso8859 iso-latin-1 WE8ISO8859P1' \
    'US-ASCII iso-ir-6 ANSI_X3.4-1968 ANSI_X3.4-1986 ISO_646.irv:1991 ISO646-US us IBM367 cp367 csASCII ASCII 646 windows-20127 ascii7 20127 ANSI_X3.4 OSF00010020 367 cp20127 US7ASCII' \
    'Shift_JIS SJIS MS_Kanji csShiftJIS x-sjis PCK japanese-shift-jis JA16SJIS x-PCK' \
    'windows-31j CP932 932 MS932 windows-932 csWindows31J SJIS-OPEN SJIS-WIN sjis-ms x-ms-cp932 WIN932 JA16SJISTILDE japanese-cp932' \
    'EUC-JP Extended_UNIX_Code_Packed_Format_for_Japanese csEUCPkdFmtJapanese UJIS x-euc-jp eucjis OSF00030010 IBM-EUCJP SDECKANJI 20932 cp20932 windows-20932 japanese-iso-8bit JA16EUC' \
    'EUC-JP-MS EUCJP-OPEN EUCJP-WIN x-eucJP-Open EUC_JP_Solaris' \
    'CP51932 csCP51932 51932 windows-51932' \
    'EUC-JISX0213 EUC-JIS-2004 jisx0213 eucjis2004' \
    'Shift_JISX0213 SHIFT_JIS-2004 s_jis_2004 s_jisx0213 sjisx0213 sjis_2004' \
    'IBM932 CSIBM932 ibm-942 x-IBM942 x-IBM942C shift_jis78 sjis78' \
    'IBM943 CSIBM943 CP943 943 x-IBM943' \
    'ibm-33722 cp33722 33722 x-IBM33722 x-IBM33722A x-IBM33722C ibm-5050' \
    'ibm-954 x-IBM954 x-IBM954C' \
    'DEC-KANJI' \
    'ISO-2022-JP csISO2022JP' \
    'ISO-2022-JP-1 ibm-5054' \
    'ISO-2022-JP-EXT iso2022_jp_ext JIS_Encoding csJISEncoding JIS' \
    'ISO-2022-JP-2 csISO2022JP2 JIS7' \
    'JIS8' \
    'ISO-2022-JP-3' \
    'ISO-2022-JP-2004' \
    'CP50220 csCP50220 50220 windows-50220 x-windows-50220 x-windows-iso2022jp' \
    'CP50221 ISO-2022-JP-ESC 50221 windows-50221 x-windows-50221' \
    'ISO-2022-JP-MS' \
    'CP50222 50222 windows-50222' \
    'JIS_X0208 JIS_C6226-1983 iso-ir-87 x0208 JIS_X0208-1983 csISO87JISX0208 JIS_X0208-1990 JIS0208' \
    'JIS_X0212-1990 x0212 iso-ir-159 csISO159JISX02121990 JIS_X0212 JIS_X0212.1990-0 JIS0212' \
    'ISO-IR-165 CN-GB-ISOIR165' \
    'ISO-2022-KR csISO2022KR CP50225 50225' \
    'ibm-25546' \
    'ISO-2022-CN csISO2022CN x-ISO-2022-CN-GB' \
    'ISO-2022-CN-CNS x-ISO-2022-CN-CNS' \
    'ISO-2022-CN-EXT csISO2022CNEXT' \
    'HZ-GB-2312 HZ CP52936 hz_gb 52936 windows-52936' \
    'EUC-KR csEUCKR CP51949 51949 windows-51949 ks_x_1001 x-euc-kr 5601 IBM-EUCKR DECKOREAN OSF0004000a x-cp20949 20949 cp20949 KO16KSC5601 korean-iso-8bit' \
    'CP949 UHC 949 MS949 windows-949 MSCP949 KS_C_5601-1987 KS_C_5601-1989 KSC_5601 csKSC56011987 iso-ir-149 korean OSF100203B5 WIN949 x-windows-949 KO16MSWIN949 korean-cp949' \
    'ibm-949 x-IBM949' \
    'IBM-949C cp949c x-IBM949C' \
    'ibm-970 cp970 970 x-IBM970' \
    'ibm-971 x-IBM971 ibm-971_P100-1995' \
    'ibm-1363 x-IBM1363' \
    'IBM-1363C cp1363 x-IBM1363C' \
    'JOHAB MSCP1361 CP1361 KO_KR.JOHAP92 ms1361 1361 windows-1361 x-Johab ksc5601_1992' \
    'Big5 csBig5 BIG-5 BIG-FIVE CN-BIG5 big5-tw big5-eten x-big5 ZHT16BIG5 chinese-big5' \
    'CP950 950 MS950 windows-950 x-windows-950 WIN950 ZHT16MSWIN950' \
    'Big5-HKSCS csBig5HKSCS BIG5-HKSCS:2008 hkscs big5hk hkbig5 HKSCS-BIG5 MS950_HKSCS x-MS950-HKSCS ZHT16HKSCS' \
    'BIG5-HKSCS:2004' \
    'BIG5-HKSCS:2001' \
    'BIG5-HKSCS:1999' \
    'BIG5-2003' \
    'ibm-950 x-IBM950' \
    'ibm-1373' \
    'ibm-1375' \
    'ibm-5471 big5-hkscs:unicode3.0' \
    'EUC-TW OSF0005000a csEUCTW CP51950 IBM-EUCTW CNS11643 ibm-964 cp964 964 x-IBM964 x-EUC-TW 51950 windows-51950' \
    'GB2312 EUC-CN GB_2312-80 csGB2312 csISO58GB231280 CN-GB iso-ir-58 chinese CP51936 51936 CP20936 20936 x-euc-cn IBM-EUCCN HP15CN DECHANZI eucgb2312_cn gb2312_1980 x-cp20936 windows-20936 chinese-iso-8bit ZHS16CGB231280' \
    'ibm-1383 cp1383 1383' \
    'ibm-5478' \
    'ibm-1386 cp1386' \
    'GBK csGBK x-gbk GB13000 ZHS16GBK chinese-gbk' \
    'CP936 936 MS936 windows-936 x-cp936 WIN936 x-mswin-936' \
    'GB18030 csGB18030 CP54936 54936 windows-54936 gb18030_2000 GB18030:2022 ZHS32GB18030 chinese-gb18030' \
    'SCSU csSCSU ibm-1213 ibm-1212' \
    'BOCU-1 csBOCU1 csBOCU-1 ibm-1215 ibm-1214' \
    'UTF-8-MAC UTF-8-HFS' \
    'TSCII csTSCII' \
    'ISCII-DEV ISCII ISCII,version=0 x-ISCII91 x-iscii-de windows-57002 ibm-4902 57002' \
    'ISCII-BNG ISCII,version=1 x-iscii-be windows-57003 windows-57006 x-iscii-as 57003 57006' \
    'ISCII-GUR ISCII,version=2 x-iscii-pa windows-57011 57011' \
    'ISCII-GUJ ISCII,version=3 x-iscii-gu windows-57010 57010' \
    'ISCII-ORI ISCII,version=4 x-iscii-or windows-57007 57007' \
    'ISCII-TML ISCII,version=5 x-iscii-ta windows-57004 57004' \
    'ISCII-TLG ISCII,version=6 x-iscii-te windows-57005 57005' \
    'ISCII-KND ISCII,version=7 x-iscii-ka windows-57008 57008' \
    'ISCII-MLM ISCII,version=8 x-iscii-ma windows-57009 57009' \
    'GSM-03.38 GSM0338 gsm-03.38-2009 GSM7 gsm-7bit' \
    'T.61-8bit T.61 iso-ir-103 csISO103T618bit' \
    'ISO_6937 ISO-IR-156 ISO_6937:1992 ISO6937' \
    'ISO_6937-2 iso-ir-90 csISO90 ISO_6937-2:1983' \
    'ANSI_X3.110-1983 iso-ir-99 CSA_T500-1983 NAPLPS csISO99NAPLPS ANSI_X3.110 CSA_T500' \
    'ISO-8859-2 ISO_8859-2:1987 iso-ir-101 latin2 l2 csISOLatin2 8859_2 OSF00010002 IBM912 CP912 CP28592 windows-28592 912 28592 iso-latin-2 EE8ISO8859P2' \
    'ISO-8859-3 ISO_8859-3:1988 iso-ir-109 latin3 l3 csISOLatin3 8859_3 OSF00010003 CP28593 ibm-913 windows-28593 cp913 913 28593 iso-latin-3 SE8ISO8859P3' \
    'ISO-8859-4 ISO_8859-4:1988 iso-ir-110 latin4 l4 csISOLatin4 8859_4 OSF00010004 CP28594 ibm-914 windows-28594 cp914 914 28594 iso-latin-4 NEE8ISO8859P4' \
    'ISO-8859-5 ISO_8859-5:1988 iso-ir-144 cyrillic csISOLatinCyrillic 8859_5 OSF00010005 IBM915 CP915 CP28595 windows-28595 915 28595 cyrillic-iso-8bit CL8ISO8859P5' \
    'ISO-8859-6 ISO-8859-6-E ISO-8859-6-I ISO_8859-6:1987 iso-ir-127 ECMA-114 ASMO-708 arabic csISOLatinArabic csISO88596E csISO88596I 8859_6 OSF00010006 IBM1089 CP1089 CP28596 windows-28596 1089 x-ISO-8859-6S 28596 708 arabic-iso-8bit AR8ISO8859P6' \
    'ISO-8859-7 ISO_8859-7:1987 iso-ir-126 ELOT_928 ECMA-118 greek greek8 csISOLatinGreek ISO_8859-7:2003 8859_7 OSF00010007 IBM813 CP813 CP28597 ibm-9005 windows-28597 sun_eu_greek 813 28597 9005 cp9005 greek-iso-8bit EL8ISO8859P7' \
    'ISO-8859-8 ISO-8859-8-E ISO-8859-8-I ISO_8859-8:1988 iso-ir-138 hebrew csISOLatinHebrew csISO88598E csISO88598I 8859_8 OSF00010008 IBM916 CP916 CP28598 CP38598 ibm-5012 windows-28598 hebrew8 916 28598 38598 logical visual 5012 cp5012 hebrew-iso-8bit IW8ISO8859P8' \
    'ISO-8859-9 ISO_8859-9:1989 iso-ir-148 latin5 l5 csISOLatin5 8859_9 OSF00010009 IBM920 CP920 TS-5881 ECMA-128 CP28599 windows-28599 920 turkish 28599 iso-latin-5 turkish-iso-8bit WE8ISO8859P9' \
    'ISO-8859-9E AZ8ISO8859P9E' \
    'ISO-8859-10 iso-ir-157 l6 ISO_8859-10:1992 csISOLatin6 latin6 OSF0001000A 28600 cp28600 iso-latin-6 NE8ISO8859P10' \
    'ISO-8859-11 iso_8859_11_2001 thai x-iso-8859-11' \
    'ISO-8859-13 csISO885913 ISO-IR-179 LATIN7 L7 BALTIC CP28603 windows-28603 8859_13 28603 iso-latin-7 BLT8ISO8859P13' \
    'ISO-8859-14 iso-ir-199 ISO_8859-14:1998 latin8 iso-celtic l8 csISO885914 28604 cp28604 iso-latin-8 CEL8ISO8859P14' \
    'ISO-8859-15 Latin-9 csISO885915 ISO-IR-203 ISO_8859-15:1998 CP28605 l9 ibm-923 windows-28605 8859_15 latin0 csisolatin0 csisolatin9 iso8859_15_fdis cp923 923 28605 iso-latin-9 WE8ISO8859P15' \
    'ISO-8859-16 iso-ir-226 ISO_8859-16:2001 latin10 l10 csISO885916 28606 cp28606 iso-latin-10' \
    'windows-874 IBM874 cswindows874 874 CP874 MS874 x-windows-874 dos-874 WIN874' \
    'windows-1250 cswindows1250 CP1250 MS-EE 1250 ibm-5346 ibm-1250 x-cp1250 5346 cp5346 WIN1250 EE8MSWIN1250' \
    'windows-1251 cswindows1251 CP1251 MS-CYRL ANSI-1251 1251 ibm-1251 x-cp1251 win1251 CL8MSWIN1251' \
    'windows-1252 cswindows1252 CP1252 MS-ANSI IBM-1252 1252 ibm-5348 x-cp1252 5348 cp5348 WIN1252 WE8MSWIN1252' \
    'windows-1253 cswindows1253 CP1253 MS-GREEK 1253 ibm-5349 ibm-1253 x-cp1253 5349 cp5349 WIN1253 EL8MSWIN1253' \
    'windows-1254 cswindows1254 CP1254 MS-TURK 1254 ibm-5350 ibm-1254 x-cp1254 5350 cp5350 WIN1254 TR8MSWIN1254' \
    'windows-1255 cswindows1255 CP1255 MS-HEBR 1255 ibm-9447 ibm-5351 x-cp1255 9447 cp9447 5351 cp5351 WIN1255 IW8MSWIN1255' \
    'windows-1256 cswindows1256 CP1256 MS-ARAB 1256 x-windows-1256S ibm-5352 x-cp1256 5352 cp5352 WIN1256 AR8MSWIN1256' \
    'windows-1257 cswindows1257 CP1257 WINBALTRIM 1257 ibm-9449 ibm-5353 x-cp1257 9449 cp9449 5353 cp5353 WIN1257 BLT8MSWIN1257' \
    'windows-1258 cswindows1258 CP1258 1258 ibm-5354 ibm-1258 x-cp1258 ms-viet 5354 cp5354 WIN1258 VN8MSWIN1258' \
    'KOI8-R csKOI8R CP20866 ibm-878 windows-20866 cp878 20866 koi 878 cyrillic-koi8 CL8KOI8R' \
    'KOI8-U CP21866 csKOI8U ibm-1168 windows-21866 21866 1168 cp1168 CL8KOI8U' \
    'KOI8-RU' \
    'KOI8-T' \
    'KOI-8' \
    'macintosh MacRoman mac csMacintosh CP10000 windows-10000 x-macroman 10000 WE8MACROMAN8' \
    'MAC-CENTRALEUROPE mac_latin2 CP1282 CP10029 mac_centeuro x-mac-centraleurroman windows-10029 x-mac-ce x-MacCentralEurope macce 10029 1282 MacCentralEurRoman EE8MACCE' \
    'MAC-IS' \
    'MacIceland CP10079 10079 x-MacIceland x-mac-icelandic IS8MACICELANDIC' \
    'MAC-UK MacUkraine x-MacUkraine MACUKRAINIAN MAC-CYRILLIC CP10017 10017 x-mac-ukrainian' \
    'CP10007 windows-10007 MS-MAC-CYRILLIC x-mac-cyrillic maccy 10007 CL8MACCYRILLIC' \
    'MAC-SAMI' \
    'MacArabic CP10004 10004 x-MacArabic AR8ARABICMAC' \
    'MacCroatian CP10082 10082 x-MacCroatian EE8MACCROATIAN' \
    'MacFarsi' \
    'MacGreek x-mac-greek CP10006 windows-10006 macgr 10006 EL8MACGREEK' \
    'MacHebrew CP10005 10005 x-MacHebrew IW8MACHEBREW' \
    'MacRomania mac_romanian CP10010 10010 x-MacRomania x-mac-romanian MacRumanian' \
    'MacThai CP10021 10021 x-MacThai TH8MACTHAI' \
    'MacTurkish x-mac-turkish CP10081 windows-10081 mactr 10081 TR8MACTURKISH' \
    'Adobe-Standard-Encoding csAdobeStandardEncoding ibm-1276 1276 cp1276' \
    'ARMSCII-8' \
    'ATARIST ATARI' \
    'BRF csBRF' \
    'CP770 770' \
    'CP771 771' \
    'CP772 772' \
    'CP773 773' \
    'CP774 774' \
    'CSN_369103 iso-ir-139 csISO139CSN369103' \
    'CWI CWI-2 CP-HU' \
    'DEC-MCS dec csDECMCS dec8 WE8DEC' \
    'ECMA-cyrillic iso-ir-111 KOI8-E csISO111ECMACyrillic' \
    'GEORGIAN-ACADEMY' \
    'GEORGIAN-PS' \
    'GOST_19768-74 ST_SEV_358-88 iso-ir-153 csISO153GOST1976874 GOST_19768' \
    'HP-GREEK8 OSF10010004' \
    'hp-roman8 roman8 r8 csHPRoman8 OSF10010001 cp1051 ibm1051 x-roman8 1051 hp8 WE8ROMAN8' \
    'HP-ROMAN9 ROMAN9 R9' \
    'HP-THAI8 THAI8' \
    'HP-TURKISH8 TURKISH8 OSF10010006' \
    'IEC_P27-1 iso-ir-143 csISO143IECP271' \
    'ISIRI-3342' \
    'ISO-IR-197' \
    'ISO-IR-209' \
    'ISO_10367-box iso-ir-155 csISO10367Box' \
    'ISO-11548-1 ISO_TR_11548-1 csISO115481 ISO/TR_11548-1' \
    'JIS_X0201 X0201 csHalfWidthKatakana JISX0201-1976 JIS0201' \
    'KZ-1048 RK1048 STRK1048-2002 csKZ1048' \
    'MIK' \
    'MULELAO-1' \
    'NEXTSTEP WE8NEXTSTEP' \
    'palmos' \
    'PTCP154 PT154 csPTCP154 CP154 Cyrillic-Asian 154' \
    'RISCOS-LATIN1' \
    'TCVN5712-1 TCVN TCVN-5712 TCVN5712-1:1993' \
    'TDS565 ISO-IR-230' \
    'TIS-620 csTIS620 TIS620-0 TIS620.2529-1 TIS620.2533-0 ISO-IR-166 TIS620.2533-1 TACTIS TIS620.2533 tis_620_2529_0 eucTH thai-tis620 TH8TISASCII' \
    'VISCII csVISCII VISCII1.1-1 vietnamese-viscii' \
    'WIN-SAMI-2 SAMI-WS2 WS2' \
    'ASMO_449 ISO_9036 arabic7 iso-ir-89 csISO89ASMO449 709' \
    'BS_4730 iso-ir-4 ISO646-GB gb uk csISO4UnitedKingdom' \
    'CSA_Z243.4-1985-1 iso-ir-121 ISO646-CA csa7-1 ca csISO121Canadian1' \
    'CSA_Z243.4-1985-2 iso-ir-122 ISO646-CA2 csa7-2 csISO122Canadian2' \
    'DIN_66003 iso-ir-21 de ISO646-DE csISO21German 20106 cp20106 x-IA5-German D7DEC' \
    'DS_2089 ISO646-DK dk csISO646Danish' \
    'ES iso-ir-17 ISO646-ES csISO17Spanish E7DEC' \
    'ES2 iso-ir-85 ISO646-ES2 csISO85Spanish2' \
    'GB_1988-80 iso-ir-57 cn ISO646-CN csISO57GB1988 CSISO58GB1988' \
    'greek-ccitt iso-ir-150 csISO150 csISO150GreekCCITT' \
    'greek7 iso-ir-88 csISO88Greek7' \
    'greek7-old iso-ir-18 csISO18Greek7Old' \
    'INIS iso-ir-49 csISO49INIS' \
    'INIS-8 iso-ir-50 csISO50INIS8' \
    'INIS-cyrillic iso-ir-51 csISO51INISCyrillic' \
    'INVARIANT csINVARIANT' \
    'ISO_2033-1983 ISO_2033 iso-ir-98 e13b csISO2033' \
    'ISO_5427 iso-ir-37 csISO5427Cyrillic KOI-7' \
    'ISO_5427:1981 ISO_5427-EXT iso-ir-54 ISO5427Cyrillic1981 csISO54271981 CSISO5427CYRILLIC1981' \
    'ISO_5428:1980 ISO_5428 iso-ir-55 csISO5428Greek' \
    'ISO_646.basic:1983 ISO_646.BASIC ref csISO646basic1983' \
    'ISO_646.irv:1983 ISO_646.IRV iso-ir-2 irv csISO2IntlRefVersion 20105 cp20105 x-IA5' \
    'IT iso-ir-15 ISO646-IT csISO15Italian I7DEC' \
    'JIS_C6220-1969-ro iso-ir-14 jp ISO646-JP csISO14JISC6220ro' \
    'JIS_C6229-1984-b ISO646-JP-OCR-B jp-ocr-b csISO92JISC62991984b' \
    'JUS_I.B1.002 iso-ir-141 ISO646-YU js yu csISO141JUSIB1002 YUG7ASCII' \
    'KSC5636 ISO646-KR csKSC5636' \
    'latin-greek iso-ir-19 csISO19LatinGreek' \
    'Latin-greek-1 iso-ir-27 csISO27LatinGreek1' \
    'MSZ_7795.3 iso-ir-86 ISO646-HU hu csISO86Hungarian' \
    'NATS-DANO csNATSDANO' \
    'NATS-SEFI iso-ir-8-1 csNATSSEFI' \
    'NC_NC00-10:81 NC_NC00-10 cuba iso-ir-151 ISO646-CU csISO151Cuba' \
    'NF_Z_62-010 iso-ir-69 ISO646-FR fr csISO69French' \
    'NF_Z_62-010_(1973) iso-ir-25 ISO646-FR1 csISO25French NF_Z_62-010_1973 F7DEC' \
    'NS_4551-1 iso-ir-60 ISO646-NO no csISO60DanishNorwegian csISO60Norwegian1 20108 cp20108 x-IA5-Norwegian N7SIEMENS9780X' \
    'NS_4551-2 ISO646-NO2 iso-ir-61 no2 csISO61Norwegian2' \
    'PT iso-ir-16 ISO646-PT csISO16Portuguese CSISO16PORTUGESE' \
    'PT2 iso-ir-84 ISO646-PT2 csISO84Portuguese2' \
    'SEN_850200_B iso-ir-10 FI ISO646-FI ISO646-SE se csISO10Swedish SS636127 20107 cp20107 x-IA5-Swedish SF7ASCII' \
    'SEN_850200_C iso-ir-11 ISO646-SE2 se2 csISO11SwedishForNames swe7 S7SIEMENS9780X' \
    'IBM437 cp437 437 csPC8CodePage437 OSF100201B5 windows-437 US8PC437' \
    'IBM720 CP720 windows-720 DOS-720 x-IBM720 720' \
    'IBM737 CP737 windows-737 737 x-IBM737 EL8PC737' \
    'IBM775 cp775 csPC775Baltic 775 windows-775 BLT8PC775' \
    'IBM850 cp850 850 csPC850Multilingual OSF10020352 windows-850 WE8PC850' \
    'IBM851 cp851 851 csIBM851 csPC851 EL8PC851' \
    'IBM852 cp852 852 csPCp852 OSF10020354 windows-852 EE8PC852' \
    'IBM853 CP853 853' \
    'IBM855 cp855 855 csIBM855 OSF10020357 windows-855 csPCp855 RU8PC855' \
    'IBM856 CP856 856 CSIBM856 x-IBM856' \
    'IBM857 cp857 857 csIBM857 OSF10020359 windows-857 TR8PC857' \
    'IBM00858 IBM858 CCSID00858 CP00858 PC-Multilingual-850+euro csIBM00858 CP858 858 CSPC858MULTILINGUAL csibm858 windows-858 WE8PC858' \
    'IBM860 cp860 860 csIBM860 WE8PC860' \
    'IBM861 cp861 861 cp-is csIBM861 CPIBM861 OSF1002035D windows-861 IS8PC861' \
    'IBM862 cp862 862 csPC862LatinHebrew OSF1002035E windows-862 DOS-862 csIBM862 IW8PC1507' \
    'IBM863 cp863 863 csIBM863 OSF1002035F CDN8PC863' \
    'IBM864 cp864 csIBM864 864 OSF10020360' \
    'IBM865 cp865 865 csIBM865 N8PC865' \
    'IBM866 cp866 866 csIBM866 windows-866 WIN866 RU8PC866' \
    'IBM866NAV CP866NAV 866NAV' \
    'IBM867 x-IBM867 867 cp867' \
    'IBM868 CP868 cp-ar csIBM868 OSF10020364 868' \
    'IBM869 cp869 869 cp-gr csIBM869 OSF10020365 windows-869 EL8PC869' \
    'IBM891 cp891 csIBM891 OSF1002037B 891' \
    'IBM901 CP901 CSIBM901 901' \
    'IBM902 CP902 CSIBM902 902' \
    'IBM903 cp903 csIBM903 OSF10020387 903' \
    'IBM904 cp904 904 csIBBM904 CSIBM904 OSF10020388' \
    'IBM921 921 x-IBM921 CP921 CSIBM921' \
    'IBM922 CP922 CSIBM922 922 x-IBM922' \
    'IBM1004 CP1004 OS2LATIN1 1004' \
    'IBM1006 cp1006 1006 x-IBM1006' \
    'IBM1008 CP1008 CSIBM1008 1008' \
    'IBM1046 CP1046 1046 x-IBM1046' \
    'IBM1098 cp1098 1098 x-IBM1098' \
    'IBM1124 CP1124 CSIBM1124 1124 x-IBM1124' \
    'IBM1125 CP1125 RUSCII IBM848 1125 cp866u 848 cp848' \
    'IBM1129 CP1129 CSIBM1129 1129 x-IBM1129' \
    'IBM1131 CP1131 1131' \
    'IBM1133 CP1133 CSIBM1133 IBM-CP1133 1133' \
    'IBM1161 CP1161 CSIBM1161 1161' \
    'IBM1162 CP1162 CSIBM11621162 csIBM1162 1162' \
    'IBM1163 CP1163 CSIBM1163 1163' \
    'IBM1167 CP1167 CSIBM1167 1167' \
    'IBM4909 CP4909 CSIBM4909 4909' \
    'IBM5347 CP5347 CSIBM5347 5347' \
    'IBM9066 x-IBM874 CP9066 CSIBM9066 9066' \
    'IBM9448 CP9448 CSIBM9448 9448' \
    'Amiga-1251 Ami1251 csAmiga1251' \
    'BS_viewdata iso-ir-47 csISO47BSViewdata' \
    'CSA_Z243.4-1985-gr iso-ir-123 csISO123CSAZ24341985gr' \
    'ISO_6937-2-25 iso-ir-152 csISO6937Add' \
    'ISO_6937-2-add iso-ir-142 csISOTextComm' \
    'ISO_8859-supp iso-ir-154 latin1-2-5 csISO8859Supp' \
    'JIS_C6220-1969-jp JIS_C6220-1969 iso-ir-13 katakana x0201-7 csISO13JISC6220jp' \
    'JIS_C6229-1984-a jp-ocr-a csISO91JISC62291984a' \
    'JIS_C6229-1984-b-add iso-ir-93 jp-ocr-b-add csISO93JIS62291984badd' \
    'JIS_C6229-1984-hand iso-ir-94 jp-ocr-hand csISO94JIS62291984hand' \
    'JIS_C6229-1984-hand-add iso-ir-95 jp-ocr-hand-add csISO95JIS62291984handadd' \
    'JIS_C6229-1984-kana iso-ir-96 csISO96JISC62291984kana' \
    'JUS_I.B1.003-mac macedonian iso-ir-147 csISO147Macedonian' \
    'JUS_I.B1.003-serb iso-ir-146 serbian csISO146Serbian' \
    'latin-lap SAMI lap iso-ir-158 csISO158Lap' \
    'NATS-DANO-ADD csNATSDANOADD' \
    'NATS-SEFI-ADD iso-ir-8-2 csNATSSEFIADD' \
    'T.101-G2 iso-ir-128 csISO128T101G2' \
    'T.61-7bit iso-ir-102 csISO102T617bit' \
    'videotex-suppl iso-ir-70 csISO70VideotexSupp1' \
    'ibm-1255' \
    'ibm-1256' \
    'ibm-1257' \
    'ibm-813_P100-1995' \
    'ibm-916_P100-1995' \
    'ibm-1250_P100-1995' \
    'ibm-1251_P100-1995' \
    'ibm-1252_P100-2000' \
    'ibm-1253_P100-1995' \
    'ibm-1254_P100-1995' \
    'ibm-1258_P100-1997' \
    'ibm-5351_P100-1998' \
    'ibm-5352_P100-1998' \
    'ibm-5353_P100-1998' \
    'IBM037 cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl csIBM037 OSF10020025 CP1070 CP282 037 ibm039 ibm-37 cpibm37 cp37 37 1070 282 39 cp39 ibm39 WE8EBCDIC37 cs-ebcdic-cp-us cs-ebcdic-cp-ca cs-ebcdic-cp-wt cs-ebcdic-cp-nl' \
    'IBM038 EBCDIC-INT cp038 csIBM038 38 cp38 ibm38' \
    'IBM256 EBCDIC-INT1 256 cp256' \
    'IBM273 CP273 csIBM273 OSF10020111 273 ebcdic-de 20273 cp20273 x-ebcdic-germany D8EBCDIC273' \
    'IBM274 EBCDIC-BE CP274 csIBM274 274' \
    'IBM275 EBCDIC-BR cp275 csIBM275 275' \
    'IBM277 EBCDIC-CP-DK EBCDIC-CP-NO csIBM277 OSF10020115 cp277 277 ebcdic-dk 20277 cp20277 x-ebcdic-denmarknorway DK8EBCDIC277' \
    'IBM278 CP278 ebcdic-cp-fi ebcdic-cp-se csIBM278 OSF10020116 ebcdic-sv 278 20278 cp20278 x-ebcdic-finlandsweden S8EBCDIC278' \
    'IBM280 CP280 ebcdic-cp-it csIBM280 OSF10020118 280 20280 cp20280 x-ebcdic-italy I8EBCDIC280' \
    'IBM281 EBCDIC-JP-E cp281 csIBM281 281' \
    'IBM282' \
    'IBM284 CP284 ebcdic-cp-es csIBM284 OSF1002011C CP1079 cpibm284 284 20284 1079 cp20284 x-ebcdic-spain WE8EBCDIC284' \
    'IBM285 CP285 ebcdic-cp-gb csIBM285 OSF1002011D cpibm285 ebcdic-gb 285 20285 cp20285 x-ebcdic-uk WE8EBCDIC285' \
    'IBM290 cp290 EBCDIC-JP-kana csIBM290 OSF10020122 20290 290 cp20290 x-ebcdic-japanesekatakana' \
    'IBM297 cp297 ebcdic-cp-fr csIBM297 OSF10020129 CP1081 cpibm297 297 20297 1081 cp20297 x-ebcdic-france F8EBCDIC297' \
    'IBM420 cp420 ebcdic-cp-ar1 csIBM420 OSF100201A4 420 20420 cp20420 x-ebcdic-arabic AR8EBCDIC420S' \
    'IBM423 cp423 ebcdic-cp-gr csIBM423 20423 423 cp20423 x-ebcdic-greek EL8EBCDIC423R' \
    'IBM424 cp424 ebcdic-cp-he csIBM424 OSF100201A8 424 20424 cp20424 x-ebcdic-hebrew IW8EBCDIC424' \
    'IBM425 425 cp425' \
    'IBM500 CP500 ebcdic-cp-be ebcdic-cp-ch csIBM500 500 500V1 OSF100201F4 CP1084 1084 WE8EBCDIC500 ebcdic-cp-bh' \
    'IBM803 CP803 CSIBM803 803' \
    'IBM-Thai IBM838 csIBMThai cp838 838 20838 cp20838 x-ebcdic-thai' \
    'IBM870 CP870 ebcdic-cp-roece ebcdic-cp-yu csIBM870 OSF10020366 870 EE8EBCDIC870' \
    'IBM871 CP871 ebcdic-cp-is csIBM871 OSF10020367 ebcdic-is 871 20871 cp20871 x-ebcdic-icelandic WE8EBCDIC871' \
    'IBM875 CP875 EBCDIC-GREEK OSF1002036B 875 x-IBM875 x-ebcdic-greekmodern EL8EBCDIC875' \
    'IBM880 cp880 EBCDIC-Cyrillic csIBM880 OSF10020370 20880 880 cp20880 x-ebcdic-cyrillicrussian' \
    'IBM905 CP905 ebcdic-cp-tr csIBM905 20905 905 cp20905 x-ebcdic-turkish' \
    'IBM918 CP918 ebcdic-cp-ar2 csIBM918 OSF10020396 918' \
    'IBM00924 IBM924 CCSID00924 CP00924 ebcdic-Latin9--euro csIBM00924 20924 924 cp924 cp20924 WE8EBCDIC924' \
    'IBM1025 CP1025 CSIBM1025 1025 x-IBM1025 21025 cp21025 x-ebcdic-cyrillicserbianbulgarian CL8EBCDIC1025' \
    'IBM1026 CP1026 csIBM1026 1026 OSF10020402 TR8EBCDIC1026' \
    'IBM1047 csIBM1047 CP1047 1047 OSF10020417 WE8EBCDIC1047' \
    'IBM1097 CP1097 CSIBM1097 1097 x-IBM1097' \
    'IBM1112 CP1112 CSIBM1112 1112 x-IBM1112 BLT8EBCDIC1112' \
    'IBM1122 CP1122 CSIBM1122 1122 x-IBM1122' \
    'IBM1123 CP1123 CSIBM1123 1123 x-IBM1123' \
    'IBM1130 CP1130 CSIBM1130 1130' \
    'IBM1132 CP1132 CSIBM1132 1132' \
    'IBM1137 CP1137 CSIBM1137 1137' \
    'IBM01140 IBM1140 CCSID01140 CP01140 ebcdic-us-37+euro csIBM01140 CP1140 CSIBM1140 1140 x-ebcdic-cp-us-euro WE8EBCDIC1140 ebcdic-us-037+euro' \
    'IBM01141 IBM1141 CCSID01141 CP01141 ebcdic-de-273+euro csIBM01141 CP1141 CSIBM1141 1141 x-ebcdic-germany-euro D8EBCDIC1141' \
    'IBM01142 IBM1142 CCSID01142 CP01142 ebcdic-dk-277+euro ebcdic-no-277+euro csIBM01142 CP1142 CSIBM1142 1142 x-ebcdic-denmarknorway-euro DK8EBCDIC1142' \
    'IBM01143 IBM1143 CCSID01143 CP01143 ebcdic-fi-278+euro ebcdic-se-278+euro csIBM01143 CP1143 CSIBM1143 1143 x-ebcdic-finlandsweden-euro S8EBCDIC1143' \
    'IBM01144 IBM1144 CCSID01144 CP01144 ebcdic-it-280+euro csIBM01144 CP1144 CSIBM1144 csPC8CodePage1144 1144 x-ebcdic-italy-euro I8EBCDIC1144' \
    'IBM01145 IBM1145 CCSID01145 CP01145 ebcdic-es-284+euro csIBM01145 CP1145 CSIBM1145 1145 x-ebcdic-spain-euro WE8EBCDIC1145' \
    'IBM01146 IBM1146 CCSID01146 CP01146 ebcdic-gb-285+euro csIBM01146 CP1146 CSIBM1146 csPC8CodePage1146 1146 x-ebcdic-uk-euro WE8EBCDIC1146' \
    'IBM01147 IBM1147 CCSID01147 CP01147 ebcdic-fr-297+euro csIBM01147 CP1147 CSIBM1147 1147 x-ebcdic-france-euro F8EBCDIC1147 ebcdic-fr-277+euro' \
    'IBM01148 IBM1148 CCSID01148 CP01148 ebcdic-international-500+euro csIBM01148 CP1148 CSIBM1148 1148 x-ebcdic-international-euro WE8EBCDIC1148' \
    'IBM01149 IBM1149 CCSID01149 CP01149 ebcdic-is-871+euro csIBM01149 CP1149 CSIBM1149 1149 x-ebcdic-icelandic-euro ebcdic-s-871+euro' \
    'IBM1153 CP1153 CSIBM1153 x-IBM1153 1153' \
    'IBM1154 CP1154 CSIBM1154 1154' \
    'IBM1155 CP1155 CSIBM1155 1155' \
    'IBM1156 CP1156 CSIBM1156 1156' \
    'IBM1157 CP1157 CSIBM1157 1157' \
    'IBM1158 CP1158 CSIBM1158 1158' \
    'IBM1160 CP1160 CSIBM1160 1160' \
    'IBM1164 CP1164 CSIBM1164 1164' \
    'IBM1165 1165 cp1165' \
    'IBM1166 CP1166 CSIBM1166 1166 x-IBM1166' \
    'IBM4517 CP4517 CSIBM4517 4517' \
    'IBM4899 CP4899 CSIBM4899 4899' \
    'IBM4971 CP4971 CSIBM4971 4971' \
    'IBM5123 5123 cp5123' \
    'IBM8482 8482 cp8482' \
    'IBM9030 CP9030 CSIBM9030 9030' \
    'IBM9067 9067 cp9067' \
    'IBM12712 CP12712 CSIBM12712 ebcdic-he 12712' \
    'IBM16804 CP16804 CSIBM16804 ebcdic-ar 16804' \
    'EBCDIC-AT-DE csIBMEBCDICATDE CSEBCDICATDE' \
    'EBCDIC-AT-DE-A csEBCDICATDEA' \
    'EBCDIC-CA-FR csEBCDICCAFR' \
    'EBCDIC-DK-NO csEBCDICDKNO' \
    'EBCDIC-DK-NO-A csEBCDICDKNOA' \
    'EBCDIC-ES csEBCDICES' \
    'EBCDIC-ES-A csEBCDICESA' \
    'EBCDIC-ES-S csEBCDICESS' \
    'EBCDIC-FI-SE csEBCDICFISE' \
    'EBCDIC-FI-SE-A csEBCDICFISEA' \
    'EBCDIC-FR csEBCDICFR' \
    'EBCDIC-IS-FRISS' \
    'EBCDIC-IT csEBCDICIT' \
    'EBCDIC-PT csEBCDICPT' \
    'EBCDIC-UK csEBCDICUK' \
    'EBCDIC-US csEBCDICUS' \
    'OSD_EBCDIC_DF03_IRV csOSDEBCDICDF03IRV' \
    'OSD_EBCDIC_DF04_1 csOSDEBCDICDF041' \
    'OSD_EBCDIC_DF04_15 csOSDEBCDICDF0415' \
    'ibm-37-s390' \
    'ibm-1047-s390 IBM1047_LF' \
    'ibm-1140-s390' \
    'ibm-1141-s390 IBM1141_LF' \
    'ibm-1142-s390' \
    'ibm-1143-s390' \
    'ibm-1144-s390' \
    'ibm-1145-s390' \
    'ibm-1146-s390' \
    'ibm-1147-s390' \
    'ibm-1148-s390' \
    'ibm-1149-s390' \
    'ibm-1153-s390' \
    'ibm-12712-s390' \
    'ibm-16804-s390' \
    'IBM930 CP930 CSIBM930 ibm-5026 930 x-IBM930 x-IBM930A' \
    'IBM933 CP933 CSIBM933 933 x-IBM933' \
    'IBM935 CP935 CSIBM935 935 x-IBM935' \
    'IBM937 CP937 CSIBM937 937 x-IBM937' \
    'IBM939 CP939 CSIBM939 ibm-931 ibm-5035 939 x-IBM939 x-IBM939A' \
    'IBM1364 CP1364 CSIBM1364 x-IBM1364' \
    'IBM1371 CP1371 CSIBM1371 x-IBM1371' \
    'IBM1388 CP1388 CSIBM1388 ibm-9580 x-IBM1388' \
    'IBM1390 CP1390 CSIBM1390 x-IBM1390' \
    'ibm-16684 ibm-16684_P110-2003 ibm-20780' \
    'IBM1399 CP1399 CSIBM1399 x-IBM1399' \
    'whatwg:IBM866 whatwg:866 whatwg:cp866 whatwg:csibm866' \
    'whatwg:ISO-8859-2 whatwg:csisolatin2 whatwg:iso-ir-101 whatwg:iso8859-2 whatwg:iso88592 whatwg:iso_8859-2 whatwg:iso_8859-2:1987 whatwg:l2 whatwg:latin2' \
    'whatwg:ISO-8859-3 whatwg:csisolatin3 whatwg:iso-ir-109 whatwg:iso8859-3 whatwg:iso88593 whatwg:iso_8859-3 whatwg:iso_8859-3:1988 whatwg:l3 whatwg:latin3' \
    'whatwg:ISO-8859-4 whatwg:csisolatin4 whatwg:iso-ir-110 whatwg:iso8859-4 whatwg:iso88594 whatwg:iso_8859-4 whatwg:iso_8859-4:1988 whatwg:l4 whatwg:latin4' \
    'whatwg:ISO-8859-5 whatwg:csisolatincyrillic whatwg:cyrillic whatwg:iso-ir-144 whatwg:iso8859-5 whatwg:iso88595 whatwg:iso_8859-5 whatwg:iso_8859-5:1988' \
    'whatwg:ISO-8859-6 whatwg:arabic whatwg:asmo-708 whatwg:csiso88596e whatwg:csiso88596i whatwg:csisolatinarabic whatwg:ecma-114 whatwg:iso-8859-6-e whatwg:iso-8859-6-i whatwg:iso-ir-127 whatwg:iso8859-6 whatwg:iso88596 whatwg:iso_8859-6 whatwg:iso_8859-6:1987' \
    'whatwg:ISO-8859-7 whatwg:csisolatingreek whatwg:ecma-118 whatwg:elot_928 whatwg:greek whatwg:greek8 whatwg:iso-ir-126 whatwg:iso8859-7 whatwg:iso88597 whatwg:iso_8859-7 whatwg:iso_8859-7:1987 whatwg:sun_eu_greek' \
    'whatwg:ISO-8859-8 whatwg:csiso88598e whatwg:csisolatinhebrew whatwg:hebrew whatwg:iso-8859-8-e whatwg:iso-ir-138 whatwg:iso8859-8 whatwg:iso88598 whatwg:iso_8859-8 whatwg:iso_8859-8:1988 whatwg:visual' \
    'whatwg:ISO-8859-8-I whatwg:csiso88598i whatwg:logical' \
    'whatwg:ISO-8859-10 whatwg:csisolatin6 whatwg:iso-ir-157 whatwg:iso8859-10 whatwg:iso885910 whatwg:l6 whatwg:latin6' \
    'whatwg:ISO-8859-13 whatwg:iso8859-13 whatwg:iso885913' \
    'whatwg:ISO-8859-14 whatwg:iso8859-14 whatwg:iso885914' \
    'whatwg:ISO-8859-15 whatwg:csisolatin9 whatwg:iso8859-15 whatwg:iso885915 whatwg:iso_8859-15 whatwg:l9' \
    'whatwg:ISO-8859-16' \
    'whatwg:KOI8-R whatwg:cskoi8r whatwg:koi whatwg:koi8 whatwg:koi8_r' \
    'whatwg:KOI8-U whatwg:koi8-ru' \
    'whatwg:macintosh whatwg:csmacintosh whatwg:mac whatwg:x-mac-roman' \
    'whatwg:windows-874 whatwg:dos-874 whatwg:iso-8859-11 whatwg:iso8859-11 whatwg:iso885911 whatwg:tis-620' \
    'whatwg:windows-1250 whatwg:cp1250 whatwg:x-cp1250' \
    'whatwg:windows-1251 whatwg:cp1251 whatwg:x-cp1251' \
    'whatwg:windows-1252 whatwg:ansi_x3.4-1968 whatwg:ascii whatwg:cp1252 whatwg:cp819 whatwg:csisolatin1 whatwg:ibm819 whatwg:iso-8859-1 whatwg:iso-ir-100 whatwg:iso8859-1 whatwg:iso88591 whatwg:iso_8859-1 whatwg:iso_8859-1:1987 whatwg:l1 whatwg:latin1 whatwg:us-ascii whatwg:x-cp1252' \
    'whatwg:windows-1253 whatwg:cp1253 whatwg:x-cp1253' \
    'whatwg:windows-1254 whatwg:cp1254 whatwg:csisolatin5 whatwg:iso-8859-9 whatwg:iso-ir-148 whatwg:iso8859-9 whatwg:iso88599 whatwg:iso_8859-9 whatwg:iso_8859-9:1989 whatwg:l5 whatwg:latin5 whatwg:x-cp1254' \
    'whatwg:windows-1255 whatwg:cp1255 whatwg:x-cp1255' \
    'whatwg:windows-1256 whatwg:cp1256 whatwg:x-cp1256' \
    'whatwg:windows-1257 whatwg:cp1257 whatwg:x-cp1257' \
    'whatwg:windows-1258 whatwg:cp1258 whatwg:x-cp1258' \
    'whatwg:x-mac-cyrillic whatwg:x-mac-ukrainian' \
    'whatwg:GBK whatwg:chinese whatwg:csgb2312 whatwg:csiso58gb231280 whatwg:gb2312 whatwg:gb_2312 whatwg:gb_2312-80 whatwg:iso-ir-58 whatwg:x-gbk' \
    'whatwg:gb18030' \
    'whatwg:Big5 whatwg:big5-hkscs whatwg:cn-big5 whatwg:csbig5 whatwg:x-x-big5' \
    'whatwg:EUC-JP whatwg:cseucpkdfmtjapanese whatwg:x-euc-jp' \
    'whatwg:ISO-2022-JP whatwg:csiso2022jp' \
    'whatwg:Shift_JIS whatwg:csshiftjis whatwg:ms932 whatwg:ms_kanji whatwg:shift-jis whatwg:sjis whatwg:windows-31j whatwg:x-sjis' \
    'whatwg:EUC-KR whatwg:cseuckr whatwg:csksc56011987 whatwg:iso-ir-149 whatwg:korean whatwg:ks_c_5601-1987 whatwg:ks_c_5601-1989 whatwg:ksc5601 whatwg:ksc_5601 whatwg:windows-949' \
    'whatwg:UTF-16BE whatwg:unicodefffe' \
    'whatwg:UTF-16LE whatwg:csunicode whatwg:iso-10646-ucs-2 whatwg:ucs-2 whatwg:unicode whatwg:unicodefeff whatwg:utf-16' \
    'whatwg:x-user-defined' \
    'UTF-8-SIG' \
    'UTF-8-BOM' \
    'UTF-8-WITH-SIGNATURE' \
    'UTF-16LE-WITH-SIGNATURE' \
    'UTF-16BE-WITH-SIGNATURE' \
    'X-UTF-16LE-BOM' \
    'X-UTF-32LE-BOM' \
    'X-UTF-32BE-BOM' \
    'UTF-8N' \
    'UTF-16LE-SIG' \
    'UTF-16LE-BOM' \
    'UTF-16BE-SIG' \
    'UTF-16BE-BOM' \
    'UTF-32LE-SIG' \
    'UTF-32LE-BOM' \
    'UTF-32BE-SIG' \
    'UTF-32BE-BOM' \
    'CESU-8-SIG' \
    'CESU-8-BOM'

# True if the command line is that of one of the commands $argv; `utfconv` stands for a conversion.
function __utfconv_is
    set -l given (commandline -opc)
    set -l command utfconv
    if contains -- "$given[2]" check detect inspect names repair edit git-filter textconv list help man completions
        set command $given[2]
    end
    contains -- $command $argv
end

# True if the first word after the program is being typed.
function __utfconv_is_first
    test (count (commandline -opc)) -eq 1
end

# Offers each encoding by its name, or else by the first alias that begins with the typed text. $argv[1] precedes the
# encoding in its word, as in `fallback=`.
function __utfconv_encodings
    set -l word (commandline -ct)
    set -l lead (string match -r -- '^(?:--[^=]*=|-[a-z])' $word)
    set -l typed (string sub -s (math (string length -- "$lead") + 1) -- $word)
    if set -q argv[1]
        string match -q -i -- "$argv[1]*" $typed
        or return
        set typed (string sub -s (math (string length -- $argv[1]) + 1) -- $typed)
    end
    for row in $__utfconv_rows
        set -l names (string split ' ' -- $row)
        set -l found (string match -i -- "$typed*" $names)
        or continue
        # In a word that begins with its option, the typed text is kept, because fish would replace the option, too.
        if test -n "$lead"
            set found[1] $typed(string sub -s (math (string length -- $typed) + 1) -- $found[1])
        end
        if test $found[1] = $names[1]
            echo "$argv[1]"$found[1]
        else
            printf '%s\t%s\n' "$argv[1]"$found[1] $names[1]
        end
    end
end

# Offers the suffixes of an encoding.
function __utfconv_suffixes
    set -l typed (commandline -ct | string replace -r -- '^(--[^=]*=|-[a-z])' '')
    set -l named (string match -r -- '^.*//' $typed)
    and printf '%s\n' $named{TRANSLIT,IGNORE}
end

# Offers the values of the option $argv[1], which is given as COMMAND:OPTION, with their meanings.
function __utfconv_words
    switch $argv[1]
        case commands
            printf '%s\t%s\n' 'check' 'Report errors in files by line, column and byte; print nothing if there are none' \
            'detect' 'Detect the encoding of files' \
            'inspect' 'Show the bytes of a file as characters, with code points, names and errors' \
            'names' 'Convert or repair the names of files' \
            'repair' 'Undo damage: double encoding, mixed encodings, lost characters' \
            'edit' 'Edit files of any encoding in a program for UTF-8' \
            'git-filter' 'Convert files for git; UTF-8 in the repository or in the work tree, another encoding on the other side' \
            'textconv' 'Print any file as UTF-8 for git diff' \
            'list' 'List the encodings and their names' \
            'help' 'Print the help of utfconv or of a command' \
            'man' 'Print a man page in roff: utfconv man check | man -l -' \
            'completions' 'Print the completion script for a shell'
        case utfconv:from
            printf '%s\t%s\n' 'auto' 'Detect it'
        case utfconv:min-certainty
            printf '%s\t%s\n' 'certain' 'The encoding is proven' \
            'likely' 'All evidence supports the encoding' \
            'guess' 'The encoding is the best of several'
        case utfconv:declaration
            printf '%s\t%s\n' 'keep' 'Keep the declaration; in files, warn if it is now false' \
            'update' 'Replace the declared name by the name of the output encoding'
        case utfconv:input-bom
            printf '%s\t%s\n' 'auto' 'Use, keep or drop the BOM as the encodings require' \
            'keep' 'Keep the BOM as U+FEFF in the output' \
            'strip' 'Remove the BOM' \
            'text' 'Treat the BOM as text, for protocols that forbid BOMs' \
            'forbid' 'Treat a BOM as an error' \
            'require' 'Treat a missing BOM as an error' \
            'sniff' 'Take the encoding from the BOM if there is one, else from -f'
        case utfconv:output-bom
            printf '%s\t%s\n' 'auto' 'Write a BOM if the encoding requires one, or if the input\'s BOM was kept' \
            'always' 'Write a BOM unless the output is empty' \
            'never' 'Write no BOM; it is an error if the text itself begins with U+FEFF'
        case utfconv:ill-formed
            printf '%s\t%s\n' 'stop' 'stop there, after writing all text before (default)' \
            'replace' 'write U+FFFD, or TEXT, for each maximal subpart' \
            'omit' 'write nothing' \
            'escape' 'write each byte in ASCII: hex (\\xHH), percent (%HH), angle (<HH>), octal (\\ooo)' \
            'fallback=' 'decode one character as ENC, and continue after it' \
            'surrogateescape' 'carry each byte as U+DC80..U+DCFF, and restore them' \
            'pua' 'carry each byte as U+EF80..U+EFFF, and restore them' \
            'c8' 'carry each byte as U+10FFFD x HH, and restore them' \
            'raw' 'copy the bytes as they are (to UTF-8 or single-byte encodings that contain ASCII)'
        case utfconv:unmappable
            printf '%s\t%s\n' 'stop' 'stop there, after writing all text before (default)' \
            'replace' 'write U+FFFD, or TEXT; \'?\' where that cannot be encoded' \
            'omit' 'write nothing' \
            'escape' 'write it in ASCII: rust (\\u{H}), json (\\uXXXX), c (\\uXXXX, \\UXXXXXXXX), xml (&#xH;), html (&#D;), uplus (U+XXXX), percent (%HH of its UTF-8)' \
            'translit' 'write an approximation, else as replace' \
            'surrogateescape' 'as for ill-formed bytes; stop at other characters' \
            'pua' 'as for ill-formed bytes; stop at other characters' \
            'c8' 'as for ill-formed bytes; stop at other characters'
        case utfconv:errors
            printf '%s\t%s\n' 'stop' 'stop there, after writing all text before (default)' \
            'replace' 'write U+FFFD, or TEXT; \'?\' where that cannot be encoded' \
            'omit' 'write nothing' \
            'escape' 'write it in ASCII: rust (\\u{H}), json (\\uXXXX), c (\\uXXXX, \\UXXXXXXXX), xml (&#xH;), html (&#D;), uplus (U+XXXX), percent (%HH of its UTF-8)' \
            'surrogateescape' 'as for ill-formed bytes; stop at other characters' \
            'pua' 'as for ill-formed bytes; stop at other characters' \
            'c8' 'as for ill-formed bytes; stop at other characters'
        case utfconv:lossy-status
            printf '%s\t%s\n' '0' '' \
            '1' ''
        case utfconv:mmap
            printf '%s\t%s\n' 'auto' 'Map files if that is faster (currently the same as never)' \
            'always' 'Map every regular file' \
            'never' 'Map no file'
        case utfconv:backup
            printf '%s\t%s\n' 'refuse' 'Report an error, and leave the file unchanged' \
            'numbered' 'Keep another backup, with a number after SUFFIX'
        case utfconv:color
            printf '%s\t%s\n' 'auto' 'Use color on a terminal' \
            'always' 'Use color in files and pipes, too' \
            'never' 'Use no color'
        case utfconv:binary
            printf '%s\t%s\n' 'skip' 'Skip binary files; a binary file named as FILE or in a list is an error' \
            'convert' 'Convert binary files like text' \
            'copy' 'With --output-dir: copy binary files unchanged'
        case utfconv:links
            printf '%s\t%s\n' 'skip' 'Ignore the links' \
            'copy' 'With --output-dir: copy the links themselves'
        case utfconv:sync
            printf '%s\t%s\n' 'file' 'Sync each new file' \
            'batch' 'Sync new files in batches, which is as safe, and faster' \
            'none' 'Sync nothing; a power cut may leave empty files'
        case utfconv:normalize
            printf '%s\t%s\n' 'nfc' 'Compose, as in most texts' \
            'nfd' 'Decompose into letters and combining marks' \
            'nfkc' 'Compose, with compatibility mappings (lossy)' \
            'nfkd' 'Decompose, with compatibility mappings (lossy)'
        case utfconv:newline
            printf '%s\t%s\n' 'keep' 'Leave newlines unchanged' \
            'lf' 'Write LF, as on Unix' \
            'crlf' 'Write CR LF, as on Windows' \
            'cr' 'Write CR, as on classic Mac OS'
        case utfconv:ebcdic-newline
            printf '%s\t%s\n' 'nel' '0x15 is NEL (U+0085), and 0x25 is LF' \
            'lf' '0x15 is LF, and 0x25 is NEL (U+0085)'
        case utfconv:format
            printf '%s\t%s\n' 'text' 'For ranges, one A:B per line; for many files, messages only' \
            'json' 'For ranges, objects with start and end; for files, one object each, and a summary'
        case check:ebcdic-newline
            printf '%s\t%s\n' 'nel' '0x15 is NEL (U+0085), and 0x25 is LF' \
            'lf' '0x15 is LF, and 0x25 is NEL (U+0085)'
        case check:rule
            printf '%s\t%s\n' 'all' 'All rules' \
            'ill-formed' 'ill-formed bytes' \
            'wrong-encoding' 'another encoding' \
            'bom=require' 'byte order mark' \
            'bom=forbid' 'byte order mark' \
            'nul' 'NUL' \
            'replacement-character' 'replacement character' \
            'noncharacter' 'noncharacter' \
            'control' 'control character' \
            'bidi' 'bidirectional control' \
            'invisible' 'invisible character' \
            'hidden-text' 'hidden text' \
            'mixed-scripts' 'mixed scripts' \
            'inner-bom' 'byte order mark inside the text' \
            'mixed-newlines' 'mixed newlines' \
            'mixed-newlines=lf' 'mixed newlines' \
            'mixed-newlines=crlf' 'mixed newlines' \
            'mixed-newlines=cr' 'mixed newlines' \
            'final-newline' 'final newline' \
            'final-newline=require' 'final newline' \
            'final-newline=forbid' 'final newline' \
            'trailing-whitespace' 'trailing whitespace' \
            'blank-lines-at-end' 'blank lines at the end' \
            'not-nfc' 'not in NFC' \
            'double-encoded' 'double-encoded' \
            'declaration' 'wrong declaration of the encoding' \
            'lost-characters' 'characters of the old version were lost' \
            'mixed-encodings' 'encodings mixed' \
            'changed-encoding' 'encoding changed' \
            'changed-bom' 'BOM added or removed' \
            'changed-newlines' 'newlines changed' \
            'security' 'Rules against text that deceives reviewers' \
            'assignables' 'Rules for Unicode Assignables (RFC 9839)'
        case check:allow
            printf '%s\t%s\n' 'all' 'All other rules' \
            'ill-formed' 'ill-formed bytes' \
            'wrong-encoding' 'another encoding' \
            'bom' 'byte order mark' \
            'nul' 'NUL' \
            'replacement-character' 'replacement character' \
            'noncharacter' 'noncharacter' \
            'control' 'control character' \
            'bidi' 'bidirectional control' \
            'invisible' 'invisible character' \
            'hidden-text' 'hidden text' \
            'mixed-scripts' 'mixed scripts' \
            'inner-bom' 'byte order mark inside the text' \
            'mixed-newlines' 'mixed newlines' \
            'final-newline' 'final newline' \
            'trailing-whitespace' 'trailing whitespace' \
            'blank-lines-at-end' 'blank lines at the end' \
            'not-nfc' 'not in NFC' \
            'double-encoded' 'double-encoded' \
            'declaration' 'wrong declaration of the encoding' \
            'lost-characters' 'characters of the old version were lost' \
            'mixed-encodings' 'encodings mixed' \
            'changed-encoding' 'encoding changed' \
            'changed-bom' 'BOM added or removed' \
            'changed-newlines' 'newlines changed' \
            'security' 'Rules against text that deceives reviewers' \
            'assignables' 'Rules for Unicode Assignables (RFC 9839)'
        case check:min-certainty
            printf '%s\t%s\n' 'certain' 'The encoding is proven' \
            'likely' 'All evidence supports the encoding' \
            'guess' 'The encoding is the best of several'
        case check:sync
            printf '%s\t%s\n' 'file' 'Sync each new file' \
            'batch' 'Sync new files in batches, which is as safe, and faster' \
            'none' 'Sync nothing; a power cut may leave empty files'
        case check:explain
            printf '%s\t%s\n' 'ill-formed' 'ill-formed bytes' \
            'wrong-encoding' 'another encoding' \
            'bom' 'byte order mark' \
            'nul' 'NUL' \
            'replacement-character' 'replacement character' \
            'noncharacter' 'noncharacter' \
            'control' 'control character' \
            'bidi' 'bidirectional control' \
            'invisible' 'invisible character' \
            'hidden-text' 'hidden text' \
            'mixed-scripts' 'mixed scripts' \
            'inner-bom' 'byte order mark inside the text' \
            'mixed-newlines' 'mixed newlines' \
            'final-newline' 'final newline' \
            'trailing-whitespace' 'trailing whitespace' \
            'blank-lines-at-end' 'blank lines at the end' \
            'not-nfc' 'not in NFC' \
            'double-encoded' 'double-encoded' \
            'declaration' 'wrong declaration of the encoding' \
            'lost-characters' 'characters of the old version were lost' \
            'mixed-encodings' 'encodings mixed' \
            'changed-encoding' 'encoding changed' \
            'changed-bom' 'BOM added or removed' \
            'changed-newlines' 'newlines changed' \
            'security' 'Rules against text that deceives reviewers' \
            'assignables' 'Rules for Unicode Assignables (RFC 9839)'
        case check:binary
            printf '%s\t%s\n' 'skip' 'Skip binary files, even if named' \
            'check' 'Check binary files like text' \
            'error' 'Report each binary file as an error'
        case check:format
            printf '%s\t%s\n' 'text' 'For people, and tools that read compiler messages' \
            'json' 'One JSON object per line, with a summary at the end' \
            'github' 'Annotations for GitHub Actions' \
            'gitlab' 'Code Quality report for GitLab' \
            'sarif' 'SARIF 2.1.0, for code scanning' \
            'junit' 'JUnit XML, one test case per file'
        case check:excerpt
            printf '%s\t%s\n' 'auto' 'Show the lines on a terminal' \
            'always' 'Show the lines in files and pipes, too' \
            'never' 'Show no lines'
        case check:color
            printf '%s\t%s\n' 'auto' 'Use color on a terminal' \
            'always' 'Use color in files and pipes, too' \
            'never' 'Use no color'
        case detect:format
            printf '%s\t%s\n' 'text' 'For people, one file per line' \
            'json' 'One JSON object per line'
        case inspect:input-bom
            printf '%s\t%s\n' 'auto' 'Handle the BOM as the encoding defines' \
            'text' 'Treat the BOM as text' \
            'forbid' 'Treat a BOM as an error' \
            'require' 'Treat a missing BOM as an error' \
            'sniff' 'Take the encoding from the BOM if there is one, else from -f'
        case inspect:ebcdic-newline
            printf '%s\t%s\n' 'nel' '0x15 is NEL (U+0085), and 0x25 is LF' \
            'lf' '0x15 is LF, and 0x25 is NEL (U+0085)'
        case inspect:format
            printf '%s\t%s\n' 'text' 'For people, one sequence per line' \
            'json' 'One JSON object per line'
        case inspect:color
            printf '%s\t%s\n' 'auto' 'Use color on a terminal' \
            'always' 'Use color in files and pipes, too' \
            'never' 'Use no color'
        case names:from
            printf '%s\t%s\n' 'auto' 'Detect it'
        case names:min-certainty
            printf '%s\t%s\n' 'certain' 'The encoding is proven' \
            'likely' 'All evidence supports the encoding' \
            'guess' 'The encoding is the best of several'
        case names:normalize
            printf '%s\t%s\n' 'nfc' 'Compose, as on Linux and Windows' \
            'nfd' 'Decompose into letters and combining marks' \
            'nfkc' 'Compose, with compatibility mappings (lossy)' \
            'nfkd' 'Decompose, with compatibility mappings (lossy)' \
            'mac' 'As nfd, except characters that HFS+ of macOS does not decompose'
        case names:color
            printf '%s\t%s\n' 'auto' 'Use color on a terminal' \
            'always' 'Use color in files and pipes, too' \
            'never' 'Use no color'
        case names:format
            printf '%s\t%s\n' 'text' 'For people, one name per line' \
            'json' 'One JSON object per line'
        case repair:backup
            printf '%s\t%s\n' 'refuse' 'Report an error, and leave the file unchanged' \
            'numbered' 'Keep another backup, with a number after SUFFIX'
        case repair:color
            printf '%s\t%s\n' 'auto' 'Use color on a terminal' \
            'always' 'Use color in files and pipes, too' \
            'never' 'Use no color'
        case repair:sync
            printf '%s\t%s\n' 'file' 'Sync each new file' \
            'batch' 'Sync new files in batches, which is as safe, and faster' \
            'none' 'Sync nothing; a power cut may leave empty files'
        case repair:damage
            printf '%s\t%s\n' 'lost-bytes' 'A byte of a double-encoded character became U+FFFD, ?, blank or nothing' \
            'question-marks' 'Characters of an old version became question marks' \
            'dropped' 'Characters of an old version were dropped'
        case repair:unmappable
            printf '%s\t%s\n' 'stop' 'stop there, after writing all text before (default)' \
            'replace' 'write U+FFFD, or TEXT; \'?\' where that cannot be encoded' \
            'omit' 'write nothing' \
            'escape' 'write it in ASCII: rust (\\u{H}), json (\\uXXXX), c (\\uXXXX, \\UXXXXXXXX), xml (&#xH;), html (&#D;), uplus (U+XXXX), percent (%HH of its UTF-8)' \
            'translit' 'write an approximation, else as replace'
        case repair:format
            printf '%s\t%s\n' 'text' 'For people' \
            'json' 'One JSON object per file, and a summary'
        case edit:unmappable
            printf '%s\t%s\n' 'stop' 'stop there, after writing all text before (default)' \
            'replace' 'write U+FFFD, or TEXT; \'?\' where that cannot be encoded' \
            'omit' 'write nothing' \
            'escape' 'write it in ASCII: rust (\\u{H}), json (\\uXXXX), c (\\uXXXX, \\UXXXXXXXX), xml (&#xH;), html (&#D;), uplus (U+XXXX), percent (%HH of its UTF-8)' \
            'translit' 'write an approximation, else as replace'
        case git-filter:ebcdic-newline
            printf '%s\t%s\n' 'nel' '0x15 is NEL (U+0085), and 0x25 is LF' \
            'lf' '0x15 is LF, and 0x25 is NEL (U+0085)'
        case textconv:ebcdic-newline
            printf '%s\t%s\n' 'nel' '0x15 is NEL (U+0085), and 0x25 is LF' \
            'lf' '0x15 is LF, and 0x25 is NEL (U+0085)'
        case list:format
            printf '%s\t%s\n' 'text' 'On a terminal, for people; otherwise one name per line' \
            'json' 'An array of objects with name and aliases' \
            'charmap' 'With --export: a POSIX charmap (the default of --export)' \
            'ucm' 'With --export: a .ucm file of ICU'
        case help:command
            printf '%s\t%s\n' 'check' '' \
            'detect' '' \
            'inspect' '' \
            'names' '' \
            'repair' '' \
            'edit' '' \
            'git-filter' '' \
            'textconv' '' \
            'list' '' \
            'help' '' \
            'man' '' \
            'completions' '' \
            'iconv' ''
        case man:page
            printf '%s\t%s\n' 'check' '' \
            'detect' '' \
            'inspect' '' \
            'names' '' \
            'repair' '' \
            'edit' '' \
            'git-filter' '' \
            'textconv' '' \
            'list' '' \
            'iconv' '' \
            'encodings' '' \
            'errors' '' \
            'text' '' \
            'batch' '' \
            'ranges' '' \
            'config' ''
        case completions:shell
            printf '%s\t%s\n' 'bash' '' \
            'elvish' '' \
            'fish' '' \
            'powershell' '' \
            'zsh' ''
    end
end

# Offers the next value in a list with commas, for the option COMMAND:OPTION.
function __utfconv_list
    set -l typed (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l listed (string match -r -- '^.*,' $typed)
    __utfconv_words $argv[1] | string replace -r -- '^' "$listed"
end

complete -c utfconv -n __utfconv_is_first -a '(__utfconv_words commands)'
complete -c utfconv -n '__utfconv_is utfconv' -s f -l from-code -x -a '(__utfconv_words utfconv:from; __utfconv_encodings)' -d 'Input encoding; \'auto\' or \'auto:LIST\' detects it [default: UTF-8]'
complete -c utfconv -n '__utfconv_is utfconv' -s t -l to-code -x -a '(__utfconv_encodings; __utfconv_suffixes)' -d 'Output encoding, also with //TRANSLIT or //IGNORE [default: UTF-8]'
complete -c utfconv -n '__utfconv_is utfconv' -l min-certainty -x -a '(__utfconv_words utfconv:min-certainty)' -d 'With -f auto: minimum certainty of the encoding for a conversion [default: likely]'
complete -c utfconv -n '__utfconv_is utfconv' -l language -x -d 'Consider only English and the languages in LIST, such as de,pt-BR'
complete -c utfconv -n '__utfconv_is utfconv' -l config -r -F -d 'Read FILE instead of searching for utfconv.toml'
complete -c utfconv -n '__utfconv_is utfconv' -l no-config -d 'Do not read utfconv.toml, .editorconfig and .gitattributes'
complete -c utfconv -n '__utfconv_is utfconv' -l declaration -x -a '(__utfconv_words utfconv:declaration)' -d 'Set how to handle text that names its own encoding, as XML does [default: keep]'
complete -c utfconv -n '__utfconv_is utfconv' -s l -l list -d 'List the encodings and exit'
complete -c utfconv -n '__utfconv_is utfconv' -l input-bom -x -a '(__utfconv_words utfconv:input-bom)' -d 'Set how to handle an input BOM (U+FEFF at the start) [default: auto]'
complete -c utfconv -n '__utfconv_is utfconv' -l output-bom -x -a '(__utfconv_words utfconv:output-bom)' -d 'Set when to write a BOM [default: auto]'
complete -c utfconv -n '__utfconv_is utfconv' -s c -d 'Omit what cannot be converted; exit with 1 if anything was omitted'
complete -c utfconv -n '__utfconv_is utfconv' -l ill-formed -x -a '(__utfconv_words utfconv:ill-formed; __utfconv_encodings fallback=)' -d 'Set how to handle ill-formed (invalid) bytes [default: stop]'
complete -c utfconv -n '__utfconv_is utfconv' -l unmappable -x -a '(__utfconv_words utfconv:unmappable)' -d 'Set how to handle characters that cannot be encoded [default: stop]'
complete -c utfconv -n '__utfconv_is utfconv' -l errors -x -a '(__utfconv_words utfconv:errors)' -d 'Set --ill-formed and --unmappable to MODE, such as replace[=TEXT] or escape=percent'
complete -c utfconv -n '__utfconv_is utfconv' -l byte-subst -x -d 'Write each ill-formed byte using printf-style FORMAT, such as \'<0x%02x>\''
complete -c utfconv -n '__utfconv_is utfconv' -l unicode-subst -x -d 'Write each unmappable character using FORMAT, such as \'<U+%04X>\''
complete -c utfconv -n '__utfconv_is utfconv' -l widechar-subst -x -d 'Accepted for compatibility with libiconv; has no effect'
complete -c utfconv -n '__utfconv_is utfconv' -l per-byte -d 'With --ill-formed=replace: replace each ill-formed byte, not each maximal subpart'
complete -c utfconv -n '__utfconv_is utfconv' -l max-errors -x -d 'Report at most N errors per file; 0 is no limit [default: 100]'
complete -c utfconv -n '__utfconv_is utfconv' -l lossy-status -x -a '(__utfconv_words utfconv:lossy-status)' -d 'Exit status after errors that were handled [default: 1 if -c omitted anything, else 0]'
complete -c utfconv -n '__utfconv_is utfconv' -s s -l silent -d 'Do not report errors; the exit status does not change'
complete -c utfconv -n '__utfconv_is utfconv' -l stats -d 'Print statistics of the input on standard error at the end'
complete -c utfconv -n '__utfconv_is utfconv' -s o -l output -r -F -d 'Write to FILE, which may be an input; replace FILE only on success'
complete -c utfconv -n '__utfconv_is utfconv' -s v -l verbose -d 'Name each input on standard error; with -i or --output-dir, report each result'
complete -c utfconv -n '__utfconv_is utfconv' -l mmap -x -a '(__utfconv_words utfconv:mmap)' -d 'Map regular files into memory instead of reading them [default: auto]'
complete -c utfconv -n '__utfconv_is utfconv' -s j -l threads -x -d 'Use N threads [default: one per processor]'
complete -c utfconv -n '__utfconv_is utfconv' -l force-terminal -d 'Also write UTF-16, UTF-32 and EBCDIC to a terminal'
complete -c utfconv -n '__utfconv_is utfconv' -s i -l in-place -d 'Convert each FILE in place; =SUFFIX keeps the old file as a backup'
complete -c utfconv -n '__utfconv_is utfconv' -l backup -x -a '(__utfconv_words utfconv:backup)' -d 'With -i=SUFFIX: set what happens if a backup exists [default: refuse]'
complete -c utfconv -n '__utfconv_is utfconv' -l preserve-time -d 'With -i: keep the access and modification times of files'
complete -c utfconv -n '__utfconv_is utfconv' -l force -d 'Convert files of doubtful encoding; with -i, overwrite files that a rename cannot replace'
complete -c utfconv -n '__utfconv_is utfconv' -l output-dir -x -a '(__fish_complete_directories (commandline -ct | string replace -r -- "^--[^=]*=" ""))' -d 'Convert each FILE to a file in DIR, with the same relative path'
complete -c utfconv -n '__utfconv_is utfconv' -s r -l recursive -d 'With -i or --output-dir: convert the files in directories'
complete -c utfconv -n '__utfconv_is utfconv' -l files-from -r -F -d 'Also read file names from FILE, one per line; \'-\' is standard input'
complete -c utfconv -n '__utfconv_is utfconv' -l files0-from -r -F -d 'Also read file names from FILE, each ended by NUL'
complete -c utfconv -n '__utfconv_is utfconv' -l hidden -d 'In directories: include hidden files, except .git'
complete -c utfconv -n '__utfconv_is utfconv' -l no-ignore -d 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude'
complete -c utfconv -n '__utfconv_is utfconv' -l include -x -d 'In directories: use only files that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is utfconv' -l exclude -x -d 'In directories: skip files and directories that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is utfconv' -l tracked -d 'Use only files that git tracks'
complete -c utfconv -n '__utfconv_is utfconv' -l dry-run -d 'Write nothing; report what would change and what would be lost'
complete -c utfconv -n '__utfconv_is utfconv' -l diff -d 'Write nothing; print what -i would change, as a patch for git apply'
complete -c utfconv -n '__utfconv_is utfconv' -l color -x -a '(__utfconv_words utfconv:color)' -d 'With --diff: use color [default: auto]'
complete -c utfconv -n '__utfconv_is utfconv' -l verify -d 'Read each new file again; keep the old file if the text differs'
complete -c utfconv -n '__utfconv_is utfconv' -l manifest -r -F -d 'Record all changes in FILE, for --undo and to resume an interrupted run'
complete -c utfconv -n '__utfconv_is utfconv' -l undo -r -F -d 'Undo the changes that MANIFEST records, in all files or only in PATH'
complete -c utfconv -n '__utfconv_is utfconv' -l failed -r -F -d 'Write to FILE the names of the files with an error, one per line'
complete -c utfconv -n '__utfconv_is utfconv' -l failed0 -r -F -d 'Write to FILE the names of the files with an error, each ended by NUL'
complete -c utfconv -n '__utfconv_is utfconv' -l stop-on-error -d 'Stop at the first file that fails; leave the remaining files unchanged'
complete -c utfconv -n '__utfconv_is utfconv' -l binary -x -a '(__utfconv_words utfconv:binary)' -d 'Set how -i and --output-dir handle binary files [default: skip]'
complete -c utfconv -n '__utfconv_is utfconv' -l links -x -a '(__utfconv_words utfconv:links)' -d 'Set how -r handles symbolic links in directories [default: skip]'
complete -c utfconv -n '__utfconv_is utfconv' -l reconvert -d 'With -i or --output-dir: also convert files that seem already converted'
complete -c utfconv -n '__utfconv_is utfconv' -l sync -x -a '(__utfconv_words utfconv:sync)' -d 'Set what must be on disk before an old file is replaced [default: file]'
complete -c utfconv -n '__utfconv_is utfconv' -l normalize -x -a '(__utfconv_words utfconv:normalize)' -d 'Write all text in one normalization form: nfc, nfd, nfkc or nfkd'
complete -c utfconv -n '__utfconv_is utfconv' -l newline -x -a '(__utfconv_words utfconv:newline)' -d 'Write all newlines as lf, crlf or cr [default: keep]'
complete -c utfconv -n '__utfconv_is utfconv' -l final-newline -d 'Add a newline to output that does not end with one'
complete -c utfconv -n '__utfconv_is utfconv' -l ebcdic-newline -x -a '(__utfconv_words utfconv:ebcdic-newline)' -d 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]'
complete -c utfconv -n '__utfconv_is utfconv' -l records -x -d 'Read records as lines; FORM is N (bytes per record), rdw or rdw-blocked'
complete -c utfconv -n '__utfconv_is utfconv' -l keep-blanks -d 'With --records=N: keep the blanks at the end of each record'
complete -c utfconv -n '__utfconv_is utfconv' -l output-records -x -d 'Write lines as records; FORM is N (bytes per record, padded), rdw or rdw-blocked'
complete -c utfconv -n '__utfconv_is utfconv' -l range -x -d 'Convert only the characters that start at bytes A to B-1 of FILE; A or B may be omitted'
complete -c utfconv -n '__utfconv_is utfconv' -l range-first-line -x -d 'With --range: line number of byte A, for the line numbers in messages'
complete -c utfconv -n '__utfconv_is utfconv' -l list-ranges -x -d 'Print up to N ranges of similar length that make up FILE, and exit'
complete -c utfconv -n '__utfconv_is utfconv' -s 0 -l null -d 'With --list-ranges: end each range with NUL'
complete -c utfconv -n '__utfconv_is utfconv' -l format -x -a '(__utfconv_words utfconv:format)' -d 'Set the format of the list of ranges, or of a report on many files [default: text]'
complete -c utfconv -n '__utfconv_is utfconv' -l count-output -d 'Print the length of the output in bytes, instead of the output'
complete -c utfconv -n '__utfconv_is utfconv' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is utfconv' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is check' -s f -l from-code -x -a '(__utfconv_encodings)' -d 'Encoding of all files [default: as configured, or UTF-8]'
complete -c utfconv -n '__utfconv_is check' -l ebcdic-newline -x -a '(__utfconv_words check:ebcdic-newline)' -d 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]'
complete -c utfconv -n '__utfconv_is check' -l rule -x -a '(__utfconv_list check:rule)' -d 'Also check these rules, such as \'security\'; \'all\' means every rule'
complete -c utfconv -n '__utfconv_is check' -l allow -x -a '(__utfconv_list check:allow)' -d 'Turn off these rules; \'all\' means every rule that --rule does not name'
complete -c utfconv -n '__utfconv_is check' -l fix -d 'Repair errors in place if the repair is certain; report the remaining errors'
complete -c utfconv -n '__utfconv_is check' -l diff -d 'Write nothing; print what --fix would change, as a patch for git apply'
complete -c utfconv -n '__utfconv_is check' -l dry-run -d 'With --fix: write nothing; print which files would be fixed, and the remaining errors'
complete -c utfconv -n '__utfconv_is check' -l min-certainty -x -a '(__utfconv_words check:min-certainty)' -d 'With --fix: minimum certainty for converting a file [default: certain]'
complete -c utfconv -n '__utfconv_is check' -l manifest -r -F -d 'Record all changes in FILE, for --undo and to resume an interrupted run'
complete -c utfconv -n '__utfconv_is check' -l undo -r -F -d 'Undo the changes that MANIFEST records, in all files or only in PATH'
complete -c utfconv -n '__utfconv_is check' -l failed -r -F -d 'Write to FILE the names of the files with an error, one per line'
complete -c utfconv -n '__utfconv_is check' -l failed0 -r -F -d 'Write to FILE the names of the files with an error, each ended by NUL'
complete -c utfconv -n '__utfconv_is check' -l sync -x -a '(__utfconv_words check:sync)' -d 'Set what must be on disk before an old file is replaced [default: file]'
complete -c utfconv -n '__utfconv_is check' -l explain -x -a '(__utfconv_words check:explain)' -d 'Explain a rule or group and exit; \'all\' lists all rules and groups'
complete -c utfconv -n '__utfconv_is check' -l config -r -F -d 'Read FILE instead of searching for utfconv.toml'
complete -c utfconv -n '__utfconv_is check' -l no-config -d 'Do not read utfconv.toml, .editorconfig and .gitattributes'
complete -c utfconv -n '__utfconv_is check' -l show-config -r -F -d 'Print the settings for PATH and the file of each setting, and exit'
complete -c utfconv -n '__utfconv_is check' -l config-schema -d 'Print the JSON schema of utfconv.toml and exit'
complete -c utfconv -n '__utfconv_is check' -l hidden -d 'In directories: include hidden files, except .git'
complete -c utfconv -n '__utfconv_is check' -l no-ignore -d 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude'
complete -c utfconv -n '__utfconv_is check' -l include -x -d 'In directories: use only files that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is check' -l exclude -x -d 'In directories: skip files and directories that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is check' -l tracked -d 'Use only files that git tracks'
complete -c utfconv -n '__utfconv_is check' -l staged -d 'Check what is staged for the next commit, as it is in git\'s index'
complete -c utfconv -n '__utfconv_is check' -l since -x -d 'Use only tracked files that differ from revision REV'
complete -c utfconv -n '__utfconv_is check' -l all-errors -d 'With --since or --staged: also report errors that the old version has'
complete -c utfconv -n '__utfconv_is check' -l binary -x -a '(__utfconv_words check:binary)' -d 'Handle binary files [default: check if named, else skip]'
complete -c utfconv -n '__utfconv_is check' -l files-from -r -F -d 'Also read file names from FILE, one per line; \'-\' is standard input'
complete -c utfconv -n '__utfconv_is check' -l files0-from -r -F -d 'Also read file names from FILE, each ended by NUL'
complete -c utfconv -n '__utfconv_is check' -l range -x -d 'Check only characters that start at bytes A to B-1 of one file'
complete -c utfconv -n '__utfconv_is check' -l range-first-line -x -d 'With --range: line number of byte A, for the line numbers in messages'
complete -c utfconv -n '__utfconv_is check' -l stdin-filename -r -F -d 'Check standard input, and report it as NAME'
complete -c utfconv -n '__utfconv_is check' -l format -x -a '(__utfconv_words check:format)' -d 'Report format [default: text]'
complete -c utfconv -n '__utfconv_is check' -s l -l files-with-errors -d 'Print only the names of files with errors'
complete -c utfconv -n '__utfconv_is check' -s 0 -l null -d 'With -l: end each name with NUL'
complete -c utfconv -n '__utfconv_is check' -s q -l quiet -d 'Print nothing; exit at the first error'
complete -c utfconv -n '__utfconv_is check' -s v -l verbose -d 'List binary files, fixed files and all errors of files in another encoding; print a summary'
complete -c utfconv -n '__utfconv_is check' -l max-errors -x -d 'Report at most N errors per file, then stop reading it; 0 means no limit [default: 1000]'
complete -c utfconv -n '__utfconv_is check' -l max-total -x -d 'Report at most N errors in all; 0 means no limit [default: 100000]'
complete -c utfconv -n '__utfconv_is check' -l count -d 'Also count errors beyond --max-errors'
complete -c utfconv -n '__utfconv_is check' -l stats -d 'Print statistics: characters, scripts, newlines, BOMs, errors'
complete -c utfconv -n '__utfconv_is check' -l target -x -a '(__utfconv_encodings)' -d 'List characters that cannot be encoded in ENC, and exit with 1 if there are any'
complete -c utfconv -n '__utfconv_is check' -l excerpt -x -a '(__utfconv_words check:excerpt)' -d 'Show the lines with errors [default: auto]'
complete -c utfconv -n '__utfconv_is check' -l color -x -a '(__utfconv_words check:color)' -d 'Use color [default: auto]'
complete -c utfconv -n '__utfconv_is check' -l baseline -r -F -d 'Report only errors that are not in FILE, and how many errors of FILE are gone'
complete -c utfconv -n '__utfconv_is check' -l write-baseline -r -F -d 'Write all errors to FILE, for use with --baseline, and report none'
complete -c utfconv -n '__utfconv_is check' -l exit-zero -d 'Exit with 0 even if there are errors'
complete -c utfconv -n '__utfconv_is check' -s j -l threads -x -d 'Use N threads [default: one per processor]'
complete -c utfconv -n '__utfconv_is check' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is check' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is detect' -l candidates -x -d 'Consider only these encodings, such as windows-1252,cp850,UTF-8'
complete -c utfconv -n '__utfconv_is detect' -l language -x -d 'Consider only English and the languages in LIST, such as de,pt-BR'
complete -c utfconv -n '__utfconv_is detect' -l allow-7bit -d 'Consider UTF-7 for ASCII files'
complete -c utfconv -n '__utfconv_is detect' -l hidden -d 'In directories: include hidden files, except .git'
complete -c utfconv -n '__utfconv_is detect' -l no-ignore -d 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude'
complete -c utfconv -n '__utfconv_is detect' -l include -x -d 'In directories: use only files that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is detect' -l exclude -x -d 'In directories: skip files and directories that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is detect' -l files-from -r -F -d 'Also read file names from FILE, one per line; \'-\' is standard input'
complete -c utfconv -n '__utfconv_is detect' -l files0-from -r -F -d 'Also read file names from FILE, each ended by NUL'
complete -c utfconv -n '__utfconv_is detect' -l format -x -a '(__utfconv_words detect:format)' -d 'Report format [default: text]'
complete -c utfconv -n '__utfconv_is detect' -l brief -d 'Print only the name of the encoding, for scripts'
complete -c utfconv -n '__utfconv_is detect' -s v -l verbose -d 'Show the probabilities of the three most probable texts'
complete -c utfconv -n '__utfconv_is detect' -s j -l threads -x -d 'Use N threads [default: one per processor]'
complete -c utfconv -n '__utfconv_is detect' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is detect' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is inspect' -s f -l from-code -x -a '(__utfconv_encodings)' -d 'Input encoding [default: UTF-8]'
complete -c utfconv -n '__utfconv_is inspect' -l input-bom -x -a '(__utfconv_words inspect:input-bom)' -d 'Set how to handle an input BOM [default: auto]'
complete -c utfconv -n '__utfconv_is inspect' -l ebcdic-newline -x -a '(__utfconv_words inspect:ebcdic-newline)' -d 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]'
complete -c utfconv -n '__utfconv_is inspect' -l range -x -d 'Show only the sequences that start at bytes A to B-1'
complete -c utfconv -n '__utfconv_is inspect' -l around -x -d 'Show the sequence that contains byte OFFSET, marked, and the sequences around it'
complete -c utfconv -n '__utfconv_is inspect' -l errors-only -d 'Show only errors, and the sequences around them'
complete -c utfconv -n '__utfconv_is inspect' -s C -l context -x -d 'Show N sequences (at most 65535) on either side [default: 8; with --errors-only: 3]'
complete -c utfconv -n '__utfconv_is inspect' -l format -x -a '(__utfconv_words inspect:format)' -d 'Output format [default: text]'
complete -c utfconv -n '__utfconv_is inspect' -s x -l hex -d 'Also show offsets in hexadecimal'
complete -c utfconv -n '__utfconv_is inspect' -l color -x -a '(__utfconv_words inspect:color)' -d 'Use color [default: auto]'
complete -c utfconv -n '__utfconv_is inspect' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is inspect' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is names' -s f -l from-code -x -a '(__utfconv_words names:from; __utfconv_encodings)' -d 'Encoding of the names; \'auto\' detects it for each directory [default: UTF-8]'
complete -c utfconv -n '__utfconv_is names' -s t -l to-code -x -a '(__utfconv_encodings)' -d 'New encoding of the names [default: UTF-8]'
complete -c utfconv -n '__utfconv_is names' -l language -x -d 'Consider only English and the languages in LIST, such as de,pt-BR'
complete -c utfconv -n '__utfconv_is names' -l min-certainty -x -a '(__utfconv_words names:min-certainty)' -d 'With -f auto: minimum certainty of the encoding for a conversion [default: likely]'
complete -c utfconv -n '__utfconv_is names' -l normalize -x -a '(__utfconv_words names:normalize)' -d 'Write names in one normalization form: nfc, nfd, nfkc, nfkd or mac'
complete -c utfconv -n '__utfconv_is names' -l repair -d 'Undo double encoding (UTF-8 decoded as another encoding) if it is proven'
complete -c utfconv -n '__utfconv_is names' -l reconvert -d 'Also convert names that are already UTF-8'
complete -c utfconv -n '__utfconv_is names' -l links -d 'Also convert the names in the targets of symbolic links'
complete -c utfconv -n '__utfconv_is names' -s i -l in-place -d 'Rename files; without -i, only show what would change'
complete -c utfconv -n '__utfconv_is names' -l diff -d 'Rename nothing; print what would change, as a patch for git apply'
complete -c utfconv -n '__utfconv_is names' -l color -x -a '(__utfconv_words names:color)' -d 'With --diff: use color [default: auto]'
complete -c utfconv -n '__utfconv_is names' -l keep-going -d 'If some names are refused, rename the other files [default: rename none]'
complete -c utfconv -n '__utfconv_is names' -l manifest -r -F -d 'Record all changes in FILE, for --undo'
complete -c utfconv -n '__utfconv_is names' -l undo -d 'Undo the renames of MANIFEST; without MANIFEST, undo an interrupted run'
complete -c utfconv -n '__utfconv_is names' -l format -x -a '(__utfconv_words names:format)' -d 'Report format [default: text]'
complete -c utfconv -n '__utfconv_is names' -s v -l verbose -d 'With -i or --undo: show each name'
complete -c utfconv -n '__utfconv_is names' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is names' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is repair' -s i -l in-place -d 'Repair each file in place; =SUFFIX keeps the old file as a backup'
complete -c utfconv -n '__utfconv_is repair' -l backup -x -a '(__utfconv_words repair:backup)' -d 'With -i=SUFFIX: set what happens if a backup exists [default: refuse]'
complete -c utfconv -n '__utfconv_is repair' -l preserve-time -d 'With -i: keep the access and modification times of files'
complete -c utfconv -n '__utfconv_is repair' -l force -d 'With -i and --undo: overwrite files that cannot be replaced by a rename'
complete -c utfconv -n '__utfconv_is repair' -l diff -d 'Write nothing; print what would change, as a patch for git apply'
complete -c utfconv -n '__utfconv_is repair' -l color -x -a '(__utfconv_words repair:color)' -d 'With --diff: use color [default: auto]'
complete -c utfconv -n '__utfconv_is repair' -l dry-run -d 'With -i: write nothing; report what would change'
complete -c utfconv -n '__utfconv_is repair' -l sync -x -a '(__utfconv_words repair:sync)' -d 'Set what must be on disk before an old file is replaced [default: file]'
complete -c utfconv -n '__utfconv_is repair' -l unit -x -d 'Unit that has one encoding: line, field:SEPARATOR or run [default: line]'
complete -c utfconv -n '__utfconv_is repair' -l candidates -x -d 'Encodings that a file may mix, such as UTF-8,windows-1252 [default: detected]'
complete -c utfconv -n '__utfconv_is repair' -l damage -x -a '(__utfconv_words repair:damage)' -d 'Also undo damage of this kind, which leaves no proof of the lost text'
complete -c utfconv -n '__utfconv_is repair' -l from -x -a '(__utfconv_encodings)' -d 'Restore lost text from file OLD, the version before the damage'
complete -c utfconv -n '__utfconv_is repair' -l from-rev -d 'Restore lost text from revision REV of git [default: HEAD]'
complete -c utfconv -n '__utfconv_is repair' -l history -d 'Restore lost text from the newest commit in which the file is not damaged'
complete -c utfconv -n '__utfconv_is repair' -s f -l from-code -x -d 'Encoding of the old versions [default: as configured or detected]'
complete -c utfconv -n '__utfconv_is repair' -l unmappable -x -a '(__utfconv_words repair:unmappable)' -d 'Restore files in part; write the rest by replace[=TEXT], escape[=STYLE], omit or translit'
complete -c utfconv -n '__utfconv_is repair' -l manifest -r -F -d 'Record all changes in FILE, for --undo and to resume an interrupted run'
complete -c utfconv -n '__utfconv_is repair' -l undo -r -F -d 'Undo the changes that MANIFEST records, in all files or only in PATH'
complete -c utfconv -n '__utfconv_is repair' -l failed -r -F -d 'Write to FILE the names of the files with an error, one per line'
complete -c utfconv -n '__utfconv_is repair' -l failed0 -r -F -d 'Write to FILE the names of the files with an error, each ended by NUL'
complete -c utfconv -n '__utfconv_is repair' -l hidden -d 'In directories: include hidden files, except .git'
complete -c utfconv -n '__utfconv_is repair' -l no-ignore -d 'In directories: include files that .gitignore, .ignore and .git/info/exclude exclude'
complete -c utfconv -n '__utfconv_is repair' -l include -x -d 'In directories: use only files that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is repair' -l exclude -x -d 'In directories: skip files and directories that match GLOB (repeatable)'
complete -c utfconv -n '__utfconv_is repair' -l files-from -r -F -d 'Also read file names from FILE, one per line; \'-\' is standard input'
complete -c utfconv -n '__utfconv_is repair' -l files0-from -r -F -d 'Also read file names from FILE, each ended by NUL'
complete -c utfconv -n '__utfconv_is repair' -l format -x -a '(__utfconv_words repair:format)' -d 'Report format [default: text]'
complete -c utfconv -n '__utfconv_is repair' -l max-errors -x -d 'Report at most N repairs and N other errors per file; 0 is no limit [default: 100]'
complete -c utfconv -n '__utfconv_is repair' -s j -l threads -x -d 'Use N threads [default: one per processor]'
complete -c utfconv -n '__utfconv_is repair' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is repair' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is edit' -s f -l from-code -x -a '(__utfconv_encodings)' -d 'Encoding of the files [default: as configured, declared or detected]'
complete -c utfconv -n '__utfconv_is edit' -l unmappable -x -a '(__utfconv_words edit:unmappable)' -d 'Mode for characters that cannot be encoded: replace[=TEXT], escape[=STYLE], omit, translit'
complete -c utfconv -n '__utfconv_is edit' -l ignore-status -d 'Write the edited files even if COMMAND fails'
complete -c utfconv -n '__utfconv_is edit' -l force -d 'Overwrite files that a rename cannot replace; edit files that seem not to be in ENC'
complete -c utfconv -n '__utfconv_is edit' -l manifest -r -F -d 'Record all changes in FILE, for --undo and to resume an interrupted run'
complete -c utfconv -n '__utfconv_is edit' -s h -l help -d 'Print help'
complete -c utfconv -n '__utfconv_is edit' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is git-filter' -s f -l from-code -x -a '(__utfconv_encodings)' -d 'Encoding in the work tree, such as UTF-16LE-BOM; files are UTF-8 in the repository'
complete -c utfconv -n '__utfconv_is git-filter' -s t -l to-code -x -a '(__utfconv_encodings)' -d 'Encoding in the repository; files are UTF-8 in the work tree'
complete -c utfconv -n '__utfconv_is git-filter' -l ebcdic-newline -x -a '(__utfconv_words git-filter:ebcdic-newline)' -d 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]'
complete -c utfconv -n '__utfconv_is git-filter' -l force -d 'Convert all files that convert back exactly, even if they seem to be binary or UTF-8'
complete -c utfconv -n '__utfconv_is git-filter' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is git-filter' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is textconv' -s f -l from-code -x -a '(__utfconv_encodings)' -d 'Input encoding; \'auto\' detects it, \'auto:LIST\' considers only LIST [default: auto]'
complete -c utfconv -n '__utfconv_is textconv' -l ebcdic-newline -x -a '(__utfconv_words textconv:ebcdic-newline)' -d 'Map EBCDIC byte 0x15 to NEL or LF [default: nel]'
complete -c utfconv -n '__utfconv_is textconv' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is textconv' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is list' -l format -x -a '(__utfconv_words list:format)' -d 'List format [default: text]'
complete -c utfconv -n '__utfconv_is list' -l export -x -a '(__utfconv_encodings)' -d 'Instead of a list, write the mapping file of ENC, which -f and -t accept'
complete -c utfconv -n '__utfconv_is list' -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utfconv -n '__utfconv_is list' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is list' -f -a '(__utfconv_encodings)'
complete -c utfconv -n '__utfconv_is help' -s h -l help -d 'Print help'
complete -c utfconv -n '__utfconv_is help' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is help' -f -a '(__utfconv_words help:command)'
complete -c utfconv -n '__utfconv_is man' -s h -l help -d 'Print help'
complete -c utfconv -n '__utfconv_is man' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is man' -f -a '(__utfconv_words man:page)'
complete -c utfconv -n '__utfconv_is completions' -s h -l help -d 'Print help'
complete -c utfconv -n '__utfconv_is completions' -s V -l version -d 'Print version'
complete -c utfconv -n '__utfconv_is completions' -f -a '(__utfconv_words completions:shell)'

# Completes iconv, too, if iconv is a link to utfconv.
if command -sq iconv; and command -sq utfconv
    and test (realpath (command -s iconv)) = (realpath (command -s utfconv))
    complete -c iconv -s f -l from-code -x -a '(__utfconv_encodings)' -d ''
    complete -c iconv -s t -l to-code -x -a '(__utfconv_encodings; __utfconv_suffixes)' -d ''
    complete -c iconv -s l -l list -d ''
    complete -c iconv -s c -d ''
    complete -c iconv -s o -l output -r -F -d ''
    complete -c iconv -s s -l silent -d ''
    complete -c iconv -l verbose -d ''
    complete -c iconv -l byte-subst -x -d ''
    complete -c iconv -l unicode-subst -x -d ''
    complete -c iconv -l widechar-subst -x -d ''
    complete -c iconv -l buffer-size -x -d ''
    complete -c iconv -l help -d ''
    complete -c iconv -l usage -d ''
    complete -c iconv -s V -l version -d ''
end
