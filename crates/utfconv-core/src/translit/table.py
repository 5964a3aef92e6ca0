"""Makes table.rs: `python3 table.py > table.rs`. If an entry changes, also raise VERSION in translit.rs.

Most entries follow from the Unicode Character Database: decompositions, decimal digits, and names ("D WITH STROKE" is a
D). The other entries are listed below. Near equivalents are kept only if an older encoding has them and lacks the
original.
"""

import functools
import itertools
import pkgutil
import encodings
import re
import sys
import unicodedata as ucd

if ucd.unidata_version != "14.0.0":
    sys.exit(f"the table is that of Unicode 14.0 (Python 3.11), not {ucd.unidata_version}")


def pairs(text):
    words = text.split()
    assert len(words) % 2 == 0, words
    return dict(zip(words[::2], words[1::2]))


def cased(small, case=str.capitalize):
    """Adds the capitals of small letters."""
    capitals = {c: c.upper() for c in small if len(c.upper()) == 1 and c.upper() not in small}
    return small | {capitals[c]: re.sub("[a-z]+", lambda run: case(run[0]), small[c], count=1) for c in capitals}


# Letters whose Unicode names do not contain their ASCII spelling.
LATIN = cased(pairs("""
    æ ae ð d ø o þ th đ d ħ h ı i ĸ q ŋ n œ oe ß ss ǝ e ə e ɛ e ƿ w ȝ y ƕ hv ƣ oi ƨ 2 ƽ 5 ƅ 6 ȣ ou ʊ u ʌ v ɣ g
    ɩ i ʃ sh ʒ zh ƹ zh ƛ l ƍ z ƪ sh ɂ ' ɑ a ɒ o ɤ o ɘ e ɜ e ɞ e ɔ o ɵ o ɷ o ɸ f ɬ l ɮ lz ɥ h ɯ m ɹ r ʁ r ʍ w ʎ y
    ʞ k ʇ t ɿ r ʅ sh ʆ sh ʓ zh ʔ ' ʕ ' ʡ ' ʢ ' ʖ ' ʗ c ʘ o ʚ e ʤ dz ʧ ch ʨ tc ʩ fn ʬ ww ʭ | ʦ ts ʣ dz ʥ dz ʪ ls
    ʫ lz ɕ c ʑ z ɡ g ꝏ oo ꜳ aa ꜵ ao ꜷ au ꜹ av ꜻ av ꜽ ay ꝡ vy ꝺ d ꝼ f ꝿ g ꞃ r ꞅ s ꞇ t ꝁ k ꜣ ' ꜥ ' ꜧ h ꜩ tz ꜫ 3
    ꜭ 4 ꜯ 4 ꝫ et ꝭ is ꝯ us ꝛ r ꝝ rum ꝩ v ꝣ z ꝧ th ꝥ th ꞁ l ꞌ ' ꞓ c ꞗ f ꞙ ae ꞛ oe ꞝ ue ꟁ o ꞵ b ꞷ o ꭓ x ꭐ ui ꭑ ui
    ꬲ e ꭠ y ꭡ a ꭢ oe ꭣ uo ꭦ dz ꭧ ts ꬾ o ꭁ oe ꭂ oe ꬿ o ꭀ oe ꬴ e ỻ ll ᵫ ue ᵺ th ẟ d ꟊ s ꟈ d ꟙ s ꟗ s ŀ l
"""), str.upper) | pairs("""
    ẞ SS ẚ a ǀ | ǁ || ǂ |= ǃ ! Ʀ R ƺ zh ƻ 2 ƾ ts ᴎ N ᴙ R ᴦ G ᴧ L ᴨ P ᴩ R ᴪ PS ᴫ L ᴣ ZH ᴝ u ᴞ u ᴟ m ᴂ ae ᴔ oe ᴈ e
    ᴉ i ᴑ o ᴒ o ᴓ o ᴖ o ᴗ o ᴤ ' ᴥ ' ᴕ OU ᴐ O ᴚ R ɶ OE ᴁ AE ʮ h ʯ h ȸ db ȹ qp ꟺ M ꟻ F ꟼ P ꟽ M ꟾ I ꟿ M ꞏ . ꞎ l ꭥ O
    ꝱ d ꝲ l ꝳ m ꝴ n ꝵ rum ꝶ R ꝷ tum ꝸ um Ꝺ D ꟷ i ꬺ m ꞉ : ꞊ = Ꞌ ' ꞈ = Ᵹ G ᵹ g ꭈ r ʛ G ẜ s ẝ s ʼ ' ʻ ' ʽ ' ʾ ' ʿ '
    ˂ < ˃ > ˄ ^ ˅ v ˆ ^ ˇ v ˈ ' ˉ - ˊ ' ˋ ` ˌ , ˍ _ ˎ , ˏ ' ː : ˑ . ˒ ' ˓ ' ˔ ^ ˕ v ˖ + ˗ - ˙ . ˚ o ˛ , ˜ ~ ˝ ''
    ˞ r ˟ x ˬ v ˭ = ˮ '' ʹ ' ʺ " ˹ [ ˺ ] ˻ [ ˼ ] ˽ _ ˿ <- ˀ ' ˁ ' ᵿ u ᵷ g ᵼ i ⱷ f ⱹ r ⱻ E ⱶ h Ⱶ H Ꜧ H ꬰ a ꭄ o
    ꭇ r ꭎ u ꭏ u ꭒ u ꭔ x ꭕ x ꭖ x
""")

