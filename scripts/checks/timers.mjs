// No timer asks the page where something is: that costs a layout each time. Elements report themselves (client/onScreen.ts,
// client/pageUse.ts), observers report sizes, style sheets place things.
import { codeFiles, isTestFile } from './sources.mjs'

export const name = 'timers: none of them searches or measures the page'

const PAGE_FILES = /^(app|components|client)\/.*\.tsx?$/
const LOOKS =
  /\.(querySelector(All)?|getElementsBy\w+|elements?FromPoint|getBoundingClientRect|getClientRects|checkVisibility)\(|\bgetComputedStyle\(|\.(offset|client|scroll)(Top|Left|Width|Height)\b(?!\s*=[^=])/
const TIMER = /\b(?:setInterval|setTimeout)\(\s*/g
/** A function or constant of a file, by its name. */
const NAMED = /(?:\bfunction\s+|\bconst\s+)(\w+)/g
const IMPORTED = /\bimport\s*\{([^}]*)\}/g
const CALLED = /(?<![.\w])(\w+)\(/g

/** The text from here up to `ends` or a bracket that was not opened. */
function pieceAt(text, from, ends) {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if ('([{'.includes(text[at])) depth += 1
    else if (')]}'.includes(text[at])) depth -= 1
    if (depth < 0 || (depth === 0 && ends.test(text.slice(at, at + 80)))) return text.slice(from, at)
  }
  return text.slice(from)
}

/** out: the text of each function and constant, by `path name`, and of those that are exported also by `* name` */
function textsIn(files) {
  const texts = new Map()
  for (const { path, text } of files) {
    for (const { 1: named, index } of text.matchAll(NAMED)) {
      const indent = index - (text.lastIndexOf('\n', index) + 1)
      const own = pieceAt(text, index, new RegExp(`^\\n {0,${indent}}\\S`))
      texts.set(`${path} ${named}`, `${texts.get(`${path} ${named}`) ?? ''}\n${own}`)
      if (/\bexport\s+(default\s+)?(async\s+)?$/.test(text.slice(Math.max(0, index - 24), index)))
        texts.set(`* ${named}`, own)
    }
  }
  return texts
}

const importedBy = (text) => new Set([...text.matchAll(IMPORTED)].flatMap(([, names]) => names.match(/\w+/g) ?? []))

export function check(files = codeFiles()) {
  const page = files.filter(({ path }) => PAGE_FILES.test(path) && !isTestFile(path))
  const texts = textsIn(page)
  return page.flatMap(({ path, text }) => {
    const imported = importedBy(text)
    const textOf = (named) =>
      texts.get(`${path} ${named}`) ?? (imported.has(named) ? texts.get(`* ${named}`) : undefined)
    /** What it calls in this file, and what that imports, is followed. */
    const looks = (part, seen) =>
      LOOKS.test(part) ||
      [...part.matchAll(CALLED)].some(([, called]) => {
        if (seen.has(called)) return false
        seen.add(called)
        const next = textOf(called)
        return next !== undefined && looks(next, seen)
      })
    return [...text.matchAll(TIMER)].flatMap(({ index, 0: call }) => {
      const callback = pieceAt(text, index + call.length, /^,/)
      const started = /^\w+$/.test(callback) ? (textOf(callback) ?? '') : callback
      const line = text.slice(0, index).split('\n').length
      return looks(started, new Set())
        ? [`${path}:${line} searches or measures the page: ${callback.split('\n')[0]}`]
        : []
    })
  })
}
