import { expect, it } from 'vitest'
import type { StepId } from '@/lib/mas/ids'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import type { StepAnswer } from '@/lib/wire'
import { attemptsOf, earlierAttempts, hasAttempts, textOfPart } from './attempts'

type Some = Partial<Omit<StepRecord, 'id' | 'retryOf' | 'boundTo'>> & { id: string; retryOf?: string; boundTo?: string }
const step = ({ id, ...more }: Some): StepRecord =>
  ({
    id: id as StepId,
    type: 'skill',
    calls: [],
    batch: undefined,
    boundTo: null,
    retryOf: null,
    ...more,
  }) as StepRecord
const calls = (...ids: string[]): ModelCall[] => ids.map((id) => ({ id }) as ModelCall)
const finding = (...steps: StepRecord[]) => {
  const asked: string[] = []
  const find = async (id: string) => {
    asked.push(id)
    const found = steps.find((one) => one.id === id)
    return found
      ? { ok: true as const, value: { step: found } as StepAnswer }
      : { ok: false as const, fault: { error: 'NOT_FOUND', message: 'gone' } as never }
  }
  return { find, asked }
}
const said = (attempts: ReturnType<typeof attemptsOf>): string[] =>
  attempts.map((one) => `${one.step.id} ${one.asked.id} ${one.call?.id ?? '-'}`)

it('[R487] each call of the model is an attempt; without one the step itself is', () => {
  const repaired = step({ id: 's', calls: calls('a', 'b') })
  expect(said(attemptsOf(repaired, repaired))).toEqual(['s s a', 's s b'])
  const byHand = step({ id: 't', type: 'tool' })
  expect(said(attemptsOf(byHand, byHand))).toEqual(['t t -'])
  expect([hasAttempts(repaired, repaired), hasAttempts(byHand, byHand)]).toEqual([true, false])
  expect(hasAttempts(step({ id: 'u', retryOf: 's' }), byHand)).toBe(true)
})

it('[R487] the steps that were tried before come first, each with the step that wrote its call', async () => {
  const writer = step({ id: 'w', calls: calls('a') })
  const first = step({ id: 'first', type: 'tool', boundTo: writer.id })
  const second = step({ id: 'second', calls: calls('b', 'c'), retryOf: first.id })
  const { find } = finding(writer, first, second)
  const found = await earlierAttempts({ retryOf: second.id }, find)
  expect(found.ok && said(found.value)).toEqual(['first w a', 'second second b', 'second second c'])
})

it('[R487] what may not be read is refused, and a long row of tries is cut', async () => {
  const { find } = finding()
  expect(await earlierAttempts({ retryOf: 'gone' as StepId }, find)).toMatchObject({ ok: false })
  expect(await earlierAttempts({ retryOf: null }, find)).toEqual({ ok: true, value: [] })
  const around = step({ id: 'a', retryOf: 'a' })
  const round = finding(around)
  expect(await earlierAttempts(around, round.find)).toMatchObject({ ok: true })
  expect(round.asked).toHaveLength(10)
})

it('an answer is compared with its calls, so that two that differ in a call alone differ', () => {
  const answer = (path: string) => ({
    call: { id: 'm1' } as ModelCall,
    text: '',
    calls: [{ name: 'read', arguments: `{"path":"${path}"}` }],
    reasoning: null,
  })
  expect(textOfPart(answer('a.csv'))).toBe('read\n{"path":"a.csv"}')
  expect(textOfPart({ ...answer('b.csv'), text: 'Well.' })).toBe('Well.\n\nread\n{"path":"b.csv"}')
})