# GOST 7.79-2000, system B, and glibc's C locale for letters that the standard lacks; capitals in title case.
CYRILLIC = cased(pairs("""
    а a б b в v г g д d е e ж zh з z и i й j к k л l м m н n о o п p р r с s т t у u ф f х x ц cz ч ch ш sh
    щ shh ъ `` ы y` э e` ю yu я ya ё yo ђ dj ѓ g` є ye ѕ z` і i ї yi ј j љ l` њ n` ћ tsh ќ k` ў u` џ dh ѐ e`
    ѝ i` ѣ ye ѫ o` ѳ fh ѵ yh ѡ o ѥ ye ѧ ya ѩ ya ѭ yo ѯ ks ѱ ps ѷ yh ѹ u ѻ o ѽ o ѿ ot ҁ q ҋ j` ҍ e` ҏ r` ґ g`
    ғ gh ҕ gh җ zh` ҙ z` қ k` ҝ k` ҟ k` ҡ k` ң n` ҥ ng ҧ p` ҩ o` ҫ c` ҭ t` ү u ұ u` ҳ h` ҵ tcz ҷ ch` ҹ ch` һ sh`
    ҽ ch` ҿ ch` ӂ zh` ӄ k` ӆ l` ӈ n` ӊ n` ӌ ch` ӎ m` ӏ i ӑ a` ӓ a` ӕ ae ӗ e` ә a` ӛ a` ӝ zh` ӟ z` ӡ z` ӣ i` ӥ i`
    ӧ o` ө o` ӫ o` ӭ e` ӯ u` ӱ u` ӳ u` ӵ ch` ӷ g` ӹ y` ӻ gh ӽ h` ӿ h` ԛ q ԝ w
""")) | {"Ь": "`", "ь": "`"}

# ELOT 743 (ISO 843), applied letter by letter.
GREEK = cased(pairs("""
    α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r ς s σ s τ t υ y φ f χ ch ψ ps ω o ͱ h
    ͳ ss ͷ w ϙ q ϛ st ϝ w ϟ q ϡ ss ϣ sh ϥ f ϧ kh ϩ h ϫ dj ϭ gj ϯ ti ϸ sh ϻ s ϳ j ͻ s ͼ s ͽ s
""")) | pairs("""
    ͵ , ͺ i ΄ ' ϗ & Ϗ & ϼ r ϶ e ᾽ ' ᾿ ' ῀ ~ ῁ ~ ῍ ' ῎ ' ῏ ~ ῝ ' ῞ ' ῟ ~ ῭ ` ΅ ' ῾ '
""") | {"\u0374": "'", "\u0387": ";"}
GREEK["μ"] = "u"  # as in glibc, so that "5 μg" does not become "5 mg"

