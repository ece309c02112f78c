/** Once it is told that there is little to do, until there was more. */
import { expect, it } from 'vitest'
import { watchQuiet } from './quiet'

it('[R205] there is little to do while the loop works less than three hundredths of its time, which is told once', () => {
  const parts = [0.5, 0.03, 0.029, 0, 0.03, 0.02]
  let [told, isStopped] = [0, false]
  let look = (): void => {}
  const stop = watchQuiet({
    worked: () => parts.shift() ?? 0,
    onQuiet: () => {
      told += 1
    },
    schedule: (run) => {
      look = run
      return () => {
        isStopped = true
      }
    },
  })
  const counts = Array.from({ length: 6 }, () => {
    look()
    return told
  })
  expect(counts).toEqual([0, 0, 1, 1, 1, 2])
  stop()
  expect(isStopped).toBe(true)
})
