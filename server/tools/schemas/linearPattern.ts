/** Rewrites JavaScript patterns for an engine with linear time (RE2 syntax). */
import { RE2JS } from 're2js'

/** JavaScript's `\s`; RE2's matches five ASCII characters only. */
const SPACES = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const NO_SPACES = String.raw`\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`

/** An escape, or one character. */
const TOKEN = /\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]+\}|\\[\s\S]|[\s\S]/g

/**
 * in      a pattern that `new RegExp(pattern, 'u')` accepts
 * out     RE2 syntax with the same matches, or null where only JavaScript works: surrogates, group names. Look-around,
 *         back-references by number and counts above 1,000 are kept; compiling them throws
 */
export function linearPattern(pattern: string): string | null {
  let isInClass = false
  let isLinear = true
  const rewritten = pattern.replace(TOKEN, (token) => {
    switch (token) {
      case '[':
        if (isInClass) return '\\['
        isInClass = true
        return token
      case ']':
        isInClass = false
        return token
      case '.':
        return isInClass ? token : String.raw`[^\n\r\x{2028}\x{2029}]`
      case '\\s':
        return isInClass ? SPACES : `[${SPACES}]`
      case '\\S':
        return isInClass ? NO_SPACES : `[${NO_SPACES}]`
      case '\\b':
        return isInClass ? '\\x08' : token
      case '\\0':
        return '\\x00'
      case '\\k':
        isLinear = false
        return token
      default:
        if (/^\\u[dD][89a-fA-F]/.test(token)) isLinear = false
        return token
    }
  })
  return isLinear ? RE2JS.translateRegExp(rewritten) : null
}

const LONGEST_PATTERNS = 100_000

/** Linear forms of a schema's patterns where possible, up to 100,000 characters in total. */
export function linearPatternsOf(schema: unknown): Map<string, string> {
  const found = new Map<string, string>()
  let length = 0
  const add = (pattern: string): void => {
    length += pattern.length
    if (length > LONGEST_PATTERNS || found.has(pattern)) return
    const linear = linearPattern(pattern)
    if (linear !== null) found.set(pattern, linear)
  }
  const open: unknown[] = [schema]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if ('pattern' in value && typeof value.pattern === 'string') add(value.pattern)
    if ('patternProperties' in value && typeof value.patternProperties === 'object')
      Object.keys(value.patternProperties ?? {}).forEach(add)
    for (const inner of Object.values(value)) open.push(inner)
  }
  return found
}