# The national system of Georgia (2002), BGN/PCGN for Armenian, and the consonants of Hebrew.
OTHER_SCRIPTS = pairs("""
    ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k' ლ l მ m ნ n ო o პ p' ჟ zh რ r ს s ტ t' უ u ფ p ქ k ღ gh ყ q' შ sh
    ჩ ch ც ts ძ dz წ ts' ჭ ch' ხ kh ჯ j ჰ h א ' ב b ג g ד d ה h ו v ז z ח h ט t י y ך k כ k ל l ם m מ m ן n נ n
    ס s ע ' ף p פ p ץ ts צ ts ק q ר r ש sh ת t װ vv ױ vy ײ yy ׳ ' ״ " ־ - ׀ | ׃ : ՚ ' ՛ ' ՜ ! ՝ ` ՞ ? ՟ . ։ :
    ֊ - ، , ؛ ; ؟ ? ٪ % ٫ . ٬ , ٭ * ۔ .
""") | cased(pairs("""
    ա a բ b գ g դ d ե e զ z է e ը y թ t' ժ zh ի i լ l խ kh ծ ts կ k հ h ձ dz ղ gh ճ ch մ m յ y ն n շ sh ո o
    չ ch' պ p ջ j ռ rr ս s վ v տ t ր r ց ts' ւ w փ p' ք k' օ o ֆ f
""")) | {"և": "ev"}

