/** docs/operate/logs.md has a row for each message that the server logs, and no line logs what must not stand in a log. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

type Line = { place: string; level: string; fields: string; message: string | null }

/** Of the log, or of the `log` of a route's handler, which writes at the level info. */
const CALL = /\blog\??\.(debug|info|warn|error|fatal)\(|(?<![.\w])log\((?=\{)/g

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** What stands between a call's parentheses; strings may hold parentheses. */
function callAt(text: string, start: number): string {
  let depth = 1
  let quote = ''
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at)
    if (quote !== '') {
      if (sign === '\\') at++
      else if (sign === quote) quote = ''
    } else if (`'"\``.includes(sign)) quote = sign
    else if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
    if (depth === 0) return text.slice(start, at)
  }
  throw new Error('a call that does not end')
}

const lines: Line[] = ['server', 'packages'].flatMap(sources).flatMap((path) => {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(CALL)].flatMap((found) => {
    const call = callAt(text, found.index + found[0].length)
    // Where the log of handlers is made: their calls are lines themselves.
    if (path.endsWith('gateway/route.ts') && call.includes('...about')) return []
    const message = /,\s*'((?:[^'\\]|\\.)*)',?\s*$/.exec(call)
    return {
      place: `${path}:${text.slice(0, found.index).split('\n').length}`,
      level: found[1] ?? 'info',
      fields: message ? call.slice(0, message.index) : call,
      message: message?.[1] ?? null,
    }
  })
})

it('[R72] each message in the code stands in logs.md with its level, and each one there in the code', () => {
  expect(lines.length).toBeGreaterThan(30)
  expect(
    lines.filter(({ message }) => message === null).map(({ place }) => `${place}: its message is no plain text`),
  ).toEqual([])
  const page = readFileSync('docs/operate/logs.md', 'utf8')
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (\w+) \| [^|]+ \| [^|]+ \|$/gm)].map(
    ([, message, level]) => `${level}: ${message}`,
  )
  expect(new Set(rows).size).toBe(rows.length)
  const logged = new Set(lines.map(({ message, level }) => `${level}: ${message}`))
  expect([...rows].sort()).toEqual([...logged].sort())
})

/** Fields of log lines. A new one is added here when it holds no secret and no text of people or models. */
const FIELDS = new Set(
  [
    ['by', 'channel', 'command', 'durationMs', 'err', 'job', 'kind', 'level', 'method', 'outgoing', 'path', 'peer'],
    ['person', 'reason', 'request', 'seq', 'server', 'task', 'tools', 'what', 'why'],
    ['code', 'host', 'keyId', 'left', 'lines', 'offsetMs', 'origin', 'part', 'protocol'],
    ['command', 'count', 'from', 'id', 'leftOut', 'removed', 'setup', 'way'],
    ['ended', 'expiresAt', 'provider', 'scopes', 'session'],
    // Made of such fields, where the line is put together.
    ['...about', '...aboutEntry(entry)', '...aboutEntry(body)'],
  ].flat(),
)
/** Debug is not written: what tool servers say of themselves. */
const DEBUG_FIELDS = new Set(['data', 'error', 'level', 'line', 'server'])

it('[R72] each field of a log line is one that holds no secret and no text of people or models', () => {
  for (const { place, level, fields } of lines) {
    expect(fields.trim(), place).toMatch(/^\{[\s\S]*\}$/)
    const names = topLevelNames(fields.trim().slice(1, -1))
    const allowed = level === 'debug' ? DEBUG_FIELDS : FIELDS
    expect(
      names.filter((name) => !allowed.has(name)),
      place,
    ).toEqual([])
  }
})

/** `a, b: f(x, y)` → a, b */
function topLevelNames(object: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const sign of object) {
    if ('([{'.includes(sign)) depth++
    if (')]}'.includes(sign)) depth--
    if (sign === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part].map((one) => one.split(':')[0]?.trim() ?? '').filter((name) => name !== '')
}
