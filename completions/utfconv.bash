# Completions of utfconv for bash, printed by `utfconv completions bash`.

# One line per encoding: its name and its aliases.
_utfconv_encodings='
UTF-8 csUTF8 CP65001 u8 ibm-1208 ibm-1209 ibm-5304 ibm-5305 ibm-13496 ibm-13497 ibm-17592 ibm-17593 windows-65001 cp1208 x-UTF_8J unicode-1-1-utf-8 unicode-2-0-utf-8 65001 utf8mb4 x-unicode20utf8 ISO-IR-193 OSF05010001 1208 ISO-10646/UTF8 ISO-10646/UTF-8 utf utf8_ucs2 utf8_ucs4 utf8mb3 utf-8-strict AL32UTF8 mule-utf-8
UTF-16 csUTF16 u16 ibm-1204 ibm-1205
UTF-16LE cp1200 csUTF16LE unicodelittleunmarked ibm-1202 ibm-1203 ibm-13490 ibm-13491 ibm-17586 ibm-17587 ibm-21682 ibm-21683 ibm-25778 ibm-25779 ibm-29874 ibm-29875 windows-1200 x-utf-16le UTF16_LittleEndian 1200 AL16UTF16LE
UTF-16BE cp1201 csUTF16BE unicodebigunmarked ibm-1200 ibm-1201 ibm-13488 ibm-13489 ibm-17584 ibm-17585 ibm-21680 ibm-21681 ibm-25776 ibm-25777 ibm-29872 ibm-29873 ibm-61955 ibm-61956 windows-1201 x-utf-16be UTF16_BigEndian 1201 unicodefffe AL16UTF16
UTF-32 csUTF32 u32 ibm-1236 ibm-1237
UTF-32LE cp12000 csUTF32LE ibm-1234 ibm-1235 UTF32_LittleEndian 12000 X-UTF-32LE
UTF-32BE cp12001 csUTF32BE ibm-1232 ibm-1233 ibm-9424 UTF32_BigEndian 12001 X-UTF-32BE
UTF16_PlatformEndian
UTF16_OppositeEndian
UTF32_PlatformEndian
UTF32_OppositeEndian
UCS-2 ISO-10646-UCS-2 csUnicode OSF00010100 OSF00010101 OSF00010102 UCS-2-INTERNAL ISO-10646/UCS2
UCS-2LE UNICODELITTLE
UCS-2BE UNICODE-1-1 csUnicode11 UNICODEBIG
UCS-2-SWAPPED
UNICODE
UCS-4 ISO-10646-UCS-4 csUCS4 10646-1:1993 OSF00010104 OSF00010105 OSF00010106 UCS-4BE ISO-10646/UCS4 10646-1:1993/UCS4 ISO-10646
UCS-4LE
UCS-4-INTERNAL WCHAR_T INTERNAL
UCS-4-SWAPPED
CESU-8 csCESU8 ibm-9400
MUTF-8 Modified-UTF-8 java-utf8
WTF-8
UTF-8-2279
UTF-1 ISO-10646-UTF-1 csISO10646UTF1
UTF-7 UNICODE-1-1-UTF-7 csUnicode11UTF7 csUTF7 CP65000 u7 windows-65000 unicode-2-0-utf-7 65000
UTF-7-IMAP IMAP-mailbox-name csUTF7IMAP IMAP-UTF-7
ISO-8859-1 ISO_8859-1:1987 iso-ir-100 latin1 l1 IBM819 CP819 csISOLatin1 8859_1 OSF00010001 CP28591 819 28591 latin 8859 iso8859 iso-latin-1 WE8ISO8859P1
US-ASCII iso-ir-6 ANSI_X3.4-1968 ANSI_X3.4-1986 ISO_646.irv:1991 ISO646-US us IBM367 cp367 csASCII ASCII 646 windows-20127 ascii7 20127 ANSI_X3.4 OSF00010020 367 cp20127 US7ASCII
Shift_JIS SJIS MS_Kanji csShiftJIS x-sjis PCK japanese-shift-jis JA16SJIS x-PCK
windows-31j CP932 932 MS932 windows-932 csWindows31J SJIS-OPEN SJIS-WIN sjis-ms x-ms-cp932 WIN932 JA16SJISTILDE japanese-cp932
EUC-JP Extended_UNIX_Code_Packed_Format_for_Japanese csEUCPkdFmtJapanese UJIS x-euc-jp eucjis OSF00030010 IBM-EUCJP SDECKANJI 20932 cp20932 windows-20932 japanese-iso-8bit JA16EUC
EUC-JP-MS EUCJP-OPEN EUCJP-WIN x-eucJP-Open EUC_JP_Solaris
CP51932 csCP51932 51932 windows-51932
EUC-JISX0213 EUC-JIS-2004 jisx0213 eucjis2004
Shift_JISX0213 SHIFT_JIS-2004 s_jis_2004 s_jisx0213 sjisx0213 sjis_2004
IBM932 CSIBM932 ibm-942 x-IBM942 x-IBM942C shift_jis78 sjis78
IBM943 CSIBM943 CP943 943 x-IBM943
ibm-33722 cp33722 33722 x-IBM33722 x-IBM33722A x-IBM33722C ibm-5050
ibm-954 x-IBM954 x-IBM954C
DEC-KANJI
ISO-2022-JP csISO2022JP
ISO-2022-JP-1 ibm-5054
ISO-2022-JP-EXT iso2022_jp_ext JIS_Encoding csJISEncoding JIS
ISO-2022-JP-2 csISO2022JP2 JIS7
JIS8
ISO-2022-JP-3
ISO-2022-JP-2004
CP50220 csCP50220 50220 windows-50220 x-windows-50220 x-windows-iso2022jp
CP50221 ISO-2022-JP-ESC 50221 windows-50221 x-windows-50221
ISO-2022-JP-MS
CP50222 50222 windows-50222
JIS_X0208 JIS_C6226-1983 iso-ir-87 x0208 JIS_X0208-1983 csISO87JISX0208 JIS_X0208-1990 JIS0208
JIS_X0212-1990 x0212 iso-ir-159 csISO159JISX02121990 JIS_X0212 JIS_X0212.1990-0 JIS0212
ISO-IR-165 CN-GB-ISOIR165
ISO-2022-KR csISO2022KR CP50225 50225
ibm-25546
ISO-2022-CN csISO2022CN x-ISO-2022-CN-GB
ISO-2022-CN-CNS x-ISO-2022-CN-CNS
ISO-2022-CN-EXT csISO2022CNEXT
HZ-GB-2312 HZ CP52936 hz_gb 52936 windows-52936
EUC-KR csEUCKR CP51949 51949 windows-51949 ks_x_1001 x-euc-kr 5601 IBM-EUCKR DECKOREAN OSF0004000a x-cp20949 20949 cp20949 KO16KSC5601 korean-iso-8bit
CP949 UHC 949 MS949 windows-949 MSCP949 KS_C_5601-1987 KS_C_5601-1989 KSC_5601 csKSC56011987 iso-ir-149 korean OSF100203B5 WIN949 x-windows-949 KO16MSWIN949 korean-cp949
ibm-949 x-IBM949
IBM-949C cp949c x-IBM949C
ibm-970 cp970 970 x-IBM970
ibm-971 x-IBM971 ibm-971_P100-1995
ibm-1363 x-IBM1363
IBM-1363C cp1363 x-IBM1363C
JOHAB MSCP1361 CP1361 KO_KR.JOHAP92 ms1361 1361 windows-1361 x-Johab ksc5601_1992
Big5 csBig5 BIG-5 BIG-FIVE CN-BIG5 big5-tw big5-eten x-big5 ZHT16BIG5 chinese-big5
CP950 950 MS950 windows-950 x-windows-950 WIN950 ZHT16MSWIN950
Big5-HKSCS csBig5HKSCS BIG5-HKSCS:2008 hkscs big5hk hkbig5 HKSCS-BIG5 MS950_HKSCS x-MS950-HKSCS ZHT16HKSCS
BIG5-HKSCS:2004
BIG5-HKSCS:2001
BIG5-HKSCS:1999
BIG5-2003
ibm-950 x-IBM950
ibm-1373
ibm-1375
ibm-5471 big5-hkscs:unicode3.0
EUC-TW OSF0005000a csEUCTW CP51950 IBM-EUCTW CNS11643 ibm-964 cp964 964 x-IBM964 x-EUC-TW 51950 windows-51950
GB2312 EUC-CN GB_2312-80 csGB2312 csISO58GB231280 CN-GB iso-ir-58 chinese CP51936 51936 CP20936 20936 x-euc-cn IBM-EUCCN HP15CN DECHANZI eucgb2312_cn gb2312_1980 x-cp20936 windows-20936 chinese-iso-8bit ZHS16CGB231280
ibm-1383 cp1383 1383
ibm-5478
ibm-1386 cp1386
GBK csGBK x-gbk GB13000 ZHS16GBK chinese-gbk
CP936 936 MS936 windows-936 x-cp936 WIN936 x-mswin-936
GB18030 csGB18030 CP54936 54936 windows-54936 gb18030_2000 GB18030:2022 ZHS32GB18030 chinese-gb18030
SCSU csSCSU ibm-1213 ibm-1212
BOCU-1 csBOCU1 csBOCU-1 ibm-1215 ibm-1214
UTF-8-MAC UTF-8-HFS
TSCII csTSCII
ISCII-DEV ISCII ISCII,version=0 x-ISCII91 x-iscii-de windows-57002 ibm-4902 57002
ISCII-BNG ISCII,version=1 x-iscii-be windows-57003 windows-57006 x-iscii-as 57003 57006
ISCII-GUR ISCII,version=2 x-iscii-pa windows-57011 57011
ISCII-GUJ ISCII,version=3 x-iscii-gu windows-57010 57010
ISCII-ORI ISCII,version=4 x-iscii-or windows-57007 57007
ISCII-TML ISCII,version=5 x-iscii-ta windows-57004 57004
ISCII-TLG ISCII,version=6 x-iscii-te windows-57005 57005
ISCII-KND ISCII,version=7 x-iscii-ka windows-57008 57008
ISCII-MLM ISCII,version=8 x-iscii-ma windows-57009 57009
GSM-03.38 GSM0338 gsm-03.38-2009 GSM7 gsm-7bit
T.61-8bit T.61 iso-ir-103 csISO103T618bit
ISO_6937 ISO-IR-156 ISO_6937:1992 ISO6937
ISO_6937-2 iso-ir-90 csISO90 ISO_6937-2:1983
ANSI_X3.110-1983 iso-ir-99 CSA_T500-1983 NAPLPS csISO99NAPLPS ANSI_X3.110 CSA_T500
ISO-8859-2 ISO_8859-2:1987 iso-ir-101 latin2 l2 csISOLatin2 8859_2 OSF00010002 IBM912 CP912 CP28592 windows-28592 912 28592 iso-latin-2 EE8ISO8859P2
ISO-8859-3 ISO_8859-3:1988 iso-ir-109 latin3 l3 csISOLatin3 8859_3 OSF00010003 CP28593 ibm-913 windows-28593 cp913 913 28593 iso-latin-3 SE8ISO8859P3
ISO-8859-4 ISO_8859-4:1988 iso-ir-110 latin4 l4 csISOLatin4 8859_4 OSF00010004 CP28594 ibm-914 windows-28594 cp914 914 28594 iso-latin-4 NEE8ISO8859P4
ISO-8859-5 ISO_8859-5:1988 iso-ir-144 cyrillic csISOLatinCyrillic 8859_5 OSF00010005 IBM915 CP915 CP28595 windows-28595 915 28595 cyrillic-iso-8bit CL8ISO8859P5
ISO-8859-6 ISO-8859-6-E ISO-8859-6-I ISO_8859-6:1987 iso-ir-127 ECMA-114 ASMO-708 arabic csISOLatinArabic csISO88596E csISO88596I 8859_6 OSF00010006 IBM1089 CP1089 CP28596 windows-28596 1089 x-ISO-8859-6S 28596 708 arabic-iso-8bit AR8ISO8859P6
ISO-8859-7 ISO_8859-7:1987 iso-ir-126 ELOT_928 ECMA-118 greek greek8 csISOLatinGreek ISO_8859-7:2003 8859_7 OSF00010007 IBM813 CP813 CP28597 ibm-9005 windows-28597 sun_eu_greek 813 28597 9005 cp9005 greek-iso-8bit EL8ISO8859P7
ISO-8859-8 ISO-8859-8-E ISO-8859-8-I ISO_8859-8:1988 iso-ir-138 hebrew csISOLatinHebrew csISO88598E csISO88598I 8859_8 OSF00010008 IBM916 CP916 CP28598 CP38598 ibm-5012 windows-28598 hebrew8 916 28598 38598 logical visual 5012 cp5012 hebrew-iso-8bit IW8ISO8859P8
ISO-8859-9 ISO_8859-9:1989 iso-ir-148 latin5 l5 csISOLatin5 8859_9 OSF00010009 IBM920 CP920 TS-5881 ECMA-128 CP28599 windows-28599 920 turkish 28599 iso-latin-5 turkish-iso-8bit WE8ISO8859P9
ISO-8859-9E AZ8ISO8859P9E
ISO-8859-10 iso-ir-157 l6 ISO_8859-10:1992 csISOLatin6 latin6 OSF0001000A 28600 cp28600 iso-latin-6 NE8ISO8859P10
ISO-8859-11 iso_8859_11_2001 thai x-iso-8859-11
ISO-8859-13 csISO885913 ISO-IR-179 LATIN7 L7 BALTIC CP28603 windows-28603 8859_13 28603 iso-latin-7 BLT8ISO8859P13
ISO-8859-14 iso-ir-199 ISO_8859-14:1998 latin8 iso-celtic l8 csISO885914 28604 cp28604 iso-latin-8 CEL8ISO8859P14
ISO-8859-15 Latin-9 csISO885915 ISO-IR-203 ISO_8859-15:1998 CP28605 l9 ibm-923 windows-28605 8859_15 latin0 csisolatin0 csisolatin9 iso8859_15_fdis cp923 923 28605 iso-latin-9 WE8ISO8859P15
ISO-8859-16 iso-ir-226 ISO_8859-16:2001 latin10 l10 csISO885916 28606 cp28606 iso-latin-10
windows-874 IBM874 cswindows874 874 CP874 MS874 x-windows-874 dos-874 WIN874
windows-1250 cswindows1250 CP1250 MS-EE 1250 ibm-5346 ibm-1250 x-cp1250 5346 cp5346 WIN1250 EE8MSWIN1250
windows-1251 cswindows1251 CP1251 MS-CYRL ANSI-1251 1251 ibm-1251 x-cp1251 win1251 CL8MSWIN1251
windows-1252 cswindows1252 CP1252 MS-ANSI IBM-1252 1252 ibm-5348 x-cp1252 5348 cp5348 WIN1252 WE8MSWIN1252
windows-1253 cswindows1253 CP1253 MS-GREEK 1253 ibm-5349 ibm-1253 x-cp1253 5349 cp5349 WIN1253 EL8MSWIN1253
windows-1254 cswindows1254 CP1254 MS-TURK 1254 ibm-5350 ibm-1254 x-cp1254 5350 cp5350 WIN1254 TR8MSWIN1254
windows-1255 cswindows1255 CP1255 MS-HEBR 1255 ibm-9447 ibm-5351 x-cp1255 9447 cp9447 5351 cp5351 WIN1255 IW8MSWIN1255
windows-1256 cswindows1256 CP1256 MS-ARAB 1256 x-windows-1256S ibm-5352 x-cp1256 5352 cp5352 WIN1256 AR8MSWIN1256
windows-1257 cswindows1257 CP1257 WINBALTRIM 1257 ibm-9449 ibm-5353 x-cp1257 9449 cp9449 5353 cp5353 WIN1257 BLT8MSWIN1257
windows-1258 cswindows1258 CP1258 1258 ibm-5354 ibm-1258 x-cp1258 ms-viet 5354 cp5354 WIN1258 VN8MSWIN1258
KOI8-R csKOI8R CP20866 ibm-878 windows-20866 cp878 20866 koi 878 cyrillic-koi8 CL8KOI8R
KOI8-U CP21866 csKOI8U ibm-1168 windows-21866 21866 1168 cp1168 CL8KOI8U
KOI8-RU
KOI8-T
KOI-8
macintosh MacRoman mac csMacintosh CP10000 windows-10000 x-macroman 10000 WE8MACROMAN8
MAC-CENTRALEUROPE mac_latin2 CP1282 CP10029 mac_centeuro x-mac-centraleurroman windows-10029 x-mac-ce x-MacCentralEurope macce 10029 1282 MacCentralEurRoman EE8MACCE
MAC-IS
MacIceland CP10079 10079 x-MacIceland x-mac-icelandic IS8MACICELANDIC
MAC-UK MacUkraine x-MacUkraine MACUKRAINIAN MAC-CYRILLIC CP10017 10017 x-mac-ukrainian
CP10007 windows-10007 MS-MAC-CYRILLIC x-mac-cyrillic maccy 10007 CL8MACCYRILLIC
MAC-SAMI
MacArabic CP10004 10004 x-MacArabic AR8ARABICMAC
MacCroatian CP10082 10082 x-MacCroatian EE8MACCROATIAN
MacFarsi
MacGreek x-mac-greek CP10006 windows-10006 macgr 10006 EL8MACGREEK
MacHebrew CP10005 10005 x-MacHebrew IW8MACHEBREW
MacRomania mac_romanian CP10010 10010 x-MacRomania x-mac-romanian MacRumanian
MacThai CP10021 10021 x-MacThai TH8MACTHAI
MacTurkish x-mac-turkish CP10081 windows-10081 mactr 10081 TR8MACTURKISH
Adobe-Standard-Encoding csAdobeStandardEncoding ibm-1276 1276 cp1276
ARMSCII-8
ATARIST ATARI
BRF csBRF
CP770 770
CP771 771
CP772 772
CP773 773
CP774 774
CSN_369103 iso-ir-139 csISO139CSN369103
CWI CWI-2 CP-HU
DEC-MCS dec csDECMCS dec8 WE8DEC
ECMA-cyrillic iso-ir-111 KOI8-E csISO111ECMACyrillic
GEORGIAN-ACADEMY
GEORGIAN-PS
GOST_19768-74 ST_SEV_358-88 iso-ir-153 csISO153GOST1976874 GOST_19768
HP-GREEK8 OSF10010004
hp-roman8 roman8 r8 csHPRoman8 OSF10010001 cp1051 ibm1051 x-roman8 1051 hp8 WE8ROMAN8
HP-ROMAN9 ROMAN9 R9
HP-THAI8 THAI8
HP-TURKISH8 TURKISH8 OSF10010006
IEC_P27-1 iso-ir-143 csISO143IECP271
ISIRI-3342
ISO-IR-197
ISO-IR-209
ISO_10367-box iso-ir-155 csISO10367Box
ISO-11548-1 ISO_TR_11548-1 csISO115481 ISO/TR_11548-1
JIS_X0201 X0201 csHalfWidthKatakana JISX0201-1976 JIS0201
KZ-1048 RK1048 STRK1048-2002 csKZ1048
MIK
MULELAO-1
NEXTSTEP WE8NEXTSTEP
palmos
PTCP154 PT154 csPTCP154 CP154 Cyrillic-Asian 154
RISCOS-LATIN1
TCVN5712-1 TCVN TCVN-5712 TCVN5712-1:1993
TDS565 ISO-IR-230
TIS-620 csTIS620 TIS620-0 TIS620.2529-1 TIS620.2533-0 ISO-IR-166 TIS620.2533-1 TACTIS TIS620.2533 tis_620_2529_0 eucTH thai-tis620 TH8TISASCII
VISCII csVISCII VISCII1.1-1 vietnamese-viscii
WIN-SAMI-2 SAMI-WS2 WS2
ASMO_449 ISO_9036 arabic7 iso-ir-89 csISO89ASMO449 709
BS_4730 iso-ir-4 ISO646-GB gb uk csISO4UnitedKingdom
CSA_Z243.4-1985-1 iso-ir-121 ISO646-CA csa7-1 ca csISO121Canadian1
CSA_Z243.4-1985-2 iso-ir-122 ISO646-CA2 csa7-2 csISO122Canadian2
DIN_66003 iso-ir-21 de ISO646-DE csISO21German 20106 cp20106 x-IA5-German D7DEC
DS_2089 ISO646-DK dk csISO646Danish
ES iso-ir-17 ISO646-ES csISO17Spanish E7DEC
ES2 iso-ir-85 ISO646-ES2 csISO85Spanish2
GB_1988-80 iso-ir-57 cn ISO646-CN csISO57GB1988 CSISO58GB1988
greek-ccitt iso-ir-150 csISO150 csISO150GreekCCITT
greek7 iso-ir-88 csISO88Greek7
greek7-old iso-ir-18 csISO18Greek7Old
INIS iso-ir-49 csISO49INIS
INIS-8 iso-ir-50 csISO50INIS8
INIS-cyrillic iso-ir-51 csISO51INISCyrillic
INVARIANT csINVARIANT
ISO_2033-1983 ISO_2033 iso-ir-98 e13b csISO2033
ISO_5427 iso-ir-37 csISO5427Cyrillic KOI-7
ISO_5427:1981 ISO_5427-EXT iso-ir-54 ISO5427Cyrillic1981 csISO54271981 CSISO5427CYRILLIC1981
ISO_5428:1980 ISO_5428 iso-ir-55 csISO5428Greek
ISO_646.basic:1983 ISO_646.BASIC ref csISO646basic1983
ISO_646.irv:1983 ISO_646.IRV iso-ir-2 irv csISO2IntlRefVersion 20105 cp20105 x-IA5
IT iso-ir-15 ISO646-IT csISO15Italian I7DEC
JIS_C6220-1969-ro iso-ir-14 jp ISO646-JP csISO14JISC6220ro
JIS_C6229-1984-b ISO646-JP-OCR-B jp-ocr-b csISO92JISC62991984b
JUS_I.B1.002 iso-ir-141 ISO646-YU js yu csISO141JUSIB1002 YUG7ASCII
KSC5636 ISO646-KR csKSC5636
latin-greek iso-ir-19 csISO19LatinGreek
Latin-greek-1 iso-ir-27 csISO27LatinGreek1
MSZ_7795.3 iso-ir-86 ISO646-HU hu csISO86Hungarian
NATS-DANO csNATSDANO
NATS-SEFI iso-ir-8-1 csNATSSEFI
NC_NC00-10:81 NC_NC00-10 cuba iso-ir-151 ISO646-CU csISO151Cuba
NF_Z_62-010 iso-ir-69 ISO646-FR fr csISO69French
NF_Z_62-010_(1973) iso-ir-25 ISO646-FR1 csISO25French NF_Z_62-010_1973 F7DEC
NS_4551-1 iso-ir-60 ISO646-NO no csISO60DanishNorwegian csISO60Norwegian1 20108 cp20108 x-IA5-Norwegian N7SIEMENS9780X
NS_4551-2 ISO646-NO2 iso-ir-61 no2 csISO61Norwegian2
PT iso-ir-16 ISO646-PT csISO16Portuguese CSISO16PORTUGESE
PT2 iso-ir-84 ISO646-PT2 csISO84Portuguese2
SEN_850200_B iso-ir-10 FI ISO646-FI ISO646-SE se csISO10Swedish SS636127 20107 cp20107 x-IA5-Swedish SF7ASCII
SEN_850200_C iso-ir-11 ISO646-SE2 se2 csISO11SwedishForNames swe7 S7SIEMENS9780X
IBM437 cp437 437 csPC8CodePage437 OSF100201B5 windows-437 US8PC437
IBM720 CP720 windows-720 DOS-720 x-IBM720 720
IBM737 CP737 windows-737 737 x-IBM737 EL8PC737
IBM775 cp775 csPC775Baltic 775 windows-775 BLT8PC775
IBM850 cp850 850 csPC850Multilingual OSF10020352 windows-850 WE8PC850
IBM851 cp851 851 csIBM851 csPC851 EL8PC851
IBM852 cp852 852 csPCp852 OSF10020354 windows-852 EE8PC852
IBM853 CP853 853
IBM855 cp855 855 csIBM855 OSF10020357 windows-855 csPCp855 RU8PC855
IBM856 CP856 856 CSIBM856 x-IBM856
IBM857 cp857 857 csIBM857 OSF10020359 windows-857 TR8PC857
IBM00858 IBM858 CCSID00858 CP00858 PC-Multilingual-850+euro csIBM00858 CP858 858 CSPC858MULTILINGUAL csibm858 windows-858 WE8PC858
IBM860 cp860 860 csIBM860 WE8PC860
IBM861 cp861 861 cp-is csIBM861 CPIBM861 OSF1002035D windows-861 IS8PC861
IBM862 cp862 862 csPC862LatinHebrew OSF1002035E windows-862 DOS-862 csIBM862 IW8PC1507
IBM863 cp863 863 csIBM863 OSF1002035F CDN8PC863
IBM864 cp864 csIBM864 864 OSF10020360
IBM865 cp865 865 csIBM865 N8PC865
IBM866 cp866 866 csIBM866 windows-866 WIN866 RU8PC866
IBM866NAV CP866NAV 866NAV
IBM867 x-IBM867 867 cp867
IBM868 CP868 cp-ar csIBM868 OSF10020364 868
IBM869 cp869 869 cp-gr csIBM869 OSF10020365 windows-869 EL8PC869
IBM891 cp891 csIBM891 OSF1002037B 891
IBM901 CP901 CSIBM901 901
IBM902 CP902 CSIBM902 902
IBM903 cp903 csIBM903 OSF10020387 903
IBM904 cp904 904 csIBBM904 CSIBM904 OSF10020388
IBM921 921 x-IBM921 CP921 CSIBM921
IBM922 CP922 CSIBM922 922 x-IBM922
IBM1004 CP1004 OS2LATIN1 1004
IBM1006 cp1006 1006 x-IBM1006
IBM1008 CP1008 CSIBM1008 1008
IBM1046 CP1046 1046 x-IBM1046
IBM1098 cp1098 1098 x-IBM1098
IBM1124 CP1124 CSIBM1124 1124 x-IBM1124
IBM1125 CP1125 RUSCII IBM848 1125 cp866u 848 cp848
IBM1129 CP1129 CSIBM1129 1129 x-IBM1129
IBM1131 CP1131 1131
IBM1133 CP1133 CSIBM1133 IBM-CP1133 1133
IBM1161 CP1161 CSIBM1161 1161
IBM1162 CP1162 CSIBM11621162 csIBM1162 1162
IBM1163 CP1163 CSIBM1163 1163
IBM1167 CP1167 CSIBM1167 1167
IBM4909 CP4909 CSIBM4909 4909
IBM5347 CP5347 CSIBM5347 5347
IBM9066 x-IBM874 CP9066 CSIBM9066 9066
IBM9448 CP9448 CSIBM9448 9448
Amiga-1251 Ami1251 csAmiga1251
BS_viewdata iso-ir-47 csISO47BSViewdata
CSA_Z243.4-1985-gr iso-ir-123 csISO123CSAZ24341985gr
ISO_6937-2-25 iso-ir-152 csISO6937Add
ISO_6937-2-add iso-ir-142 csISOTextComm
ISO_8859-supp iso-ir-154 latin1-2-5 csISO8859Supp
JIS_C6220-1969-jp JIS_C6220-1969 iso-ir-13 katakana x0201-7 csISO13JISC6220jp
JIS_C6229-1984-a jp-ocr-a csISO91JISC62291984a
JIS_C6229-1984-b-add iso-ir-93 jp-ocr-b-add csISO93JIS62291984badd
JIS_C6229-1984-hand iso-ir-94 jp-ocr-hand csISO94JIS62291984hand
JIS_C6229-1984-hand-add iso-ir-95 jp-ocr-hand-add csISO95JIS62291984handadd
JIS_C6229-1984-kana iso-ir-96 csISO96JISC62291984kana
JUS_I.B1.003-mac macedonian iso-ir-147 csISO147Macedonian
JUS_I.B1.003-serb iso-ir-146 serbian csISO146Serbian
latin-lap SAMI lap iso-ir-158 csISO158Lap
NATS-DANO-ADD csNATSDANOADD
NATS-SEFI-ADD iso-ir-8-2 csNATSSEFIADD
T.101-G2 iso-ir-128 csISO128T101G2
T.61-7bit iso-ir-102 csISO102T617bit
videotex-suppl iso-ir-70 csISO70VideotexSupp1
ibm-1255
ibm-1256
ibm-1257
ibm-813_P100-1995
ibm-916_P100-1995
ibm-1250_P100-1995
ibm-1251_P100-1995
ibm-1252_P100-2000
ibm-1253_P100-1995
ibm-1254_P100-1995
ibm-1258_P100-1997
ibm-5351_P100-1998
ibm-5352_P100-1998
ibm-5353_P100-1998
IBM037 cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl csIBM037 OSF10020025 CP1070 CP282 037 ibm039 ibm-37 cpibm37 cp37 37 1070 282 39 cp39 ibm39 WE8EBCDIC37 cs-ebcdic-cp-us cs-ebcdic-cp-ca cs-ebcdic-cp-wt cs-ebcdic-cp-nl
IBM038 EBCDIC-INT cp038 csIBM038 38 cp38 ibm38
IBM256 EBCDIC-INT1 256 cp256
IBM273 CP273 csIBM273 OSF10020111 273 ebcdic-de 20273 cp20273 x-ebcdic-germany D8EBCDIC273
IBM274 EBCDIC-BE CP274 csIBM274 274
IBM275 EBCDIC-BR cp275 csIBM275 275
IBM277 EBCDIC-CP-DK EBCDIC-CP-NO csIBM277 OSF10020115 cp277 277 ebcdic-dk 20277 cp20277 x-ebcdic-denmarknorway DK8EBCDIC277
IBM278 CP278 ebcdic-cp-fi ebcdic-cp-se csIBM278 OSF10020116 ebcdic-sv 278 20278 cp20278 x-ebcdic-finlandsweden S8EBCDIC278
IBM280 CP280 ebcdic-cp-it csIBM280 OSF10020118 280 20280 cp20280 x-ebcdic-italy I8EBCDIC280
IBM281 EBCDIC-JP-E cp281 csIBM281 281
IBM282
IBM284 CP284 ebcdic-cp-es csIBM284 OSF1002011C CP1079 cpibm284 284 20284 1079 cp20284 x-ebcdic-spain WE8EBCDIC284
IBM285 CP285 ebcdic-cp-gb csIBM285 OSF1002011D cpibm285 ebcdic-gb 285 20285 cp20285 x-ebcdic-uk WE8EBCDIC285
IBM290 cp290 EBCDIC-JP-kana csIBM290 OSF10020122 20290 290 cp20290 x-ebcdic-japanesekatakana
IBM297 cp297 ebcdic-cp-fr csIBM297 OSF10020129 CP1081 cpibm297 297 20297 1081 cp20297 x-ebcdic-france F8EBCDIC297
IBM420 cp420 ebcdic-cp-ar1 csIBM420 OSF100201A4 420 20420 cp20420 x-ebcdic-arabic AR8EBCDIC420S
IBM423 cp423 ebcdic-cp-gr csIBM423 20423 423 cp20423 x-ebcdic-greek EL8EBCDIC423R
IBM424 cp424 ebcdic-cp-he csIBM424 OSF100201A8 424 20424 cp20424 x-ebcdic-hebrew IW8EBCDIC424
IBM425 425 cp425
IBM500 CP500 ebcdic-cp-be ebcdic-cp-ch csIBM500 500 500V1 OSF100201F4 CP1084 1084 WE8EBCDIC500 ebcdic-cp-bh
IBM803 CP803 CSIBM803 803
IBM-Thai IBM838 csIBMThai cp838 838 20838 cp20838 x-ebcdic-thai
IBM870 CP870 ebcdic-cp-roece ebcdic-cp-yu csIBM870 OSF10020366 870 EE8EBCDIC870
IBM871 CP871 ebcdic-cp-is csIBM871 OSF10020367 ebcdic-is 871 20871 cp20871 x-ebcdic-icelandic WE8EBCDIC871
IBM875 CP875 EBCDIC-GREEK OSF1002036B 875 x-IBM875 x-ebcdic-greekmodern EL8EBCDIC875
IBM880 cp880 EBCDIC-Cyrillic csIBM880 OSF10020370 20880 880 cp20880 x-ebcdic-cyrillicrussian
IBM905 CP905 ebcdic-cp-tr csIBM905 20905 905 cp20905 x-ebcdic-turkish
IBM918 CP918 ebcdic-cp-ar2 csIBM918 OSF10020396 918
IBM00924 IBM924 CCSID00924 CP00924 ebcdic-Latin9--euro csIBM00924 20924 924 cp924 cp20924 WE8EBCDIC924
IBM1025 CP1025 CSIBM1025 1025 x-IBM1025 21025 cp21025 x-ebcdic-cyrillicserbianbulgarian CL8EBCDIC1025
IBM1026 CP1026 csIBM1026 1026 OSF10020402 TR8EBCDIC1026
IBM1047 csIBM1047 CP1047 1047 OSF10020417 WE8EBCDIC1047
IBM1097 CP1097 CSIBM1097 1097 x-IBM1097
IBM1112 CP1112 CSIBM1112 1112 x-IBM1112 BLT8EBCDIC1112
IBM1122 CP1122 CSIBM1122 1122 x-IBM1122
IBM1123 CP1123 CSIBM1123 1123 x-IBM1123
IBM1130 CP1130 CSIBM1130 1130
IBM1132 CP1132 CSIBM1132 1132
IBM1137 CP1137 CSIBM1137 1137
IBM01140 IBM1140 CCSID01140 CP01140 ebcdic-us-37+euro csIBM01140 CP1140 CSIBM1140 1140 x-ebcdic-cp-us-euro WE8EBCDIC1140 ebcdic-us-037+euro
IBM01141 IBM1141 CCSID01141 CP01141 ebcdic-de-273+euro csIBM01141 CP1141 CSIBM1141 1141 x-ebcdic-germany-euro D8EBCDIC1141
IBM01142 IBM1142 CCSID01142 CP01142 ebcdic-dk-277+euro ebcdic-no-277+euro csIBM01142 CP1142 CSIBM1142 1142 x-ebcdic-denmarknorway-euro DK8EBCDIC1142
IBM01143 IBM1143 CCSID01143 CP01143 ebcdic-fi-278+euro ebcdic-se-278+euro csIBM01143 CP1143 CSIBM1143 1143 x-ebcdic-finlandsweden-euro S8EBCDIC1143
IBM01144 IBM1144 CCSID01144 CP01144 ebcdic-it-280+euro csIBM01144 CP1144 CSIBM1144 csPC8CodePage1144 1144 x-ebcdic-italy-euro I8EBCDIC1144
IBM01145 IBM1145 CCSID01145 CP01145 ebcdic-es-284+euro csIBM01145 CP1145 CSIBM1145 1145 x-ebcdic-spain-euro WE8EBCDIC1145
IBM01146 IBM1146 CCSID01146 CP01146 ebcdic-gb-285+euro csIBM01146 CP1146 CSIBM1146 csPC8CodePage1146 1146 x-ebcdic-uk-euro WE8EBCDIC1146
IBM01147 IBM1147 CCSID01147 CP01147 ebcdic-fr-297+euro csIBM01147 CP1147 CSIBM1147 1147 x-ebcdic-france-euro F8EBCDIC1147 ebcdic-fr-277+euro
IBM01148 IBM1148 CCSID01148 CP01148 ebcdic-international-500+euro csIBM01148 CP1148 CSIBM1148 1148 x-ebcdic-international-euro WE8EBCDIC1148
IBM01149 IBM1149 CCSID01149 CP01149 ebcdic-is-871+euro csIBM01149 CP1149 CSIBM1149 1149 x-ebcdic-icelandic-euro ebcdic-s-871+euro
IBM1153 CP1153 CSIBM1153 x-IBM1153 1153
IBM1154 CP1154 CSIBM1154 1154
IBM1155 CP1155 CSIBM1155 1155
IBM1156 CP1156 CSIBM1156 1156
IBM1157 CP1157 CSIBM1157 1157
IBM1158 CP1158 CSIBM1158 1158
IBM1160 CP1160 CSIBM1160 1160
IBM1164 CP1164 CSIBM1164 1164
IBM1165 1165 cp1165
IBM1166 CP1166 CSIBM1166 1166 x-IBM1166
IBM4517 CP4517 CSIBM4517 4517
IBM4899 CP4899 CSIBM4899 4899
IBM4971 CP4971 CSIBM4971 4971
IBM5123 5123 cp5123
IBM8482 8482 cp8482
IBM9030 CP9030 CSIBM9030 9030
IBM9067 9067 cp9067
IBM12712 CP12712 CSIBM12712 ebcdic-he 12712
IBM16804 CP16804 CSIBM16804 ebcdic-ar 16804
EBCDIC-AT-DE csIBMEBCDICATDE CSEBCDICATDE
EBCDIC-AT-DE-A csEBCDICATDEA
EBCDIC-CA-FR csEBCDICCAFR
EBCDIC-DK-NO csEBCDICDKNO
EBCDIC-DK-NO-A csEBCDICDKNOA
EBCDIC-ES csEBCDICES
EBCDIC-ES-A csEBCDICESA
EBCDIC-ES-S csEBCDICESS
EBCDIC-FI-SE csEBCDICFISE
EBCDIC-FI-SE-A csEBCDICFISEA
EBCDIC-FR csEBCDICFR
EBCDIC-IS-FRISS
EBCDIC-IT csEBCDICIT
EBCDIC-PT csEBCDICPT
EBCDIC-UK csEBCDICUK
EBCDIC-US csEBCDICUS
OSD_EBCDIC_DF03_IRV csOSDEBCDICDF03IRV
OSD_EBCDIC_DF04_1 csOSDEBCDICDF041
OSD_EBCDIC_DF04_15 csOSDEBCDICDF0415
ibm-37-s390
ibm-1047-s390 IBM1047_LF
ibm-1140-s390
ibm-1141-s390 IBM1141_LF
ibm-1142-s390
ibm-1143-s390
ibm-1144-s390
ibm-1145-s390
ibm-1146-s390
ibm-1147-s390
ibm-1148-s390
ibm-1149-s390
ibm-1153-s390
ibm-12712-s390
ibm-16804-s390
IBM930 CP930 CSIBM930 ibm-5026 930 x-IBM930 x-IBM930A
IBM933 CP933 CSIBM933 933 x-IBM933
IBM935 CP935 CSIBM935 935 x-IBM935
IBM937 CP937 CSIBM937 937 x-IBM937
IBM939 CP939 CSIBM939 ibm-931 ibm-5035 939 x-IBM939 x-IBM939A
IBM1364 CP1364 CSIBM1364 x-IBM1364
IBM1371 CP1371 CSIBM1371 x-IBM1371
IBM1388 CP1388 CSIBM1388 ibm-9580 x-IBM1388
IBM1390 CP1390 CSIBM1390 x-IBM1390
ibm-16684 ibm-16684_P110-2003 ibm-20780
IBM1399 CP1399 CSIBM1399 x-IBM1399
whatwg:IBM866 whatwg:866 whatwg:cp866 whatwg:csibm866
whatwg:ISO-8859-2 whatwg:csisolatin2 whatwg:iso-ir-101 whatwg:iso8859-2 whatwg:iso88592 whatwg:iso_8859-2 whatwg:iso_8859-2:1987 whatwg:l2 whatwg:latin2
whatwg:ISO-8859-3 whatwg:csisolatin3 whatwg:iso-ir-109 whatwg:iso8859-3 whatwg:iso88593 whatwg:iso_8859-3 whatwg:iso_8859-3:1988 whatwg:l3 whatwg:latin3
whatwg:ISO-8859-4 whatwg:csisolatin4 whatwg:iso-ir-110 whatwg:iso8859-4 whatwg:iso88594 whatwg:iso_8859-4 whatwg:iso_8859-4:1988 whatwg:l4 whatwg:latin4
whatwg:ISO-8859-5 whatwg:csisolatincyrillic whatwg:cyrillic whatwg:iso-ir-144 whatwg:iso8859-5 whatwg:iso88595 whatwg:iso_8859-5 whatwg:iso_8859-5:1988
whatwg:ISO-8859-6 whatwg:arabic whatwg:asmo-708 whatwg:csiso88596e whatwg:csiso88596i whatwg:csisolatinarabic whatwg:ecma-114 whatwg:iso-8859-6-e whatwg:iso-8859-6-i whatwg:iso-ir-127 whatwg:iso8859-6 whatwg:iso88596 whatwg:iso_8859-6 whatwg:iso_8859-6:1987
whatwg:ISO-8859-7 whatwg:csisolatingreek whatwg:ecma-118 whatwg:elot_928 whatwg:greek whatwg:greek8 whatwg:iso-ir-126 whatwg:iso8859-7 whatwg:iso88597 whatwg:iso_8859-7 whatwg:iso_8859-7:1987 whatwg:sun_eu_greek
whatwg:ISO-8859-8 whatwg:csiso88598e whatwg:csisolatinhebrew whatwg:hebrew whatwg:iso-8859-8-e whatwg:iso-ir-138 whatwg:iso8859-8 whatwg:iso88598 whatwg:iso_8859-8 whatwg:iso_8859-8:1988 whatwg:visual
whatwg:ISO-8859-8-I whatwg:csiso88598i whatwg:logical
whatwg:ISO-8859-10 whatwg:csisolatin6 whatwg:iso-ir-157 whatwg:iso8859-10 whatwg:iso885910 whatwg:l6 whatwg:latin6
whatwg:ISO-8859-13 whatwg:iso8859-13 whatwg:iso885913
whatwg:ISO-8859-14 whatwg:iso8859-14 whatwg:iso885914
whatwg:ISO-8859-15 whatwg:csisolatin9 whatwg:iso8859-15 whatwg:iso885915 whatwg:iso_8859-15 whatwg:l9
whatwg:ISO-8859-16
whatwg:KOI8-R whatwg:cskoi8r whatwg:koi whatwg:koi8 whatwg:koi8_r
whatwg:KOI8-U whatwg:koi8-ru
whatwg:macintosh whatwg:csmacintosh whatwg:mac whatwg:x-mac-roman
whatwg:windows-874 whatwg:dos-874 whatwg:iso-8859-11 whatwg:iso8859-11 whatwg:iso885911 whatwg:tis-620
whatwg:windows-1250 whatwg:cp1250 whatwg:x-cp1250
whatwg:windows-1251 whatwg:cp1251 whatwg:x-cp1251
whatwg:windows-1252 whatwg:ansi_x3.4-1968 whatwg:ascii whatwg:cp1252 whatwg:cp819 whatwg:csisolatin1 whatwg:ibm819 whatwg:iso-8859-1 whatwg:iso-ir-100 whatwg:iso8859-1 whatwg:iso88591 whatwg:iso_8859-1 whatwg:iso_8859-1:1987 whatwg:l1 whatwg:latin1 whatwg:us-ascii whatwg:x-cp1252
whatwg:windows-1253 whatwg:cp1253 whatwg:x-cp1253
whatwg:windows-1254 whatwg:cp1254 whatwg:csisolatin5 whatwg:iso-8859-9 whatwg:iso-ir-148 whatwg:iso8859-9 whatwg:iso88599 whatwg:iso_8859-9 whatwg:iso_8859-9:1989 whatwg:l5 whatwg:latin5 whatwg:x-cp1254
whatwg:windows-1255 whatwg:cp1255 whatwg:x-cp1255
whatwg:windows-1256 whatwg:cp1256 whatwg:x-cp1256
whatwg:windows-1257 whatwg:cp1257 whatwg:x-cp1257
whatwg:windows-1258 whatwg:cp1258 whatwg:x-cp1258
whatwg:x-mac-cyrillic whatwg:x-mac-ukrainian
whatwg:GBK whatwg:chinese whatwg:csgb2312 whatwg:csiso58gb231280 whatwg:gb2312 whatwg:gb_2312 whatwg:gb_2312-80 whatwg:iso-ir-58 whatwg:x-gbk
whatwg:gb18030
whatwg:Big5 whatwg:big5-hkscs whatwg:cn-big5 whatwg:csbig5 whatwg:x-x-big5
whatwg:EUC-JP whatwg:cseucpkdfmtjapanese whatwg:x-euc-jp
whatwg:ISO-2022-JP whatwg:csiso2022jp
whatwg:Shift_JIS whatwg:csshiftjis whatwg:ms932 whatwg:ms_kanji whatwg:shift-jis whatwg:sjis whatwg:windows-31j whatwg:x-sjis
whatwg:EUC-KR whatwg:cseuckr whatwg:csksc56011987 whatwg:iso-ir-149 whatwg:korean whatwg:ks_c_5601-1987 whatwg:ks_c_5601-1989 whatwg:ksc5601 whatwg:ksc_5601 whatwg:windows-949
whatwg:UTF-16BE whatwg:unicodefffe
whatwg:UTF-16LE whatwg:csunicode whatwg:iso-10646-ucs-2 whatwg:ucs-2 whatwg:unicode whatwg:unicodefeff whatwg:utf-16
whatwg:x-user-defined
UTF-8-SIG
UTF-8-BOM
UTF-8-WITH-SIGNATURE
UTF-16LE-WITH-SIGNATURE
UTF-16BE-WITH-SIGNATURE
X-UTF-16LE-BOM
X-UTF-32LE-BOM
X-UTF-32BE-BOM
UTF-8N
UTF-16LE-SIG
UTF-16LE-BOM
UTF-16BE-SIG
UTF-16BE-BOM
UTF-32LE-SIG
UTF-32LE-BOM
UTF-32BE-SIG
UTF-32BE-BOM
CESU-8-SIG
CESU-8-BOM
'