SYMBOLS = pairs("""
    ¡ ! ¢ c £ GBP ¥ JPY ¦ | § S ¨ " © (C) ª a « << ¬ ! ® (R) ¯ - ° deg ± +- ´ ' ¶ P · . ¸ , º o » >> ¿ ? × x ÷ /
    ‐ - ‑ - ‒ - – - — -- ― - ‖ || ‗ _ ‘ ' ’ ' ‚ , ‛ ' “ " ” " „ ,, ‟ " † + ‡ ++ • o ‣ > ․ . ‥ .. … ... ‧ .
    ‰ o/oo ‱ o/ooo ′ ' ″ '' ‴ ''' ⁗ '''' ‵ ` ‶ `` ‷ ``` ‸ ^ ‹ < › > ※ * ‼ !! ‽ ?! ‾ - ⁁ / ⁂ *** ⁃ - ⁄ / ⁅ [ ⁆ ]
    ⁇ ?? ⁈ ?! ⁉ !? ⁊ & ⁎ * ⁏ ; ⁒ % ⁓ ~ ⁔ _ ₠ CE ₡ C= ₢ Cr ₣ Fr. ₤ L. ₥ m ₦ NGN ₧ Pts ₨ Rs ₩ KRW ₪ ILS ₫ Dong
    € EUR ₭ LAK ₮ MNT ₯ GRD ₰ Pf ₱ PHP ₲ PYG ₳ ARA ₴ UAH ₵ GHS ₶ lt ₷ Sm ₸ KZT ₹ INR ₺ TL ₻ M ₼ AZN ₽ RUB ₾ GEL
    ₿ BTC ⃀ KGS ֏ AMD ฿ THB ৳ BDT ৲ Rs ៛ KHR ؋ AFN ﷼ IRR ℀ a/c ℁ a/s ℅ c/o ℆ c/u ℈ scr ℔ lb № No ℗ (P) ℞ Rx ℠ SM
    ™ (TM) ℡ TEL ℥ oz ℧ mho ℮ e ℵ N ℻ FAX ⅁ G ⅂ L ⅃ L ⅄ Y µ u ℩ i Ⅎ F ⅎ f ↄ c Ↄ C ℓ l ⅋ & ℺ Q ℟ R ℣ V ← <- → ->
    ↔ <-> ↑ ^ ↓ v ↕ ^v ↖ <- ↗ -> ↘ -> ↙ <- ↚ !<- ↛ !-> ↦ |-> ↤ <-| ↵ <-' ↩ <-' ↪ -> ⟵ <-- ⟶ --> ⟷ <--> ⟸ <==
    ⟹ ==> ⟺ <==> ⟼ |--> ↮ !<-> ⇍ !<= ⇎ !<=> ⇏ !=> ⇐ <= ⇒ => ⇔ <=> ➔ -> ➜ -> ➝ -> ➞ -> ➡ -> ⬅ <- ⬆ ^ ⬇ v ⇨ =>
    ⇦ <= ⇑ ^ ⇓ v − - ∓ -+ ∔ + ∕ / ∖ \\ ∗ * ∘ o ∙ . √ sqrt ∛ cbrt ∝ ~ ∞ inf ∣ | ∤ !| ∥ || ∦ !|| ∧ /\\ ∨ \\/ ∶ :
    ∷ :: ∸ - ∼ ~ ∽ ~ ≁ !~ ≃ ~- ≄ !~- ≅ ~= ≇ !~= ≈ ~~ ≉ !~~ ≔ := ≕ =: ≙ = ≝ = ≟ =? ≠ != ≡ == ≢ !== ≤ <= ≥ >= ≦ <=
    ≧ >= ≪ << ≫ >> ≮ !< ≯ !> ≰ !<= ≱ !>= ≲ <~ ≳ >~ ≴ !<~ ≵ !>~ ≶ <> ≷ >< ≸ !<> ≹ !>< ⊕ (+) ⊖ (-) ⊗ (x) ⊘ (/)
    ⊙ (.) ⊛ (*) ⊢ |- ⊨ |= ⊥ _|_ ⊤ T ⋀ /\\ ⋁ \\/ ⋄ <> ⋅ . ⋆ * ⋘ <<< ⋙ >>> ⋮ : ⋯ ... ⩽ <= ⩾ >= ∂ d ∆ D ∅ {} ∏ prod
    ∑ sum ∴ :. ∵ .: ∀ A ∃ E ∄ !E ⌈ [ ⌉ ] ⌊ [ ⌋ ] ⎯ - ⏎ <-' ⌀ O ␣ _ ␤ NL ☺ :) ☻ :) ☹ :( ★ * ☆ * ● * ○ o ◦ o ◯ O
    ◆ * ◇ * ◊ <> ■ # □ [] ▪ * ▫ * ▲ ^ △ ^ ▴ ^ ▵ ^ ▶ > ▷ > ▸ > ▹ > ► > ▼ v ▽ v ▾ v ▿ v ◀ < ◁ < ◂ < ◃ < ◄ < █ #
    ▓ # ▒ # ░ # ▀ # ▄ # ▌ # ▐ # ☑ [x] ☒ [x] ✓ v ✔ v ✕ x ✖ x ✗ x ✘ x ✚ + ✱ * ✲ * ✳ * ✴ * ✶ * ❘ | ❛ ' ❜ ' ❝ " ❞ "
    ❨ ( ❩ ) ❬ < ❭ > ❮ < ❯ > ❰ < ❱ > ❲ [ ❳ ] ❴ { ❵ } ⟋ / ⟍ \\ ⟦ [| ⟧ |] ⟨ < ⟩ > ⟪ << ⟫ >> ⟬ (( ⟭ )) ⟮ ( ⟯ ) ⦀ |||
    ⦃ {| ⦄ |} ⦅ (( ⦆ )) ⦇ (| ⦈ |) ⦉ <| ⦊ |> ⧣ # ⧥ # ⧵ \\ ⧸ / ⧹ \\ ⧼ < ⧽ > ⧾ + ⧿ - ⨯ x ⸗ = ⸺ -- ⸻ --- ⸱ . ⸴ , ⹁ ,
    ⹂ ,, ⸮ ? ﴾ ( ﴿ ) 、 , 。 . 〃 " 〈 < 〉 > 《 << 》 >> 「 " 」 " 『 " 』 " 【 [ 】 ] 〒 POST 〔 [ 〕 ] 〖 [ 〗 ] 〘 [ 〙 ] 〚 [
    〛 ] 〜 ~ 〝 " 〞 " 〟 ,, 〰 ~ ・ . ゠ = ー - ￨ | ￩ <- ￪ ^ ￫ -> ￬ v ￭ # ￮ o ︱ -- ﹘ -- ꟲ C ꟳ F ꟴ Q ﬩ +
""")
SYMBOLS |= {"☐": "[ ]", "\u1680": " ", "\u00A0": " ", "\u00AD": "-", "\u2028": " ", "\u2029": " ", "\u0085": "\n"}
SYMBOLS |= dict.fromkeys(map(chr, (*range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)), " ")
SYMBOLS |= {"\u2329": "<", "\u232A": ">", "\u1FEF": "`", "\u037E": ";", "\u212B": "A", "\u212A": "K", "\u2126": "Ohm"}
SYMBOLS |= dict(zip(map(chr, range(0x2400, 0x2422)), """
    NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL
""".split()))

LISTED = LATIN | CYRILLIC | GREEK | OTHER_SCRIPTS | SYMBOLS

