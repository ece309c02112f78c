/** Errors of the configuration, for a person to read. */

/** One error. line and column count from 1; null: in the environment, not in a file. */
export type Problem = {
  file: string
  line: number | null
  column: number | null
  /** Its path in the document, as people write it: `agents[1].tools`. Empty for the whole file. */
  at: string
  message: string
  hint: string | null
}

/** All errors in the order of the file. Its message is ready to print. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super([heading(problems.length), ...problems.map(sayProblem)].join('\n'))
    this.name = 'ConfigError'
  }
}

const heading = (count: number): string =>
  count === 1 ? 'The configuration has a mistake:' : `The configuration has ${count} mistakes:`

function sayProblem({ file, line, column, at, message, hint }: Problem): string {
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`
  const what = at === '' ? message : `${at}: ${message}`
  return `  ${place}  ${what}${hint === null ? '' : `\n      ${hint}`}`
}

/** An error before its position in the text is known. */
export type Finding = {
  path: readonly PropertyKey[]
  /** The key itself is wrong, not its value. */
  isKey: boolean
  message: string
  hint: string | null
}

/** ['agents', 1, 'tools'] → agents[1].tools */
export const sayPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((said, part) => {
    if (typeof part === 'number') return `${said}[${part}]`
    return said === '' ? String(part) : `${said}.${String(part)}`
  }, '')