# Prints a line NAMES|KIND|WORDS per option of the command $1, and a line for its operands, whose name is -.
_utfconv_table() {
    case $1 in
    utfconv)
        echo '
-f --from-code|encodings|auto
-t --to-code|targets|
--min-certainty|words|certain likely guess
--language|any|
--config|files|
--no-config|flag|
--declaration|words|keep update
-l --list|flag|
--input-bom|words|auto keep strip text forbid require sniff
--output-bom|words|auto always never
-c|flag|
--ill-formed|modes|stop replace omit escape fallback= surrogateescape pua c8 raw
--unmappable|words|stop replace omit escape translit surrogateescape pua c8
--errors|words|stop replace omit escape surrogateescape pua c8
--byte-subst|any|
--unicode-subst|any|
--widechar-subst|any|
--per-byte|flag|
--max-errors|any|
--lossy-status|words|0 1
-s --silent|flag|
--stats|flag|
-o --output|files|
-v --verbose|flag|
--mmap|words|auto always never
-j --threads|any|
--force-terminal|flag|
-i --in-place|flag|
--backup|words|refuse numbered
--preserve-time|flag|
--force|flag|
--output-dir|directories|
-r --recursive|flag|
--files-from|files|
--files0-from|files|
--hidden|flag|
--no-ignore|flag|
--include|any|
--exclude|any|
--tracked|flag|
--dry-run|flag|
--diff|flag|
--color|words|auto always never
--verify|flag|
--manifest|files|
--undo|files|
--failed|files|
--failed0|files|
--stop-on-error|flag|
--binary|words|skip convert copy
--links|words|skip copy
--reconvert|flag|
--sync|words|file batch none
--normalize|words|nfc nfd nfkc nfkd
--newline|words|keep lf crlf cr
--final-newline|flag|
--ebcdic-newline|words|nel lf
--records|any|
--keep-blanks|flag|
--output-records|any|
--range|any|
--range-first-line|any|
--list-ranges|any|
-0 --null|flag|
--format|words|text json
--count-output|flag|
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    check)
        echo '
