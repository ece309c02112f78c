/** What is told of running steps outside the journal. */
import { expect, it } from 'vitest'
import type { StepId } from '@/lib/mas/ids'
import { makeStep } from '@/test/skillWorld'
import { firstDoingOf, openStepNotes, type StepNote, type ToldStep } from './stepNotes'

function bench() {
  let at = 100
  const told: StepNote[] = []
  const running = new Map<StepId, ToldStep>()
  const notes = openStepNotes({ now: () => at, onNote: (note) => void told.push(note) }, running)
  const begin = (attempt: number): ToldStep => {
    const step = makeStep(1, { executor: 'planning' })
    const mine = { step, attempt, text: '', doing: notes.firstOf(step) }
    running.set(step.id, mine)
    notes.begin(mine)
    return mine
  }
  const pass = (ms: number): void => {
    at += ms
  }
  return { notes, told, begin, running, pass }
}

it('[R475] a change is told with the time when it began; another place in the queue is the same wait', () => {
  const { notes, told, begin, pass } = bench()
  const mine = begin(2)
  pass(10)
  notes.turnTo(mine, { what: 'queued', place: 2 })
  pass(10)
  notes.turnTo(mine, { what: 'queued', place: 1 })
  pass(10)
  notes.turnTo(mine, { what: 'asked' })
  const { task, agent, id: step } = mine.step
  const head = { kind: 'doing', task, agent, step, attempt: 2 }
  expect(told).toEqual([
    { ...head, what: 'between', since: 100 },
    { ...head, what: 'queued', place: 2, since: 110 },
    { ...head, what: 'queued', place: 1, since: 110 },
    { ...head, what: 'asked', since: 130 },
  ])
})

it('[R475] who comes late gets the last value of the attempt that runs, and nothing of a step that is over', () => {
  const { notes, begin, running } = bench()
  const first = begin(1)
  notes.turnTo(first, { what: 'writing' })
  notes.hear(first, 'half')
  const { id } = first.step
  expect(notes.doingOf(id)).toEqual({ attempt: 1, what: 'writing', since: 100 })
  expect(notes.all()).toMatchObject([
    { kind: 'doing', what: 'writing' },
    { kind: 'text', at: 0, text: 'half' },
  ])
  begin(2)
  expect(notes.doingOf(id)).toEqual({ attempt: 2, what: 'between', since: 100 })
  running.delete(id)
  expect([notes.doingOf(id), notes.textOf(id), notes.all()]).toEqual([null, null, []])
})

it('[R475] a step of a tool says which call runs', () => {
  const call = { kind: 'call', target: 'tool', name: 'query', arguments: { sha: '', bytes: 0, mime: '', preview: '' } }
  const step = makeStep(1, { type: 'tool', executor: 'db' })
  expect(firstDoingOf({ ...step, instruction: call as NonNullable<typeof step.instruction> })).toEqual({
    what: 'tool',
    tool: 'db.query',
  })
  expect(firstDoingOf({ ...step, instruction: null })).toEqual({ what: 'tool', tool: 'db' })
})
