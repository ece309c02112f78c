/** What people decided in a task, and the records that a source names. */
import { expect, it } from 'vitest'
import { sampleOf, sampleShapeOf } from '@/test/samples'
import { having, sampleWorld } from '@/test/sampleWorld'
import type { MessageId, TaskId } from '../ids'
import type { RequestRecord, World } from '../records'
import { stepsIn, withChangedSteps } from '../steps/ownSteps'
import { countAsked, recordOfSource, selectDecisions } from './decisions'

const world = having(sampleWorld, sampleOf('request.answered'))
const { task } = sampleShapeOf('request.answered')

/** The sample request with these changes. */
function withRequest(change: Partial<RequestRecord>): World {
  const [request] = Object.values<RequestRecord>(world.requests[task] ?? {})
  if (!request) throw new Error('no request')
  return { ...world, requests: { [task]: { [request.id]: { ...request, ...change } } } } as World
}
const answer = { by: 'ana', for: null, decision: 'approve', text: 'yes', arguments: null, at: 5, seq: 1 } as never

it('[R481] decisions are the answered requests in their order, with who decided and when; open ones are none', () => {
  expect(selectDecisions(withRequest({ answer, kind: 'answer', question: 'Which?' }), task, 'en')).toMatchObject([
    { title: 'Which?', decision: 'approve', text: 'yes', by: 'ana', at: 5 },
  ])
  expect(selectDecisions(withRequest({ answer: null }), task, 'en')).toEqual([])
  expect(selectDecisions(world, 'none' as TaskId, 'en')).toEqual([])
})

it('[R481] a question of the program is said in the language of its reader', () => {
  const said = { say: 'allow', with: { call: 'files.write' } } as const
  const asked = withRequest({ answer, kind: 'answer', question: 'Allow files.write?', said })
  expect(selectDecisions(asked, task, 'zh')[0]?.title).toBe('允许 files.write？')
  expect(selectDecisions(asked, task, 'en')[0]?.title).toBe('Allow files.write?')
})

it('[R481] questions to people and approved calls are counted, and refused ones are no approvals', () => {
  expect(countAsked(withRequest({ kind: 'answer', answer: null }), task)).toEqual({ questions: 1, approvals: 0 })
  expect(countAsked(withRequest({ kind: 'confirm', answer }), task)).toEqual({ questions: 0, approvals: 1 })
  const refused = { ...(answer as object), decision: 'refuse' } as never
  expect(countAsked(withRequest({ kind: 'confirm', answer: refused }), task)).toEqual({ questions: 0, approvals: 0 })
})

it('[R481] a source names a step by its number or id, or a message by its id; a path, or one of another task, names none', () => {
  const [agent, own] =
    Object.entries(sampleWorld.steps[task] ?? {}).find(([, steps]) => stepsIn(steps).length > 0) ?? []
  const [step] = stepsIn(own)
  const [message] = Object.keys(sampleWorld.messages[task] ?? {}) as MessageId[]
  if (agent === undefined || own === undefined || !step || message === undefined)
    throw new Error('no step, or no message')
  const numbered = withChangedSteps(own, [step.id], (old) => ({ ...old, number: 14 }))
  const withNumber = { ...sampleWorld, steps: { [task]: { [agent]: numbered } } } as World
  expect(recordOfSource(withNumber, task, '#14')).toEqual({ kind: 'step', id: step.id })
  expect(recordOfSource(sampleWorld, task, step.id)).toEqual({ kind: 'step', id: step.id })
  expect(recordOfSource(sampleWorld, task, message)).toEqual({ kind: 'message', id: message })
  for (const source of ['prices/north.csv', '#99999', '#', null])
    expect(recordOfSource(sampleWorld, task, source)).toBeNull()
  expect(recordOfSource(sampleWorld, 'other' as TaskId, step.id)).toBeNull()
})
