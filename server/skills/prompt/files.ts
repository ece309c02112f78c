/** Files that tool calls wrote, derived from names of tools and arguments. */
import { isJsonObject } from '@/lib/json'
import { escapeTags } from '@/lib/mas/formats'
import type { Json, OwnSteps, StepRecord } from '@/lib/mas/records'
import { completeArguments } from '@/lib/mas/steps/callWords'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { stepHandle } from '@/lib/mas/team/handles'

const MOST_FILES = 20

/** bytes: null where they are not known */
type Written = { path: string; bytes: number | null; step: StepRecord }

/** Successful tool calls in order; all others name no file. */
export const callsIn = (own: OwnSteps | undefined): StepRecord[] =>
  stepsIn(own).filter(({ state, instruction }) => state === 'finished' && instruction?.kind === 'call')

/**
 * One line for the files written, each with its newest call and approximate size.
 *
 * in      successful calls, oldest first
 * out     no line without files; at most the newest 20
 */
export function writeFiles(steps: readonly StepRecord[]): string[] {
  const newest = new Map<string, Written>()
  for (const file of steps.flatMap(writtenBy)) {
    newest.delete(file.path)
    newest.set(file.path, file)
  }
  const files = [...newest.values()].slice(-MOST_FILES).map(({ path, bytes, step }) => {
    const size = bytes === null ? '' : `, about ${sayBytes(bytes)}`
    return `${path} (${stepHandle(step)}${size})`
  })
  return files.length === 0 ? [] : [escapeTags(`files written: ${files.join(', ')}`)]
}

/** Words of tools' names: those that change files, and those that look for files or at folders. */
const WRITES = new Set([
  'write',
  'edit',
  'create',
  'save',
  'append',
  'update',
  'put',
  'copy',
  'move',
  'rename',
  'replace',
])
const NO_FILE = new Set(
  'directory directories folder folders dir mkdir list ls tree search find glob grep stat info exists delete remove rm'.split(
    ' ',
  ),
)
/** Keys of arguments that name files, in any spelling; the target of a copy or a move is what was written. */
const PATHS = new Set('path paths file files filename filenames filepath filepaths document source uri'.split(' '))
const TARGETS = new Set('destination dest target to newpath'.split(' '))
const CONTENTS = new Set('content contents text data body'.split(' '))
const plain = (key: string): string => key.toLowerCase().replace(/[\s_-]/g, '')

function writtenBy(step: StepRecord): Written[] {
  if (step.instruction?.kind !== 'call' || step.instruction.target !== 'tool') return []
  const { name, arguments: given } = step.instruction
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  if (!words.some((word) => WRITES.has(word)) || words.some((word) => NO_FILE.has(word))) return []
  const args = Object.entries(completeArguments(step.instruction)).map(([key, value]) => [plain(key), value] as const)
  const named = (keys: ReadonlySet<string>): string[] =>
    args.flatMap(([key, value]) => (keys.has(key) ? namesIn(value) : []))
  const to = named(TARGETS)
  const paths = to.length > 0 ? to : named(PATHS)
  // What several files have together is the size of none of them.
  const bytes = paths.length === 1 ? contentBytes(args, given.bytes, words.includes('edit')) : null
  return paths.map((path) => ({ path, bytes, step }))
}

/** The names in an argument: one, a list of them, or of objects with a path. */
function namesIn(value: Json): string[] {
  const all: readonly Json[] = Array.isArray(value) ? value : [value]
  return all.flatMap((one) => {
    const name = isJsonObject(one) ? one.path : one
    return typeof name === 'string' && name !== '' && !name.includes('\n') ? [name] : []
  })
}

/** Bytes of what is written: null for a part of a file; all of the arguments where the content does not stand whole in their beginning. */
function contentBytes(args: readonly (readonly [string, Json])[], all: number, isPart: boolean): number | null {
  if (isPart) return null
  const content = args.find(([key]) => CONTENTS.has(key))?.[1]
  return typeof content === 'string' ? new TextEncoder().encode(content).length : all
}

export const sayBytes = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`)
