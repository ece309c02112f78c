/** The attempts of a step, oldest first: each call of its model, and those of the steps that it tries again. */
import { type ApiResult, call } from '@/client/api'
import { type ApiQuery, useApiQuery } from '@/client/queries'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import type { PromptAnswer, ResponseAnswer, StepAnswer, ToolAnswer } from '@/lib/wire'
import { writerOf } from './steps'

/** asked: whose model was called for it: the step itself, or the one that wrote its call. */
export type Attempt = { step: StepRecord; asked: StepRecord; call: ModelCall | null }

export type AttemptPart = PromptAnswer | ResponseAnswer | ToolAnswer

/** What the part of an attempt says, the calls of an answer too, as text whose lines can be compared. */
export function textOfPart(part: AttemptPart): string {
  if ('sections' in part) return part.sections.map(({ name, text }) => `[${name}]\n${text}`).join('\n\n')
  if (!('text' in part)) return part.name === null ? '' : JSON.stringify(part.arguments, null, 2)
  const calls = part.calls.map((one) => `${one.name}\n${one.arguments}`)
  return [part.text, ...calls].filter((text) => text !== '').join('\n\n')
}

/** Steps that are looked for, from the newest backwards. */
const STEPS_MOST = 10

export const attemptsOf = (step: StepRecord, asked: StepRecord): Attempt[] =>
  asked.calls.length === 0
    ? [{ step, asked, call: null }]
    : asked.calls.map((one): Attempt => ({ step, asked, call: one }))

export const hasAttempts = (step: StepRecord, asked: StepRecord): boolean =>
  step.retryOf !== null || asked.calls.length > 1

/** Of the steps that this one tries again. in: find: the record of a step. faults: the first refusal of `find` */
export async function earlierAttempts(
  { retryOf }: Pick<StepRecord, 'retryOf'>,
  find: (id: string) => Promise<ApiResult<StepAnswer>>,
): Promise<ApiResult<Attempt[]>> {
  let found: Attempt[] = []
  let next = retryOf
  for (let count = 0; next !== null && count < STEPS_MOST; count++) {
    const answer = await find(next)
    if (!answer.ok) return answer
    const { step } = answer.value
    const writer = writerOf(step)
    const written = writer === null ? null : await find(writer)
    if (written !== null && !written.ok) return written
    found = [...attemptsOf(step, written?.value.step ?? step), ...found]
    next = step.retryOf
  }
  return { ok: true, value: found }
}

export function useAttempts(step: StepRecord, asked: StepRecord): ApiQuery<Attempt[]> {
  const { id, retryOf } = step
  // Steps that were tried before may have left the views.
  const earlier = useApiQuery<Attempt[]>(`/api/steps/${id}/attempts`, {
    ask: () => earlierAttempts({ retryOf }, (one) => call<StepAnswer>('GET', `/api/steps/${one}`)),
  })
  return { ...earlier, data: earlier.data && [...earlier.data, ...attemptsOf(step, asked)] }
}
