/** Names of files in a text: what could be a path of the workspace. Pure. */

/** `prices/report.md`, `report.md`; no web address, no number. Han names in backticks only. Linear: repetitions are bounded. */
const PATH =
  /(?<![\w./\\@:~%-])(?:\.\/)?(?:[^\W][\w.-]{0,99}\/){0,12}[^\W][\w.-]{0,99}\.[a-z][a-z0-9]{0,7}(?![\w/\\@-]|\.[\w/])/giu
/** Names that are looked for in one text. */
const MOST = 20

/** The text in pieces, in order: those with `path` may name a file. */
type PathPiece = { text: string; path: string | null }

/** The text in pieces, in order; `path` where a piece names a file. */
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

/** A literal as a whole: the path that it may name, else null. Any characters may stand in it, but for line ends. */
export const pathOfLiteral = (text: string): string | null =>
  text.length <= 300 && /^[^\s<>"|?*:\\][^\n<>"|?*\\]*\.[\w]{1,8}$/u.test(text) && !text.includes('//')
    ? bare(text)
    : null