-f --from-code|encodings|
--ebcdic-newline|words|nel lf
--rule|list|all ill-formed wrong-encoding bom=require bom=forbid nul replacement-character noncharacter control bidi invisible hidden-text mixed-scripts inner-bom mixed-newlines mixed-newlines=lf mixed-newlines=crlf mixed-newlines=cr final-newline final-newline=require final-newline=forbid trailing-whitespace blank-lines-at-end not-nfc double-encoded declaration lost-characters mixed-encodings changed-encoding changed-bom changed-newlines security assignables
--allow|list|all ill-formed wrong-encoding bom nul replacement-character noncharacter control bidi invisible hidden-text mixed-scripts inner-bom mixed-newlines final-newline trailing-whitespace blank-lines-at-end not-nfc double-encoded declaration lost-characters mixed-encodings changed-encoding changed-bom changed-newlines security assignables
--fix|flag|
--diff|flag|
--dry-run|flag|
--min-certainty|words|certain likely guess
--manifest|files|
--undo|files|
--failed|files|
--failed0|files|
--sync|words|file batch none
--explain|words|ill-formed wrong-encoding bom nul replacement-character noncharacter control bidi invisible hidden-text mixed-scripts inner-bom mixed-newlines final-newline trailing-whitespace blank-lines-at-end not-nfc double-encoded declaration lost-characters mixed-encodings changed-encoding changed-bom changed-newlines security assignables
--config|files|
--no-config|flag|
--show-config|files|
--config-schema|flag|
--hidden|flag|
--no-ignore|flag|
--include|any|
--exclude|any|
--tracked|flag|
--staged|flag|
--since|any|
--all-errors|flag|
--binary|words|skip check error
--files-from|files|
--files0-from|files|
--range|any|
--range-first-line|any|
--stdin-filename|files|
--format|words|text json github gitlab sarif junit
-l --files-with-errors|flag|
-0 --null|flag|
-q --quiet|flag|
-v --verbose|flag|
--max-errors|any|
--max-total|any|
--count|flag|
--stats|flag|
--target|encodings|
--excerpt|words|auto always never
--color|words|auto always never
--baseline|files|
--write-baseline|files|
--exit-zero|flag|
-j --threads|any|
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    detect)
        echo '
