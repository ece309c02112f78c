/** Files that tool calls read and wrote, derived from names of tools and arguments. */
import { escapeTags } from '@/lib/mas/formats'
import { stepsThat } from '@/lib/mas/ownSteps'
import type { StepRecord } from '@/lib/mas/records'
import { stepHandle } from '@/lib/mas/selectors/agents/handles'

const MOST_FILES = 20

type FileUse = { path: string; isWritten: boolean; bytes: number; step: StepRecord }

/** Successful tool calls in order; all others name no file. */
export const callsIn = stepsThat(({ state, instruction }) => state === 'finished' && instruction?.kind === 'call')

/**
 * One line for the files read and one for those written, each file with its newest call and approximate size.
 *
 * in      successful calls, oldest first; which of the two lines
 * out     no line without files; at most the newest 20 of each
 */
export function writeFiles(
  steps: readonly StepRecord[],
  kinds: readonly ('read' | 'written')[] = ['read', 'written'],
): string[] {
  const uses = steps.flatMap(useOf)
  return kinds.flatMap((kind) =>
    writeLine(
      `files ${kind}`,
      uses.filter(({ isWritten }) => isWritten === (kind === 'written')),
    ),
  )
}

function useOf(step: StepRecord): FileUse[] {
  if (step.instruction?.kind !== 'call') return []
  const { name, arguments: given } = step.instruction
  const path = /"(?:path|file|filename|destination)"\s*:\s*"([^"\\]+)"/.exec(given.preview)?.[1]
  if (path === undefined) return []
  if (/write|edit|create|move|save/i.test(name)) return [{ path, isWritten: true, bytes: given.bytes, step }]
  if (!/read|get|open|fetch/i.test(name)) return []
  return [{ path, isWritten: false, bytes: step.result?.body?.bytes ?? step.result?.text.length ?? 0, step }]
}

function writeLine(head: string, uses: readonly FileUse[]): string[] {
  const newest = new Map<string, FileUse>()
  for (const use of uses) {
    newest.delete(use.path)
    newest.set(use.path, use)
  }
  const files = [...newest.values()].slice(-MOST_FILES).map(({ path, bytes, step }) => {
    const about = [stepHandle(step), `about ${sayBytes(bytes)}`].filter((one) => one !== null)
    return `${path} (${about.join(', ')})`
  })
  return files.length === 0 ? [] : [escapeTags(`${head}: ${files.join(', ')}`)]
}

export const sayBytes = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`)
