import { useState } from 'react'
import type { ApiResult, CallRefused } from '@/client/api'

/**
 * What is shown of an answer that is fetched again and again: the last one that came stays while another is on its way, and
 * while the server is away.
 *
 * out     value: null: none has come yet; refused: why there is none to show
 */
export function useKeptAnswer<T>(answer: ApiResult<T> | null): { value: T | null; refused: CallRefused | null } {
  const [kept, setKept] = useState<T | null>(null)
  if (answer?.ok && answer.value !== kept) setKept(answer.value)
  const value = answer?.ok ? answer.value : kept
  const isShown = answer === null || answer.ok || (value !== null && answer.fault.error === 'NO_ANSWER')
  return { value, refused: isShown ? null : answer.fault }
}
