/**
 * Characters that nobody sees, or that change the direction of the text around them. Pure.
 *
 * Text of agents, tools, files and members may hold them, and people decide upon what they see. So each one is shown as
 * its code (`U+202E`), except where a script or an emoji needs it.
 */

/**
 * A part of a text.
 *
 * sign      the code of a hidden character
 * isolate   the inside of a pair of isolates around a value of a sentence
 */
export type TextPiece = { is: 'plain'; text: string } | { is: 'sign'; code: string } | { is: 'isolate'; text: string }

/** Controls except tab and line feed, direction controls, format characters, lone surrogates, blank letters, line separators. */
const HIDDEN = String.raw`\u0000-\u0008\u000B-\u001F\u007F-\u009F\p{Cf}\p{DI}\p{Cs}\u2028\u2029\u2800\uFFFC`
/** Characters of scripts that run from right to left. */
const RIGHT_TO_LEFT = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`
/** Blanks that look like a space and are none. */
const BLANKS = String.raw`\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000`

/** The flags of England, Scotland and Wales: the only emoji with tag letters. */
const FLAG = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`
/** As `isolated` makes it: in no other use are these two shown as nothing. */
const ISOLATE = String.raw`\u2068[^\u0000-\u001F\u2028-\u202E\u2066-\u2069]{1,1000}\u2069`

/** Latin letters, common punctuation, Chinese: most texts have nothing else, and this is the fastest question. */
const USUAL = /^[\t\n\x20-\x7E\xA1-\xAC\xAE-\u02FF\u2010-\u2027\u2030-\u205E\u3001-\u312F\u4E00-\u9FFF\uFF01-\uFF5E]*$/
const SUSPECT = new RegExp(`[${HIDDEN}${RIGHT_TO_LEFT}]`, 'u')
const SUSPECT_LITERAL = new RegExp(`[${HIDDEN}${RIGHT_TO_LEFT}${BLANKS}]`, 'u')
const IS_HIDDEN = /^[\p{DI}\p{Cf}\p{Cs}]$/u
const HAS_RIGHT_TO_LEFT = new RegExp(`[${RIGHT_TO_LEFT}]`, 'u')
const FOUND = new RegExp(`${FLAG}|${ISOLATE}|[${HIDDEN}]`, 'gu')
const FOUND_LITERAL = new RegExp(`${FLAG}|[${HIDDEN}${BLANKS}]`, 'gu')
const EACH_HIDDEN = new RegExp(`[${HIDDEN}]`, 'gu')
const IS_ISOLATE = new RegExp(`^${ISOLATE}$`, 'u')

/** Letters and marks of scripts in which joiners and non-joiners choose the form of a letter. */
const JOINED =
  /^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Java}\p{scx=Bali}\p{scx=Newa}\p{scx=Tirh}\p{scx=Cakm}\p{scx=Gran}]$/u
/** Scripts without spaces between words, where U+200B says where a line may break. */
const UNSPACED = /^[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}\p{scx=Lana}]$/u
const VIRAMA = /^[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u17D2\u1039\uA9C0\u1B44]$/u
const MONGOLIAN = /^(?=[\p{L}\p{M}])\p{scx=Mong}$/u
const HAN = /^\p{sc=Han}$/u
const WORD = /^[\p{L}\p{M}\p{N}]$/u
const MARK = /^\p{M}$/u
const PICTURE = /^\p{Extended_Pictographic}$/u
/** The end of a picture that another one may be joined to. */
const PICTURE_END = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u20E3)$/u
const WIDE_STOP = /^[\u3001\u3002\uFF01\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F]$/u
const CJK = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303F\uFF00-\uFFEF]$/u

type Neighbours = { before: string; after: string }
type Fits = (sign: string, around: Neighbours) => boolean

