// Terminal output of the scripts.

/**
 * A terminal obeys control characters, so those of registries, paths and other programs are shown as codes. The programs in
 * TypeScript also show the other hidden characters (server/terminal.ts).
 */
export function say(text = '') {
  process.stdout.write(`${text.replace(CONTROLS, codeOf)}\n`)
}

/** Also direction controls; not the ends of lines, and tabs. */
const CONTROLS = /\r(?!\n)|[^\P{Cc}\t\r\n]|[\u202A-\u202E\u2066-\u2069]/gu
const codeOf = (sign) => `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`

/** A duration for people: 0.4 s, 12.3 s, 2 min 5 s. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** An error that a person can fix, printed without a stack. `lines`: what to do. */
export class CannotGoOn extends Error {
  constructor(message, lines = []) {
    super(message)
    this.lines = lines
  }
}

/** Run a script's main function; a CannotGoOn is printed, with exit code 1. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof CannotGoOn)) throw error
    say()
    say(`Convene cannot go on: ${error.message}`)
    for (const line of error.lines) say(`  ${line}`)
    process.exitCode = 1
  }
}
