/** Finds possible workspace paths in a text. Pure. */

/** `prices/report.md`, `报告.md`; no web addresses or numbers. Linear: repetitions are bounded. */
const PATH =
  /(?:(?<![\w./\\@:~%\p{sc=Han}-])|(?=[\w.])(?<![\w./\\@:~%-]|[./\\@:~%-]\p{sc=Han}{1,99}))(?:\.\/)?(?:[\w\p{sc=Han}][\w\p{sc=Han}.-]{0,99}\/){0,12}[\w\p{sc=Han}][\w\p{sc=Han}.-]{0,99}\.[a-z][a-z0-9]{0,7}(?![\w/\\@-]|\.[\w/])/giu
/** Where a name can begin in Chinese, which has no spaces: at each character, and at a word of another script. */
const BEGINNING = /(?<=\p{sc=Han})[\w\p{sc=Han}]/gu
/** Most names found in one text. */
const MOST = 20

/** paths: those that the end of the piece may name, the longest first. */
type PathPiece = { text: string; paths: readonly string[] }

/** The text in pieces, in order; a piece without paths names no file. */
export function splitPaths(text: string): PathPiece[] {
  const pieces: PathPiece[] = []
  let from = 0
  let count = 0
  for (const { 0: name, index } of text.matchAll(PATH)) {
    if (count >= MOST) break
    count += 1
    if (index > from) pieces.push({ text: text.slice(from, index), paths: [] })
    pieces.push({ text: name, paths: pathsAtEndOf(name) })
    from = index + name.length
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from), paths: [] })
  return pieces
}

function pathsAtEndOf(text: string): string[] {
  const [first = ''] = text.split(/\/|\.[a-z0-9]+$/iu, 1)
  const later = [...first.matchAll(BEGINNING)].map(({ index }) => text.slice(index))
  return [bare(text), ...later.slice(1 - MOST)]
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