/** Where a hidden character belongs: the first row that holds it decides; without a row it belongs nowhere. */
const PLACES: readonly (readonly [RegExp, Fits])[] = [
  [/^\r$/u, (_, { after }) => after === '\n'],
  // These have a glyph although they are format characters.
  [/^[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]$/u, () => true],
  [/^\u200D$/u, (_, { before, after }) => JOINED.test(before) || (PICTURE_END.test(before) && PICTURE.test(after))],
  [
    /^\u200C$/u,
    (_, { before, after }) =>
      VIRAMA.test(before) || (JOINED.test(before) && WORD.test(after)) || (WORD.test(before) && JOINED.test(after)),
  ],
  [/^\uFE0F$/u, (_, { before, after }) => PICTURE.test(before) || (/^[\d#*]$/.test(before) && after === '\u20E3')],
  [/^\uFE0E$/u, (_, { before }) => PICTURE.test(before)],
  [
    /^[\uFE00-\uFE02]$/u,
    (_, { before }) => HAN.test(before) || WIDE_STOP.test(before) || /^[\p{Sm}\p{sc=Mymr}\p{sc=Phag}]$/u.test(before),
  ],
  [/^[\u{E0100}-\u{E01EF}]$/u, (_, { before }) => HAN.test(before)],
  [/^[\u180B-\u180D\u180F]$/u, (_, { before }) => MONGOLIAN.test(before)],
  [/^\u180E$/u, (_, { before, after }) => MONGOLIAN.test(before) && MONGOLIAN.test(after)],
  [/^[\u17B4\u17B5]$/u, (_, { before }) => /^\p{sc=Khmr}$/u.test(before)],
  [/^\u200B$/u, (_, { before, after }) => UNSPACED.test(before) && UNSPACED.test(after)],
  [/^\u034F$/u, (_, { before, after }) => MARK.test(before) && MARK.test(after)],
  [/^\u115F$/u, (_, { after }) => /^[\u1161-\u11A7]$/u.test(after)],
  [/^\u1160$/u, (_, { before }) => /^[\u1100-\u115E]$/u.test(before)],
  [/^[\u{13430}-\u{13455}]$/u, (_, { before, after }) => [before, after].some((one) => /^\p{sc=Egyp}$/u.test(one))],
  [/^[\u{1BCA0}-\u{1BCA3}]$/u, (_, { before }) => /^\p{sc=Dupl}$/u.test(before)],
  [/^\u2800$/u, (_, { before, after }) => [before, after].some((one) => /^[\u2801-\u28FF]$/u.test(one))],
  [/^\u3000$/u, (_, { before, after }) => CJK.test(before) && CJK.test(after)],
]

/** The code point before an index; '' at the beginning. */
function signBefore(text: string, at: number): string {
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 2), at))
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at)
}

/** A hidden character is no neighbour: of several in a row only the first can belong to a letter. */
function neighboursOf(text: string, at: number, sign: string): Neighbours {
  let before = signBefore(text, at)
  // A picture may end with its variation selector.
  if (sign === '\u200D' && before === '\uFE0F') before = signBefore(text, at - 1)
  const end = at + sign.length
  const after = end >= text.length ? '' : String.fromCodePoint(text.codePointAt(end) ?? 0)
  return { before: IS_HIDDEN.test(before) ? '' : before, after: IS_HIDDEN.test(after) ? '' : after }
}

function belongs(text: string, at: number, sign: string): boolean {
  const place = PLACES.find(([signs]) => signs.test(sign))
  return place?.[1](sign, neighboursOf(text, at, sign)) ?? false
}

const codeOf = (sign: string): string => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Has no character that must be shown in another way. Fast: almost every text is. */
export const isPlain = (text: string, isLiteral = false): boolean =>
  USUAL.test(text) || !(isLiteral ? SUSPECT_LITERAL : SUSPECT).test(text)

/**
 * The parts of a text as they are shown.
 *
 * in      isLiteral: a name, an address or a value that must be read to the letter: blanks other than the space, and
 *         isolates, are shown too
 * out     the parts in order; nothing of the text is missing
 */