--candidates|any|
--language|any|
--allow-7bit|flag|
--hidden|flag|
--no-ignore|flag|
--include|any|
--exclude|any|
--files-from|files|
--files0-from|files|
--format|words|text json
--brief|flag|
-v --verbose|flag|
-j --threads|any|
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    inspect)
        echo '
-f --from-code|encodings|
--input-bom|words|auto text forbid require sniff
--ebcdic-newline|words|nel lf
--range|any|
--around|any|
--errors-only|flag|
-C --context|any|
--format|words|text json
-x --hex|flag|
--color|words|auto always never
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    names)
        echo '
-f --from-code|encodings|auto
-t --to-code|encodings|
--language|any|
--min-certainty|words|certain likely guess
--normalize|words|nfc nfd nfkc nfkd mac
--repair|flag|
--reconvert|flag|
--links|flag|
-i --in-place|flag|
--diff|flag|
--color|words|auto always never
--keep-going|flag|
--manifest|files|
--undo|flag|
--format|words|text json
-v --verbose|flag|
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    repair)
        echo '
-i --in-place|flag|
--backup|words|refuse numbered
--preserve-time|flag|
--force|flag|
--diff|flag|
--color|words|auto always never
--dry-run|flag|
--sync|words|file batch none
--unit|any|
--candidates|any|
--damage|words|lost-bytes question-marks dropped
--from|encodings|
--from-rev|flag|
--history|flag|
-f --from-code|any|
--unmappable|words|stop replace omit escape translit
--manifest|files|
--undo|files|
--failed|files|
--failed0|files|
--hidden|flag|
--no-ignore|flag|
--include|any|
--exclude|any|
--files-from|files|
--files0-from|files|
--format|words|text json
--max-errors|any|
-j --threads|any|
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    edit)
        echo '
