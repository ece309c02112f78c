/** Finds workspace paths in the arguments of a call that are hidden from its caller. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Arguments with text that is written or searched for, which is no path. */
const TEXTS = new Set(['content', 'oldText', 'newText', 'pattern', 'excludePatterns'])
const LONGEST_PATH = 4_096

/** The first path below `root` in the arguments that the caller may not see, or null. */
export async function hiddenPathIn(
  root: string,
  args: unknown,
  isHidden: (path: string) => boolean,
): Promise<string | null> {
  for (const text of textsIn(args)) {
    const named = absolute(root, text)
    if (named === null) continue
    // A symbolic link may lead there from elsewhere.
    const real = await realpath(named).catch(() => named)
    const realRoot = await realpath(root).catch(() => root)
    for (const path of [below(root, named), below(realRoot, real)]) if (path !== null && isHidden(path)) return path
  }
  return null
}

/** Paths below the root in the arguments of a call, as written, with slashes. */
export function pathsNamedIn(root: string, args: unknown): string[] {
  const paths = [...textsIn(args)].flatMap((text) => {
    const named = absolute(root, text)
    return named === null ? [] : (below(root, named) ?? [])
  })
  return [...new Set(paths)].filter((path) => path !== '')
}

function* textsIn(value: unknown, name = ''): Generator<string> {
  if (typeof value === 'string') {
    if (!TEXTS.has(name) && value.length <= LONGEST_PATH) yield value
  } else if (Array.isArray(value)) {
    for (const one of value) yield* textsIn(one, name)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) yield* textsIn(one, key)
  }
}

function absolute(root: string, text: string): string | null {
  if (text === '' || text.includes('\0')) return null
  try {
    if (/^file:/i.test(text)) return fileURLToPath(text)
  } catch {
    return null
  }
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(root, text)
}

function below(root: string, path: string): string | null {
  const way = relative(root, path).split(sep).join('/')
  return way.startsWith('..') || resolve(root, way) !== path ? null : way
}