export function textPieces(text: string, isLiteral = false): TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  const add = (at: number, length: number, piece: TextPiece): void => {
    if (at > from) pieces.push({ is: 'plain', text: text.slice(from, at) })
    pieces.push(piece)
    from = at + length
  }
  const find = isLiteral ? FOUND_LITERAL : FOUND
  let next = 0
  for (;;) {
    find.lastIndex = next
    const found = find.exec(text)
    if (found === null) break
    const [whole] = found
    next = found.index + whole.length
    if (whole.startsWith('\u{1F3F4}')) continue
    const inner = whole.slice(1, -1)
    if (whole.startsWith('\u2068') && isIsolated(inner)) {
      add(found.index, whole.length, { is: 'isolate', text: inner })
      continue
    }
    const sign = String.fromCodePoint(whole.codePointAt(0) ?? 0)
    next = found.index + sign.length
    if (!belongs(text, found.index, sign)) add(found.index, sign.length, { is: 'sign', code: codeOf(sign) })
  }
  if (from < text.length) pieces.push({ is: 'plain', text: text.slice(from) })
  return pieces
}

/** Is this the inside of an isolate that needs to be one and hides nothing? */
const isIsolated = (inner: string): boolean =>
  HAS_RIGHT_TO_LEFT.test(inner) && textPieces(inner).every(({ is }) => is === 'plain')

/** Does a part outside of isolates run from right to left? It would reach the text beside it. */
export const turnsNeighbours = (pieces: readonly TextPiece[]): boolean =>
  pieces.some((piece) => piece.is === 'plain' && HAS_RIGHT_TO_LEFT.test(piece.text))

/** For attributes, titles and notices, which hold text only: hidden characters as `[U+202E]`. */
export function shownText(text: string, isLiteral = false): string {
  if (isPlain(text, isLiteral)) return text
  return textPieces(text, isLiteral)
    .map((piece) =>
      piece.is === 'sign' ? `[${piece.code}]` : piece.is === 'isolate' ? isolate(piece.text) : piece.text,
    )
    .join('')
}

const isolate = (text: string): string => `\u2068${text}\u2069`

/** A name or another value beside other words, as it is shown; it does not change the direction of the words beside it. */
export function shownValue(text: string): string {
  const shown = shownText(text)
  if (!turnsNeighbours(textPieces(text))) return shown
  // Isolates are not nested: those within it are part of it. A text with several lines is in none.
  const isolated = isolate(shown.replace(/[\u2068\u2069]/g, ''))
  return IS_ISOLATE.test(isolated) ? isolated : shown
}

/** The values of a sentence, each as it is shown. */
export function shownValues<Values extends object>(values: Values): Values {
  const all = { ...values }
  for (const name in all) {
    const value = all[name]
    if (typeof value === 'string' && !isPlain(value)) all[name] = shownValue(value) as typeof value
  }
  return all
}

/**
 * A sentence that was filled without isolates, as records have it, with those that its values need.
 *
 * in      values: of the sentence, in any depth (`with` of lib/mas/said.ts)
 */
export function withIsolates(text: string, values: object | undefined): string {
  if (values === undefined || !HAS_RIGHT_TO_LEFT.test(text)) return text
  const turning = stringsIn(values).filter((value) => HAS_RIGHT_TO_LEFT.test(value))
  if (turning.length === 0) return text
  // The longest first: a value may contain another one.
  turning.sort((a, b) => b.length - a.length)
  const each = turning.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return text.replace(new RegExp(each.join('|'), 'gu'), (value) => shownValue(value))
}

const stringsIn = (values: object): string[] =>
  Object.values(values).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? stringsIn(value) : [],
  )

/** JSON of the same meaning whose hidden characters are escapes: a terminal that prints it obeys none of them. */
export const escapedJson = (json: string): string =>
  USUAL.test(json)
    ? json
    : json.replace(EACH_HIDDEN, (sign) =>
        sign
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
      )