-f --from-code|encodings|
--unmappable|words|stop replace omit escape translit
--ignore-status|flag|
--force|flag|
--manifest|files|
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    git-filter)
        echo '
-f --from-code|encodings|
-t --to-code|encodings|
--ebcdic-newline|words|nel lf
--force|flag|
-h --help|flag|
-V --version|flag|
'
        ;;
    textconv)
        echo '
-f --from-code|encodings|
--ebcdic-newline|words|nel lf
-h --help|flag|
-V --version|flag|
-|files|
'
        ;;
    list)
        echo '
--format|words|text json charmap ucm
--export|encodings|
-h --help|flag|
-V --version|flag|
-|encodings|
'
        ;;
    help)
        echo '
-h --help|flag|
-V --version|flag|
-|words|check detect inspect names repair edit git-filter textconv list help man completions iconv
'
        ;;
    man)
        echo '
-h --help|flag|
-V --version|flag|
-|words|check detect inspect names repair edit git-filter textconv list iconv encodings errors text batch ranges config
'
        ;;
    completions)
        echo '
-h --help|flag|
-V --version|flag|
-|words|bash elvish fish powershell zsh
'
        ;;
    iconv)
        echo '
-f --from-code|encodings|
-t --to-code|targets|
-l --list|flag|
-c|flag|
-o --output|files|
-s --silent|flag|
--verbose|flag|
--byte-subst|any|
--unicode-subst|any|
--widechar-subst|any|
--buffer-size|any|
--help|flag|
--usage|flag|
-V --version|flag|
-|files|
'
        ;;
    esac
}

