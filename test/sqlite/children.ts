/** Starts child.ts and listens to its lines. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundledProgram } from '@/test/programs'

export type Child = {
  process: ChildProcess
  /** whole lines printed so far */
  lines: string[]
  /** resolves at the first line that fits, rejects when the process ends without one */
  said(test: (line: string) => boolean): Promise<string>
  /** resolves when it is gone and all it printed is in `lines` */
  ended: Promise<void>
}

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** limitKiB: the largest file that the process may write (its disk is full there) */
export function startChild(
  what: 'hold' | 'node' | 'append' | 'forget',
  folder: string,
  seed = '0',
  limitKiB?: number,
): Child {
  const argv = [process.execPath, bundledProgram(CHILD), what, folder, seed]
  // With the signal ignored, a write over the limit fails like one on a full disk.
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f ${(limitKiB ?? 0) * 2}; exec "$@"`, 'sh', ...argv]
  const [command = '', ...args] = limitKiB === undefined ? argv : limited
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })

  const lines: string[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  let isOver = false
  const wake = () => {
    for (const check of waiting) check()
  }
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      isOver = true
      resolve()
      wake()
    })
  })
  return {
    process: child,
    lines,
    ended,
    said: (test) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const line = lines.find(test)
          if (line === undefined && !isOver) return
          waiting.delete(check)
          if (line === undefined) reject(new Error(`ended without the line; it said ${lines.join(' | ')}`))
          else resolve(line)
        }
        waiting.add(check)
        check()
      }),
  }
}
