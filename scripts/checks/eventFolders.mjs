// A subject of the domain is one folder: what an event says (events.ts) and what it does (reduce*.ts) stand side by side.
import { codeFiles, isTestFile, withoutComments } from './sources.mjs'

export const name = 'event folders: an event and its reducer stand in one folder of lib/mas'

const EVENTS = /^lib\/mas\/(\w+)\/events\.ts$/
const REDUCERS = /^lib\/mas\/(\w+)\/reduce\w*\.ts$/
const KEYS = /^ {2}'(\w+\.\w+)':/gm

/** @returns {string[]} one line per event whose reducer is elsewhere, or missing */
export function check(files = codeFiles()) {
  const said = foldersOf(files, EVENTS)
  const done = foldersOf(files, REDUCERS)
  return [...said].flatMap(([event, folder]) => {
    const place = done.get(event)
    if (place === folder) return []
    const where = place === undefined ? 'no folder of lib/mas' : `lib/mas/${place}/`
    return [`${event} stands in lib/mas/${folder}/events.ts, its reducer in ${where}`]
  })
}

/** @returns {Map<string, string>} event → folder */
function foldersOf(files, pattern) {
  return new Map(
    files
      .filter(({ path }) => pattern.test(path) && !isTestFile(path))
      .flatMap(({ path, text }) =>
        [...withoutComments(text).matchAll(KEYS)].map(([, event]) => [event, pattern.exec(path)[1]]),
      ),
  )
}
