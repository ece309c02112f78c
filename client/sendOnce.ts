/** Sending what may have to be repeated: the same values are the same command until the server has answered. */
import { useState } from 'react'
import type { CommandHead } from '@/lib/wire'
import { type ApiResult, commandDeadline, newId } from './api'

export function createSendOnce() {
  let unanswered: { key: string; id: string } | null = null
  /** in: key: the command with its values */
  return async <T>(key: string, send: (head: CommandHead) => Promise<ApiResult<T>>): Promise<ApiResult<T>> => {
    const id = unanswered?.key === key ? unanswered.id : newId()
    unanswered = { key, id }
    const answer = await send({ id, until: commandDeadline() })
    if (answer.ok || answer.fault.error !== 'NO_ANSWER') unanswered = null
    return answer
  }
}

export const useSendOnce = (): ReturnType<typeof createSendOnce> => useState(createSendOnce)[0]
