/** Repeats of a command whose answer was lost. */
import { describe, expect, it } from 'vitest'
import { type ApiResult, noAnswer } from './api'
import { createSendOnce } from './sendOnce'

const LOST: ApiResult<null> = { ok: false, fault: noAnswer('') }
const DONE: ApiResult<null> = { ok: true, value: null }

describe('commands that are sent again', () => {
  it('[C2] the same values keep their id until the server has answered, and other values have another', async () => {
    const ids: string[] = []
    const sendOnce = createSendOnce()
    const send = (key: string, answer: ApiResult<null>) =>
      sendOnce(key, async ({ id }) => {
        ids.push(id)
        return answer
      })
    await send('a', LOST)
    await send('a', LOST)
    await send('b', LOST)
    await send('b', DONE)
    await send('b', DONE)
    const [first, again, other, accepted, next] = ids
    expect(again).toBe(first)
    expect(accepted).toBe(other)
    expect(new Set([first, other, next]).size).toBe(3)
  })
})