# Sets `kind` and `words` to those of the value of the option $2 of the command $1; - stands for the operands.
_utfconv_find() {
    local names
    while IFS='|' read -r names kind words; do
        [[ " $names " == *" $2 "* ]] && return
    done < <(_utfconv_table "$1" 2>/dev/null)
    kind='' words=''
}

# Offers each of the words $2, $3, ... that begins with $1, without regard to case if nocasematch is set.
_utfconv_offer() {
    local typed=$1 word
    shift
    for word; do
        [[ $word == "$typed"* ]] && COMPREPLY+=("$word")
    done
}

# Offers each encoding by its name, or else by the first alias that begins with $1; after a slash, mapping files.
_utfconv_offer_encodings() {
    local names name path
    if [[ $1 == */* ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "$1")
        return
    fi
    while read -ra names; do
        for name in "${names[@]}"; do
            [[ $name == "$1"* ]] && COMPREPLY+=("$name") && break
        done
    done <<<"$_utfconv_encodings"
}

# Offers the values of the kind $1, with the words $2, that begin with $3. `lead` has the text before the value.
_utfconv_offer_values() {
    local kind=$1 words=$2 value=$3 path i
    case $kind in
    words | encodings)
        _utfconv_offer "$value" $words
        [[ $kind == encodings ]] && _utfconv_offer_encodings "$value"
        ;;
    targets)
        if [[ $value == *//* ]]; then
            lead+=${value%//*}//
            _utfconv_offer "${value##*//}" TRANSLIT IGNORE
        else
            _utfconv_offer_encodings "$value"
        fi
        ;;
    modes)
        if [[ $value == fallback=* ]]; then
            lead+=${value%%=*}=
            _utfconv_offer_encodings "${value#*=}"
        else
            _utfconv_offer "$value" $words
        fi
        ;;
    list)
        lead+=${value%"${value##*,}"}
        _utfconv_offer "${value##*,}" $words
        ;;
    files | directories)
        compopt -o filenames 2>/dev/null
        [[ $kind == files ]] && path=-f || path=-d
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen $path -- "$value")
        ;;
    esac
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=$lead${COMPREPLY[i]}; done
}

