/** What changed since a request was asked, and whether it rings: each reason alone, and none where there is none. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { apply, having, like, only, sampleWorld } from '@/test/sampleWorld'
import type { EventShape } from '../events'
import { type AgentId, asId, type RequestId, type WaitingId } from '../ids'
import type { RequestRecord, World } from '../records'
import { requestAlerts } from './alerts'
import { changedSince, fingerprintOf, hasChanged, isAwaited, isQuestion, selectAwaitingAsker } from './requests'

const { task, agent } = sampleShapeOf('step.added')
const { seed } = sampleShapeOf('request.opened')
const person = only(seed.asked)
const opened = (change: Partial<EventShape<'request.opened'>['seed']> = {}) =>
  having(
    sampleWorld,
    like('stage.started'),
    like('lock.added'),
    like('request.opened', { request: asId<RequestId>('own'), seed: { ...seed, ...change } }),
  )
const requestOf = (world: World): RequestRecord => {
  const found = world.requests[task]?.[asId<RequestId>('own')]
  if (!found) throw new Error('there is no request')
  return found
}
const changes = (world: World): string[] => changedSince(world, requestOf(world))

describe('what a request is about', () => {
  it('is its call, or else the state of its stage, or else nothing that changes', () => {
    const world = opened()
    const of = (about: object) => fingerprintOf(world, { ...requestOf(world), ...about })
    expect(of({ call: { digest: 'abc' } })).toBe('abc')
    expect(of({ call: null })).toBe('running')
    expect(of({ call: null, stage: null })).toBe('')
    expect(of({ call: null, stage: 'none' })).toBe('')
  })

  it('has changed only while it is open', () => {
    const world = opened()
    expect(hasChanged(world, requestOf(world))).toBe(false)
    const ended = apply(world, like('stage.finished'))
    expect(hasChanged(ended, requestOf(ended))).toBe(true)
    const over = apply(ended, like('request.ended', { state: 'superseded', request: asId<RequestId>('own') }))
    expect(hasChanged(over, requestOf(over))).toBe(false)
  })
})

describe('what changed since a request was asked', () => {
  it('is nothing while all stands as it did, and nothing of one that is over', () => {
    expect(changes(opened())).toEqual([])
    const over = having(
      opened(),
      like('request.ended', { state: 'superseded', request: asId<RequestId>('own') }),
      like('task.finished'),
      like('stage.finished'),
    )
    expect(changes(over)).toEqual([])
  })

  it('is the end of its task or its stage, or another stage in its place', () => {
    expect(changes(apply(opened(), like('task.finished')))).toEqual(['taskOver'])
    expect(changes(apply(opened(), like('stage.finished')))).toEqual(['stageOver'])
    expect(changes(apply(opened(), like('stage.finished', { state: 'failed' })))).toEqual(['stageOver'])
    const { stage } = sampleShapeOf('stage.added')
    expect(changes(apply(opened(), like('stage.finished', { state: 'failed', replacedBy: stage })))).toEqual([
      'stageReplaced',
    ])
    expect(changes(apply(opened({ stage: null }), like('stage.finished')))).toEqual([])
    expect(changes(apply(opened({ fingerprint: 'init' }), like('stage.judging')))).toEqual([])
  })

  it('is the one who asked: removed, or waiting no longer', () => {
    expect(changes(apply(opened(), like('agent.removed')))).toEqual(['askerGone'])
    expect(changes(apply(opened(), like('lock.released')))).toEqual(['askerMovedOn'])
    expect(changes(apply(opened(), like('agent.removed', { agent: person })))).toEqual([])
    expect(changes(apply(opened({ asker: 'system:task' }), like('lock.released')))).toEqual([])
    const another = like('lock.added', {
      lock: { ...sampleShapeOf('lock.added').lock, id: asId<WaitingId>('another') },
    })
    expect(changes(having(opened(), another, like('lock.released')))).toEqual(['askerMovedOn'])
    expect(changes(having(opened(), another))).toEqual([])
    const stranger = asId<AgentId>('00000000-0000-4000-8000-0000000000cc')
    expect(changes(opened({ asker: stranger }))).toEqual([])
  })

  it('without a wait is the part of the one who asked, once it is over', () => {
    const free = { lock: null }
    expect(changes(opened(free))).toEqual([])
    expect(changes(apply(opened(free), like('lock.released')))).toEqual([])
    for (const end of [like('stage.completionSubmitted'), like('stage.agentStateChanged', { state: 'failed' })])
      expect(changes(apply(opened(free), end))).toEqual(['askerMovedOn'])
    expect(changes(apply(opened(free), like('stage.agentStateChanged')))).toEqual([])
    expect(changes(apply(opened({ ...free, stage: null }), like('stage.completionSubmitted')))).toEqual([])
  })

  it.each(['confirm', 'tool'] as const)('of a %s is the end of the step that it holds', (kind) => {
    expect(changes(opened({ kind }))).toEqual([])
    expect(changes(apply(opened({ kind }), like('step.finished')))).toEqual(['stepOver'])
    expect(changes(apply(opened({ kind, step: null }), like('step.finished')))).toEqual([])
  })

  it('of an answer is not the end of the step that asked', () => {
    expect(changes(apply(opened(), like('step.finished')))).toEqual([])
  })
})

describe('a request rings', () => {
  const urgent = { type: 'urgent', state: 'open', claimed: null } as const
  const claimed = { by: agent, at: 1, until: 2 }
  it('while it is an open Urgent that nobody has acknowledged', () => {
    expect(requestAlerts(urgent)).toBe(true)
    expect(requestAlerts({ ...urgent, state: 'claimed' })).toBe(true)
    expect(requestAlerts({ ...urgent, type: 'action' })).toBe(false)
    expect(requestAlerts({ ...urgent, claimed })).toBe(false)
    expect(requestAlerts({ ...urgent, state: 'answered' })).toBe(false)
    expect(requestAlerts({ ...urgent, state: 'superseded' })).toBe(false)
  })
})

describe('the answer to a request', () => {
  const plain: RequestRecord = { ...requestOf(opened()), kind: 'answer', lock: null, choices: [], question: 'Do it.' }
  const locked: RequestRecord = { ...plain, lock: asId<WaitingId>('w') }
  it('is asked for by a wait, by choices or by a question, and waited for by all else but a plain message', () => {
    expect([plain, locked, { ...plain, choices: ['this'] }, { ...plain, question: 'So?' }].map(isQuestion)).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(isQuestion({ ...plain, question: 'See https://a.example/?q=1' })).toBe(false)
    expect(isQuestion({ ...locked, kind: 'confirm' })).toBe(false)
    // A person waits for nothing: what they ask is done or answered, as its receiver likes.
    expect(isQuestion({ ...plain, question: 'So?', number: null })).toBe(false)
    expect([isAwaited(plain), isAwaited(locked), isAwaited({ ...plain, kind: 'confirm' })]).toEqual([false, true, true])
  })

  it('is waited for by its asker, unless that is the task, or it is a part', () => {
    expect([selectAwaitingAsker(locked), selectAwaitingAsker(plain)]).toEqual([agent, null])
    expect(selectAwaitingAsker({ ...locked, kind: 'part' })).toBeNull()
    expect(selectAwaitingAsker({ ...locked, asker: 'system:task' })).toBeNull()
  })
})
