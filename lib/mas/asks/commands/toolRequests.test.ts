/** What a tool server asks while its call runs: of whom, how it may be answered, and when it is asked no more. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, must, READER, stepsOf, storyOf } from '@/test/stories'
import { outcomeOf, planned, runTool, type Story } from '@/test/worldHistories'
import { bodyOf } from '../../bodies'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import type { RequestId, StepId } from '../../ids'
import type { Decision, RequestRecord, StepRecord, ToolQuestion } from '../../records'

const RUNNER = 'system:runner'
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const { ref } = bodyOf('{"n":1}', 'application/json')
const question = (asks: ToolQuestion['asks']): ToolQuestion => ({
  server: 'files',
  tool: 'count',
  asks,
  schema: {},
  url: null,
  body: null,
})

/** A tool of Reader runs. */
function running(): { story: Story; step: StepRecord } {
  const { story } = storyOf(goals('read', READER, BEN))
  story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('think')] } }))
  const tool = must(
    stepsOf(story.world, READER).find(({ type }) => type === 'tool'),
    'tool',
  )
  const instruction = { kind: 'call', target: 'tool', name: 'count', arguments: ref } as const
  story.run(READER, () => outcomeOf({ instruct: { step: tool.id, instruction } }))
  return { story, step: must(story.start(READER), 'tool that runs') }
}
const opens = (step: StepId, asks: ToolQuestion['asks'] = 'form', attempt = 1): Command => ({
  type: 'openToolRequest',
  step,
  attempt,
  message: 'Which of them?',
  tool: question(asks),
})
/** Its call asks this. */
function asked(asks: ToolQuestion['asks'] = 'form') {
  const { story, step } = running()
  story.put(RUNNER, opens(step.id, asks))
  const request = must(
    story.openRequests().find(({ kind }) => kind === 'tool'),
    'request',
  )
  return { story, step, request }
}
const now = (story: Story, { task, id }: RequestRecord) => must(story.world.requests[task]?.[id], 'request')
const answer = (request: RequestId, more: Partial<CommandOf<'answerRequest'>> = {}): Command => ({
  type: 'answerRequest',
  request,
  decision: 'answer',
  text: '',
  arguments: (more.decision ?? 'answer') === 'answer' ? ref : null,
  digest: null,
  ...more,
})

describe('a tool server that asks', () => {
  it('asks the people of the task, who are called for it; its agent stands still by the call, not by a lock', () => {
    const { story, request } = asked()
    expect(request).toMatchObject({
      asked: [BEN, ANA],
      type: 'urgent',
      lock: null,
      asker: READER,
      stage: expect.any(String),
    })
    expect(request.question).toBe('files asks: Which of them?')
    expect(asked('sampling').request.question).toMatch(/files.*Reader[\s\S]*Which of them\?$/)
    expect(story.world.work[READER]?.locks).toEqual([])
  })

  it.each([
    ['form', 'files'],
    ['sampling', 'Reader'],
  ] as const)('for a %s names %s', (asks, name) => {
    expect(asked(asks).request.question).toContain(name)
  })

  it('asks only as long as that very try of its call runs', () => {
    const { story, step } = running()
    expect(refusal(story, RUNNER, opens(step.id))).toBeNull()
    expect(refusal(story, RUNNER, opens(step.id, 'form', 2))).toBe('STEP_OVER')
    expect(refusal(story, RUNNER, opens('none' as StepId))).toBe('STEP_OVER')
    story.finish(step, outcomeOf({}))
    expect(refusal(story, RUNNER, opens(step.id))).toBe('STEP_OVER')
  })

  it.each<[ToolQuestion['asks'], readonly Decision[]]>([
    ['form', ['answer', 'refuse', 'cannot']],
    ['url', ['done', 'refuse', 'cannot']],
    ['sampling', ['approve', 'refuse']],
  ])('for a %s is answered by %j alone', (asks, fits) => {
    const { story, request } = asked(asks)
    for (const decision of ['answer', 'done', 'approve', 'refuse', 'cannot'] as const)
      expect(refusal(story, BEN, answer(request.id, { decision })), decision).toBe(
        fits.includes(decision) ? null : 'DECISION_UNFIT',
      )
  })

  it('is answered by those who are asked, with the form filled in, once', () => {
    const { story, request } = asked()
    expect(refusal(story, BEN, answer(request.id, { arguments: null }))).toBe('BAD_ARGUMENTS')
    expect(refusal(story, BEN, answer(request.id, { arguments: null, decision: 'cannot' }))).toBeNull()
    expect(refusal(story, LEE, answer(request.id))).toBe('NOT_FOUND')
    story.put(BEN, answer(request.id))
    expect(now(story, request)).toMatchObject({ state: 'answered', answer: { by: BEN, decision: 'answer' } })
    expect(refusal(story, ANA, answer(request.id))).toBe('REQUEST_OVER')
  })

  it.each(['server', 'call'] as const)('asks no more when the %s says so, and what was answered stays', (because) => {
    const { story, request } = asked()
    const withdraws: Command = { type: 'withdrawToolRequest', request: request.id, because }
    story.put(RUNNER, withdraws)
    expect(now(story, request).state).toBe('superseded')
    const ends = now(story, request).endReason
    const other = asked()
    other.story.put(RUNNER, {
      ...withdraws,
      request: other.request.id,
      because: because === 'server' ? 'call' : 'server',
    })
    expect(now(other.story, other.request).endReason).not.toBe(ends)
    const settled = asked()
    settled.story.put(BEN, answer(settled.request.id))
    expect(settled.story.put(RUNNER, { ...withdraws, request: settled.request.id })?.events).toEqual([])
    expect(now(settled.story, settled.request).state).toBe('answered')
  })

  it('asks no more when its call is over, lost or cancelled; other requests of the task stay', () => {
    for (const ends of [
      (story: Story, step: StepRecord) => void story.finish(step, outcomeOf({})),
      (story: Story, step: StepRecord) => {
        story.put('system:recovery', { type: 'recoverStep', step: step.id, again: true, reason: 'stopped' })
      },
      (story: Story, step: StepRecord) => {
        story.put(ANA, { type: 'cancelStep', step: step.id, reason: 'no' })
      },
    ]) {
      const { story, step, request } = asked()
      ends(story, step)
      expect(now(story, request).state).toBe('superseded')
      expect(story.openRequests().map(({ kind }) => kind)).toContain('part')
    }
  })

  it('is withdrawn by its own request alone', () => {
    const { story } = asked()
    const part = must(
      story.openRequests().find(({ kind }) => kind === 'part'),
      'part',
    )
    story.put(RUNNER, { type: 'withdrawToolRequest', request: part.id, because: 'call' })
    expect(now(story, part).state).toBe('open')
  })
})

it('a question of another call stays when a call is over', () => {
  const { story, step, request } = asked()
  story.put(ANA, runTool(story.world, step.task, { reason: 'to see' }))
  const other = must(story.start(ANA), 'call by hand')
  story.put(RUNNER, opens(other.id))
  const ofAna = must(
    story.openRequests().find(({ kind, id }) => kind === 'tool' && id !== request.id),
    'other request',
  )
  story.finish(step, outcomeOf({}))
  expect([now(story, request).state, now(story, ofAna).state]).toEqual(['superseded', 'open'])
})
