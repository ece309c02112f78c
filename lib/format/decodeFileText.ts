/** The text of a file in the encodings that people's programs save: UTF-8 and UTF-16, and what spreadsheets save by country. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'big5' | 'shift_jis' | 'windows-1252'
export type DecodedText = { text: string; encoding: Encoding }

/** As people know them. */
export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'GB18030',
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  'windows-1252': 'Windows-1252',
}

/** This much of a file tells its encoding. */
const LOOKED_AT = 64 * 1024
/** So many of the characters beyond ASCII are common ones, where a file is in an encoding. */
const MOST_COMMON = 0.85

/**
 * in      the bytes of a file
 * out     its text without a byte order mark, and its encoding; null: it is none (a picture, an archive), or in an encoding that
 *         cannot be told for certain
 */
export function decodeFileText(bytes: Uint8Array): DecodedText | null {
  const marked = MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  if (marked !== undefined) return decoded(bytes, marked.encoding)
  const plain = decoded(bytes, 'utf-8')
  if (plain !== null) return plain
  if (bytes.includes(0)) {
    const order = wideOrder(bytes.subarray(0, LOOKED_AT))
    return order === null ? null : decoded(bytes, order)
  }
  const beginning = bytes.subarray(0, LOOKED_AT)
  for (const { encoding, isCommon } of DOUBLE) {
    if (commonShare(beginning, isCommon) < MOST_COMMON) continue
    const text = decoded(bytes, encoding)
    if (text !== null) return text
  }
  return isWestern(beginning) ? decoded(bytes, 'windows-1252') : null
}

const MARKS: readonly { mark: readonly number[]; encoding: Encoding }[] = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
]

function decoded(bytes: Uint8Array, encoding: Encoding): DecodedText | null {
  try {
    const raw = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    const text = encoding === 'windows-1252' ? raw.replace(C1, westernSign) : raw
    return (encoding === 'utf-8' ? text.includes('\0') : CONTROLS.test(text)) ? null : { text, encoding }
  } catch {
    return null
  }
}

/** UTF-16 without a mark: of most characters of a table or a program one byte is zero, always the same one. */
function wideOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length % 2 !== 0) return null
  let first = 0
  let second = 0
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] === 0) first += 1
    if (bytes[at + 1] === 0) second += 1
  }
  const enough = Math.max(3, bytes.length / 2 / 10)
  if (second > enough && first === 0) return 'utf-16le'
  return first > enough && second === 0 ? 'utf-16be' : null
}

/** Signs of programs and archives; a text has spaces, tabs and line ends only. */
const CONTROLS = /(?![\t\n\r\f])\p{Cc}/u

/** Some versions of Node leave these bytes as they are. */
const C1 = /[\u0080-\u009F]/g
const AT_C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'
const westernSign = (sign: string): string => AT_C1[sign.charCodeAt(0) - 0x80] ?? sign

type IsCommon = (lead: number, trail: number) => boolean

/** Whether a pair of bytes is a common character: most characters of a text are, and few of a text in another encoding. */
const DOUBLE: readonly { encoding: Encoding; isCommon: IsCommon }[] = [
  // Signs, full-width letters, and the 3,755 characters of the first level.
  {
    encoding: 'gb18030',
    isCommon: (lead, trail) => trail >= 0xa1 && (lead <= 0xa3 ? lead >= 0xa1 : lead >= 0xb0 && lead <= 0xd7),
  },
  // Signs, kana, and the characters of the first level.
  {
    encoding: 'shift_jis',
    isCommon: (lead, trail) =>
      trail >= 0x40 && trail <= 0xfc && lead >= 0x81 && (lead <= 0x83 || (lead >= 0x88 && lead <= 0x98)),
  },
  // Signs, and the 5,401 characters of the first level.
  {
    encoding: 'big5',
    isCommon: (lead, trail) =>
      lead >= 0xa1 && lead <= 0xc6 && ((trail >= 0x40 && trail <= 0x7e) || (trail >= 0xa1 && trail <= 0xfe)),
  },
]

function commonShare(bytes: Uint8Array, isCommon: IsCommon): number {
  let all = 0
  let common = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    const trail = bytes[at + 1]
    // The last pair may be cut off.
    if (trail === undefined) break
    all += 1
    if (isCommon(lead, trail)) common += 1
    at += 1
  }
  return all === 0 ? 0 : common / all
}

/** Letters with accents and signs of western languages, each alone among plain letters. */
function isWestern(bytes: Uint8Array): boolean {
  let all = 0
  let fitting = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false
    if (byte < 0x80) continue
    all += 1
    const isAlone = (bytes[at - 1] ?? 0) < 0x80 && (bytes[at + 1] ?? 0) < 0x80
    if (isAlone && (byte >= 0xc0 || WESTERN_SIGNS.has(byte))) fitting += 1
  }
  return all > 0 && fitting / all >= MOST_COMMON
}

/** € … ‘ ’ “ ” • – — non-breaking space £ § © « ° ± ² ³ · » */
const WESTERN_SIGNS = new Set([
  0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0xa0, 0xa3, 0xa7, 0xa9, 0xab, 0xb0, 0xb1, 0xb2, 0xb3, 0xb7,
  0xbb,
])
