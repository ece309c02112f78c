// What the scripts say to the person at the terminal.

/** One plain line about what is happening. */
export function say(text = '') {
  process.stdout.write(`${text}\n`)
}

/** A duration as people read it: 0.4 s, 12.3 s, 2 min 5 s. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** A problem that a person can do something about: said without a stack. `lines` are what to do next. */
export class CannotGoOn extends Error {
  constructor(message, lines = []) {
    super(message)
    this.lines = lines
  }
}

/** Run a script's main function; a CannotGoOn becomes plain words and exit code 1. */
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