# Characters that look or mean nearly the same, the best first.
NEAR = {c: list(near) for c, near in pairs("""
    Ș Ş ș ş Ț Ţ ț ţ Ş Ș ş ș Ţ Ț ţ ț ǝ ə Ǝ Ə μ µ µ μ Δ ∆ ∆ Δ Σ ∑ ∑ Σ Π ∏ ∏ Π ϕ φ ϑ θ ϵ ε ϖ π ϱ ρ ϰ κ ϐ β ϒ Υ ϴ Θ
    Ϲ Σ ϲ ς ʼ ’ ʻ ‘ ʽ ‛ ʹ ′ ʺ ″ ˮ ” ˉ ¯ ˊ ´ ′ ´ ― — — ―– – — ‒ – − –－ － − ‑ ‐ ⁃ • • ·∙ ∙ ·• · ∙⋅・ ⋅ ·∙ ‧ ·・ ・ ·
    ⸱ · 〜 ～ ～ 〜 ‖ ∥ ∥ ‖ ‾ ￣¯ ￣ ‾ ¯ ￣ ¢ ￠ ￠ ¢ £ ￡ ￡ £ ₤ £ ¬ ￢ ￢ ¬ ¦ ￤ ￤ ¦ ¥ ￥ ￥ ¥ ₩ ￦ ￦ ₩ ≤ ≦ ≥ ≧ ≦ ≤ ≧ ≥ ⩽ ≤≦
    ⩾ ≥≧ ≅ ≈≒ ≈ ≒ ≒ ≈ ≃ ≈ ‟ “ ‛ ‘ ˚ ° ° ˚ ⟨ 〈 ⟩ 〉 ⁄ ∕ ∕ ⁄ ⋯ … ★ ☆ ☆ ★ ◯ ○ ▪ ■ ▫ □ ▸ ► ▶ ► ◂ ◄ ◀ ◄ ▴ ▲ ▾ ▼ ▵ △
    ▿ ▽ ■ █ ґ г ѐ е ѝ и ѓ г ќ к ў у Ґ Г Ѓ Г Ќ К Ў У ӏ Ӏ ѣ е Ѣ Е Ѳ Ф ѳ ф ѵ и Ѵ И ی يى ک ك ھ ه ہ ه ە ه ۍ ي ێ ي گ ك
    ۀ ه ﾞ ゛ ﾟ ゜ ヷ ワ
""").items()}
NOT = "\u0338"  # the stroke through a symbol, which negates it, so the symbol without it means the opposite
NEXT, END = "\x1F", "\x1E"
# Maximum number of characters in a row. A lookup skips the lists before that of its character, so a longer row is slower,
# and more rows are larger.
LONGEST_ROW = 32

MODIFIERS = """
    TURNED REVERSED OPEN SIDEWAYS INSULAR CLOSED DOTLESS LONG TAILLESS BARRED VISIGOTHIC SMALL CAPITAL DIGRAPH
    LIGATURE INVERTED BLACKLETTER SCRIPT STRETCHED VOLAPUK ANGLICANA MIDDLE-WELSH EPIGRAPHIC ARCHAIC SQUAT TOP
    BOTTOM HALF AFRICAN BROKEN GLOTTAL DOUBLE STIRRUP BAR BROAD LENIS FINAL RESUPINATE
""".split()


def named(name):
    try:
        return ucd.lookup(name)
    except KeyError:
        return None


def latin_by_name(name):
    """Returns the one or two letters that a Latin letter is a variety of."""
    if not name.startswith("LATIN "):
        return None
    words = [word for word in name.partition(" WITH ")[0].split()[1:] if word not in ("LETTER", *MODIFIERS)]
    if len(words) != 1:
        return None
    case = "CAPITAL" if "CAPITAL" in name else "SMALL"
    if len(words[0]) <= 2:
        return words[0] if case == "CAPITAL" else words[0].lower()
    return LISTED.get(named(f"LATIN {case} LETTER {words[0]}"))


def decomposition(c):
    """Returns the kind and the text of a decomposition; the kind is "" if it is canonical."""
    kind, _, rest = ucd.decomposition(c).rpartition(">")
    return kind.strip("<> "), "".join(chr(int(code, 16)) for code in rest.split())


def is_mark_after_space(text):
    return len(text) > 1 and text[0] == " " and ucd.combining(text[1]) != 0


