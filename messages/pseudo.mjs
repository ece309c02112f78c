// The pseudo-language en-XA: English with marks on its letters, 40 % longer.

const PLAIN = 'aceilnorstuyACEILNORSTUY'
const MARKED = 'àçéîļñöŕšţüýÀÇÉÎĻÑÖŔŠŢÜÝ'

const mark = (text) =>
  [...text].map((letter) => (PLAIN.includes(letter) ? (MARKED[PLAIN.indexOf(letter)] ?? letter) : letter)).join('')

/** Dots at the end make truncation visible. */
function lengthen(text) {
  const letters = text.replace(/[^\p{L}]/gu, '').length
  return letters === 0 ? text : `${mark(text)}${'·'.repeat(Math.ceil(letters * 0.4))}`
}

/** The position of the brace that closes the one at `start`. */
function closing(message, start) {
  let depth = 0
  for (let at = start; at < message.length; at += 1) {
    if (message[at] === '{') depth += 1
    else if (message[at] === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return message.length - 1
}

/** The inside of an ICU argument: plural and select keep their selectors, their texts are converted. */
function argument(inside) {
  if (!/^[^,{}]+,\s*(plural|select|selectordinal)\s*,/.test(inside)) return inside
  let out = ''
  for (let at = 0; at < inside.length; at += 1) {
    if (inside[at] !== '{') {
      out += inside[at]
      continue
    }
    const end = closing(inside, at)
    out += `{${pseudoMessage(inside.slice(at + 1, end))}}`
    at = end
  }
  return out
}

/**
 * in: one ICU message
 *
 * @param {string} message
 */
export function pseudoMessage(message) {
  let out = ''
  let text = ''
  const flush = () => {
    out += text
      .split(/(<\/?\w+>)/)
      .map((piece) => (piece.startsWith('<') ? piece : lengthen(piece)))
      .join('')
    text = ''
  }
  for (let at = 0; at < message.length; at += 1) {
    if (message[at] !== '{') {
      text += message[at]
      continue
    }
    flush()
    const end = closing(message, at)
    out += `{${argument(message.slice(at + 1, end))}}`
    at = end
  }
  flush()
  return out
}

/**
 * A tree of messages, converted; the same keys.
 *
 * @template {object} Words
 * @param {Words} words texts by key, nested
 * @returns {Words}
 */
export function pseudoWords(words) {
  const entries = Object.entries(words).map(([key, value]) => [
    key,
    typeof value === 'string' ? pseudoMessage(value) : pseudoWords(value),
  ])
  return Object.fromEntries(entries)
}
