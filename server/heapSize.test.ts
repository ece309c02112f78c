/** The heap stays little above what is in use, and becomes small again when there is little to do. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bundledProgram } from '@/test/programs'
import { keepHeapSmall } from './heapSize'

it('[R205] V8 optimizes for size while the loop works less than three hundredths of its time, and is told only of changes', () => {
  const flags: string[] = []
  const parts = [0.5, 0.03, 0.029, 0, 0.03, 0.02]
  let look = (): void => {}
  let isStopped = false
  const stop = keepHeapSmall({
    worked: () => parts.shift() ?? 0,
    used: () => 0,
    setFlag: (flag) => flags.push(flag),
    onQuiet: () => flags.push('quiet'),
    schedule: (run) => {
      look = run
      return () => {
        isStopped = true
      }
    },
  })
  const told = (): string[] => {
    look()
    return flags.splice(0)
  }
  expect([told(), told(), told(), told(), told(), told()]).toEqual([
    [],
    [],
    ['--optimize-for-size', 'quiet'],
    [],
    ['--no-optimize-for-size'],
    ['--optimize-for-size', 'quiet'],
  ])
  stop()
  expect(isStopped).toBe(true)
})

it('[R205] a heap of 256 MiB and more grows by 30 %, a smaller one by the rule of V8', () => {
  const flags: string[] = []
  const sizes = [256 * 1_048_576 - 1, 256 * 1_048_576, 900 * 1_048_576, 100]
  let look = (): void => {}
  keepHeapSmall({
    worked: () => 1,
    used: () => sizes.shift() ?? 0,
    setFlag: (flag) => flags.push(flag),
    onQuiet() {},
    schedule: (run) => {
      look = run
      return () => {}
    },
  })
  const told = (): string[] => {
    look()
    return flags.splice(0)
  }
  expect([told(), told(), told(), told()]).toEqual([
    [],
    ['--heap-growing-percent=30'],
    [],
    ['--heap-growing-percent=0'],
  ])
})

it('[R205] a process with a large heap keeps less than three times what it uses while it works, and gives pages back when it rests', {
  timeout: 90_000,
}, async () => {
  const program = bundledProgram('test/heapHolder.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  const { busy, rest, total, left } = JSON.parse(stdout)
  expect(busy).toBeLessThan(rest * 3)
  expect(left).toBeLessThan(total * 0.75)
})