def is_dropped(c):
    """Returns whether `c` is dropped: a mark on a letter or an invisible character, without which words stay readable."""
    value = ord(c)
    if ucd.category(c) == "Cf":
        return c != "\u00AD" and not 0x600 <= value <= 0x605 and value not in (0x6DD, 0x8E2, 0x110BD, 0x110CD)
    if ucd.category(c) == "Me" or 0xFE00 <= value <= 0xFE0F or 0xE0100 <= value <= 0xE01EF or value == 0x34F:
        return True
    # Marks of the Indic scripts, Thai and similar scripts are kept, because they act as letters.
    return ucd.category(c) == "Mn" and ucd.combining(c) not in (0, 7, 9, *range(84, 133))


@functools.cache
def ascii_of(c):
    if c < "\x80":
        return c
    if c in LISTED:
        return LISTED[c]
    if is_dropped(c):
        return ""
    if ucd.category(c) == "Nd":
        return str(ucd.decimal(c))
    kind, text = decomposition(c)
    name = ucd.name(c, "")
    if text and not is_mark_after_space(text):
        in_unit = {"²": "^2", "³": "^3", "μ": "u"} if kind == "square" else {}
        parts = [in_unit.get(part, ascii_of(part)) for part in text]
        if all(part is not None for part in parts):
            whole = "".join(parts)
            if kind == "circle":
                return f"({whole})"
            if NOT in text:
                return f"!{whole}"
            return f" {whole.strip()} " if kind == "fraction" else whole or None
    if name.startswith("BOX DRAWINGS "):
        return box(name)
    if name.startswith("CYRILLIC ") and " WITH " in name and wider(c):
        return ascii_of(wider(c))
    if letter := re.fullmatch("NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER (.)", name):
        return f"({letter[1]})"
    if letter := re.fullmatch("REGIONAL INDICATOR SYMBOL LETTER (.)", name):
        return letter[1]
    return latin_by_name(name)


def box(name):
    across = "HORIZONTAL" in name or re.search("LEFT|RIGHT", name)
    down = "VERTICAL" in name or re.search("UP|DOWN", name)
    if "DIAGONAL" in name:
        return "X" if "CROSS" in name else "/" if "UPPER RIGHT TO LOWER LEFT" in name else "\\"
    if across and down:
        return "+"
    return ("=" if "DOUBLE" in name else "-") if across else "|"


def wider(c):
    """Returns the letter that `c` extends, according to its name."""
    name = ucd.name(c, "")
    return named(name.partition(" WITH ")[0]) if re.match("(LATIN|CYRILLIC) .* WITH ", name) else None


def fewer_marks(c):
    base, *marks = ucd.normalize("NFD", c)
    chosen = [list(some) for n in range(len(marks), -1, -1) for some in itertools.combinations(marks, n)]
    if "GREEK" in ucd.name(base, ""):  # replace the grave and the circumflex by the tonos, the only accent of ISO 8859-7
        accents = {"\u0300": "\u0301", "\u0342": "\u0301"}
        chosen = [[accents.get(mark, mark) for mark in some] for some in chosen]
    for some in chosen:
        whole = ucd.normalize("NFC", base + "".join(some))
        if len(whole) == 1:
            yield whole


def equivalents(c):
    """Returns other spellings of `c`, in which some of its marks are composed with the letter and the others are
    separate."""
    full = ucd.normalize("NFD", c)
    base, *marks = full
    for n in range(len(marks), -1, -1):
        for some in itertools.combinations(range(len(marks)), n):
            inside = "".join(marks[i] for i in some)
            outside = "".join(mark for i, mark in enumerate(marks) if i not in some)
            text = ucd.normalize("NFC", base + inside) + outside
            if ucd.normalize("NFD", text) == full:
                yield text


def nearly(c):
    yield from NEAR.get(c, [])
    kind, text = decomposition(c)
    if text and not is_mark_after_space(text):
        if kind == "":
            yield from equivalents(c)
            if NOT not in text:
                yield from fewer_marks(c)
        elif kind == "circle":
            yield f"({text})"
        elif kind != "fraction":
            yield text
            yield ucd.normalize("NFKC", text)
    if wider(c):
        yield wider(c)
    name = ucd.name(c, "")
    if name.startswith("BOX DRAWINGS "):
        light = re.sub("(LIGHT|HEAVY) (DOUBLE|TRIPLE|QUADRUPLE) DASH", r"\1", name)
        light = re.sub("LIGHT ARC", "LIGHT", re.sub("HEAVY|DOUBLE", "LIGHT", light))
        light = re.sub("(UP|DOWN|LEFT|RIGHT|VERTICAL|HORIZONTAL) LIGHT", r"\1", light)
        words = [word for word in light.split() if word not in ("BOX", "DRAWINGS", "LIGHT", "SINGLE")]
        if light := named("BOX DRAWINGS LIGHT " + " ".join(words)):
            yield light


