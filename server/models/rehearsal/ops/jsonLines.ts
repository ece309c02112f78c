import { jsonValueOf } from '@/lib/json'

type JsonNode =
  | { type: 'value'; text: string; line: number }
  | { type: 'list'; items: JsonNode[]; line: number }
  | { type: 'object'; fields: [string, JsonNode][]; line: number }

const DEEPEST = 200

/** The tree of a JSON text, or null when it is none. */
export function parseJsonLines(text: string): JsonNode | null {
  if (jsonValueOf(text) === undefined) return null
  // It is valid JSON from here on, so the reader below needs no complaints of its own.
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|\n|[^\s{}[\]:,"]+/g)].map(([token]) => token)
  let at = 0
  let line = 1
  const next = (): string => {
    while (tokens[at] === '\n') {
      line += 1
      at += 1
    }
    const token = tokens[at] ?? ''
    at += 1
    return token
  }
  const peek = (): string => {
    const token = next()
    at -= 1
    return token
  }
  const read = (depth: number): JsonNode => {
    if (depth > DEEPEST) throw new RangeError('too deep')
    const token = next()
    const began = line
    if (token === '[') {
      const items: JsonNode[] = []
      while (peek() !== ']') {
        items.push(read(depth + 1))
        if (peek() === ',') next()
      }
      next()
      return { type: 'list', items, line: began }
    }
    if (token === '{') {
      const fields: [string, JsonNode][] = []
      while (peek() !== '}') {
        const name = String(JSON.parse(next()))
        next()
        fields.push([name, read(depth + 1)])
        if (peek() === ',') next()
      }
      next()
      return { type: 'object', fields, line: began }
    }
    return { type: 'value', text: token.startsWith('"') ? String(JSON.parse(token)) : token, line: began }
  }
  try {
    return read(0)
  } catch {
    return null
  }
}
