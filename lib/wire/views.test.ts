/** Names of views: what each means, and what is none. */
import { describe, expect, it } from 'vitest'
import { isRecordView, parseView } from './views'

const [task, agent, stage] = ['1', '2', '3'].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

describe('the name of a view', () => {
  it.each<[string, unknown]>([
    ...(['me', 'overview', 'agents', 'waits', 'direct'] as const).map((kind): [string, unknown] => [kind, { kind }]),
    [`task:${task}`, { kind: 'task', task }],
    [`agent:${agent}`, { kind: 'agent', agent }],
    [`step:${task}`, { kind: 'step', step: task }],
    [`timeline:${task}`, { kind: 'timeline', task, older: null }],
    [`timeline:${task}/${agent}@17`, { kind: 'timeline', task, older: { agent, before: 17 } }],
    [`tree:${task}`, { kind: 'tree', task, older: null }],
    [`tree:${task}/${stage}/${agent}@17`, { kind: 'tree', task, older: { stage, agent, before: 17 } }],
    [`tree:${task}/-/${agent}@0`, { kind: 'tree', task, older: { stage: null, agent, before: 0 } }],
  ])('%s is the name of a view', (name, parsed) => {
    expect(parseView(name)).toEqual(parsed)
  })

  it.each([
    '',
    'mine',
    'me:',
    `task:${task}0`,
    'task:constructor',
    'agent:1',
    'step:',
    'step',
    `other:${task}`,
    'direct:1',
    `direct:${agent}`,
    'tree:1',
    `tree:${task}/`,
    `tree:${task}/-`,
    `tree:${task}/-/${agent}`,
    `tree:${task}/-/${agent}@`,
    `tree:${task}/-/${agent}@x`,
    `tree:${task}/-/${agent}@${'9'.repeat(16)}`,
    `tree:${task}/-/1@17`,
    `tree:${task}/1/${agent}@17`,
    `tree:1/-/${agent}@17`,
    'timeline:1',
    `timeline:${task}/`,
    `timeline:${task}/1@17`,
    `timeline:${task}/${agent}`,
    `timeline:${task}/${agent}@x`,
  ])('"%s" is not the name of a view', (name) => {
    expect(parseView(name)).toBeNull()
  })

  it('views of a task, an agent and a step hold records, all others rows made for a screen', () => {
    const isLog = (name: string) => {
      const view = parseView(name)
      return view === null ? null : isRecordView(view)
    }
    expect([`task:${task}`, `agent:${agent}`, `step:${task}`].map(isLog)).toEqual([true, true, true])
    expect(['me', 'direct', `tree:${task}`].map(isLog)).toEqual([false, false, false])
  })
})