def legacy_encodings():
    for module in pkgutil.iter_modules(encodings.__path__):
        try:
            if not module.name.startswith(("utf_", "gb18030", "unicode", "raw", "idna", "puny", "charmap")):
                "a".encode(module.name)
                yield module.name
        except (LookupError, UnicodeError):
            pass


LEGACY = list(legacy_encodings())


@functools.cache
def homes(c):
    """Returns the older encodings that have `c`."""
    found = set()
    for encoding in LEGACY:
        try:
            c.encode(encoding)
            found.add(encoding)
        except UnicodeError:
            pass
    return frozenset(found)


def candidates(c):
    if is_dropped(c):
        return None  # the table lists dropped characters as ranges
    served = set(homes(c))
    listed = []
    for text in nearly(c):
        if text == c or not text or c in text or text.isascii():
            continue
        where = frozenset.intersection(*map(homes, text))
        if not where <= served:
            listed.append(text)
            served |= where
    last = ascii_of(c)
    return listed + ([last] if last is not None and last not in listed else [])


def ranges(values):
    for _, group in itertools.groupby(enumerate(values), lambda pair: pair[1] - pair[0]):
        group = [value for _, value in group]
        yield group[0], group[-1]


def rust(text):
    """Returns the text as Rust source, with characters escaped that a tool might change, that combine or are
    right-to-left."""
    plain = {"\n": r"\n", NEXT: r"\x1F", END: r"\x1E", '"': r"\"", "\\": r"\\"}
    is_stable = lambda c: ucd.normalize("NFC", c) == c and ucd.category(c)[0] in "LNPS"
    is_safe = lambda c: is_stable(c) and ucd.bidirectional(c) not in ("R", "AL", "AN")
    escaped = [plain.get(c, c if c < "\x80" or is_safe(c) else f"\\u{{{ord(c):X}}}") for c in text]
    lines = [""]
    for one in escaped:
        if len(lines[-1]) + len(one) > 100:
            lines.append(" " * 8)
            # The compiler drops blanks at the start of a continued line.
            one = one.replace(" ", r"\x20")
        lines[-1] += one
    return '"' + "\\\n".join(lines) + '"'


def char(c):
    return f"'\\u{{{ord(c):X}}}'"


def lines(items, indent="    "):
    line = indent
    for item in items:
        if len(line) + len(item.split("\n")[0]) > 110:
            yield line.rstrip()
            line = indent
        line += item + " "
    yield line.rstrip()


def main():
    scalars = [chr(v) for v in range(0x80, 0x110000) if not 0xAC00 <= v <= 0xDFFF]
    scalars = [c for c in scalars if ucd.category(c) not in ("Cn", "Co")]
    entries = {c: NEXT.join(found) for c in scalars if (found := candidates(c))}
    dropped = list(ranges([ord(c) for c in scalars if is_dropped(c)]))
    rows = []
    for c, text in entries.items():
        if rows and ord(c) == ord(rows[-1][0]) + len(rows[-1][1]) and len(rows[-1][1]) < LONGEST_ROW:
            rows[-1][1].append(text)
        else:
            rows.append((c, [text]))

    print("// Generated by table.py from Unicode 14.0; do not edit.\n")
    print("/// Ranges of characters that are omitted, each as its first and its last.")
    print(f"pub(super) static DROPPED: [(u32, u32); {len(dropped)}] = [")
    print(*lines(f"(0x{first:X}, 0x{last:X})," for first, last in dropped), sep="\n")
    print("];\n\n/// The first of some consecutive characters, and their lists of candidates. U+001F separates the candidates of")
    print("/// a list, and U+001E the lists.")
    print(f"pub(super) static CANDIDATES: [(char, &str); {len(rows)}] = [")
    print(*lines(f"({char(c)}, {rust(END.join(lists))})," for c, lists in rows), sep="\n")
    print("];")


if __name__ == "__main__":
    main()
