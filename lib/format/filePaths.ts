/** Finds possible workspace paths in a text. Pure. */

/** `prices/report.md`, `report.md`; no web addresses or numbers; Chinese names only in backticks. Linear: repetitions are bounded. */
const PATH =
  /(?<![\w./\\@:~%-])(?:\.\/)?(?:[^\W][\w.-]{0,99}\/){0,12}[^\W][\w.-]{0,99}\.[a-z][a-z0-9]{0,7}(?![\w/\\@-]|\.[\w/])/giu
/** Most names found in one text. */
const MOST = 20

type PathPiece = { text: string; path: string | null }

/** The text in pieces, in order; `path`: the piece may name a file. */
export function splitPaths(text: string): PathPiece[] {
  const pieces: PathPiece[] = []
  let from = 0
  let count = 0
  for (const { 0: name, index } of text.matchAll(PATH)) {
    if (count >= MOST) break
    count += 1
    if (index > from) pieces.push({ text: text.slice(from, index), path: null })
    pieces.push({ text: name, path: bare(name) })
    from = index + name.length
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from), path: null })
  return pieces
}

const bare = (name: string): string => name.replace(/^\.\//, '')

/** The path that a whole literal may name, or null. Any characters but line breaks are allowed. */
export const pathOfLiteral = (text: string): string | null =>
  text.length <= 300 && /^[^\s<>"|?*:\\][^\n<>"|?*\\]*\.[\w]{1,8}$/u.test(text) && !text.includes('//')
    ? bare(text)
    : null

/** The folders that a path lies in, the outermost first: a/b/c gives a, a/b. */
export const foldersOf = (path: string): string[] =>
  path.split('/').flatMap((_, depth, parts) => (depth === 0 ? [] : [parts.slice(0, depth).join('/')]))