_utfconv() {
    local line=${COMP_LINE:0:COMP_POINT} command=utfconv kind words lead='' was_off cut i
    # bash cuts words at = and :, so the words are taken from the line.
    local typed=${line##*[[:space:]]}
    local before=${line%"$typed"}
    local -a given
    read -ra given <<<"$before"
    COMPREPLY=()
    # Only file names need quotes, and bash completes file names itself.
    if [[ ${COMP_WORDS[COMP_CWORD]} == *[\\\'\"]* ]]; then
        compopt -o bashdefault -o default 2>/dev/null
        return
    fi
    if [[ ${given[0]##*/} == iconv ]]; then
        command=iconv
    elif ((${#given[@]} > 1)); then
        case ${given[1]} in check | detect | inspect | names | repair | edit | git-filter | textconv | list | help | man | completions) command=${given[1]} ;; esac
    fi
    shopt -q nocasematch || was_off=1
    shopt -s nocasematch
    _utfconv_complete
    [[ -n $was_off ]] && shopt -u nocasematch
    # bash replaces only the part after the last = or :, so the part before is cut off.
    local breaks=${COMP_WORDBREAKS//[^=:]/}
    [[ -n $breaks ]] && cut=${typed%"${typed##*[$breaks]}"}
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]:${#cut}}; done
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}

_utfconv_complete() {
    local previous=${given[${#given[@]}-1]} options
    shopt -u nocasematch
    if [[ " ${given[*]} " != *' -- '* ]]; then
        if [[ $typed == --*=* ]]; then
            _utfconv_find "$command" "${typed%%=*}"
            lead=${typed%%=*}=
            shopt -s nocasematch
            _utfconv_offer_values "$kind" "$words" "${typed#*=}"
            return
        fi
        case $previous in
        --*=*) ;;
        --*) _utfconv_find "$command" "$previous" ;;
        # Only the last letter of a cluster can take the next word as its value.
        -?*) _utfconv_find "$command" "-${previous: -1}" ;;
        esac
        if [[ -n $kind && $kind != flag ]]; then
            shopt -s nocasematch
            _utfconv_offer_values "$kind" "$words" "$typed"
            return
        fi
        if [[ $typed == -* ]]; then
            while IFS='|' read -r options kind words; do
                [[ $options != - ]] && _utfconv_offer "$typed" $options
            done < <(_utfconv_table "$command")
            return
        fi
    fi
    [[ $command != iconv ]] && ((${#given[@]} == 1)) && _utfconv_offer "$typed" check detect inspect names repair edit git-filter textconv list help man completions
    _utfconv_find "$command" -
    shopt -s nocasematch
    _utfconv_offer_values "$kind" "$words" "$typed"
}

complete -F _utfconv utfconv
# Completes iconv, too, if iconv is a link to utfconv.
[[ $(type -P iconv) -ef $(type -P utfconv) ]] && complete -F _utfconv iconv
true
