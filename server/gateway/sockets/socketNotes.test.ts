/** Who is told what is written, by whom, and what a running step says. */
import { describe, expect, it } from 'vitest'
import type { AgentId, StepId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { DoingNow, Ephemeral } from '@/lib/wire/views'
import { BASE_TASK, openTask, outcomeOf, Story, TEAM } from '@/test/worldHistories'
import { openMonitor } from '../../monitor'
import { openNotes, presenceNote } from './socketNotes'
import type { SocketPage } from './socketPage'

const { ana, ben, lee, reader } = TEAM

const wordOf = (note: Ephemeral): string => {
  if (note.kind === 'doing') return `${note.what}, attempt ${note.attempt}`
  return note.kind === 'drafting' ? note.request : note.kind === 'text' ? note.text : note.kind
}

/** Pages of Ana, Ben and Lee over a task of which Lee is no member; the reader's step runs and asked Ben. */
async function town() {
  const story = new Story()
  const task = openTask(story)
  if (task === null) throw new Error('no task')
  story.run(reader.id, () =>
    outcomeOf({
      sync: {
        send_message: {
          receiver: [ben.id],
          message: 'Which list?',
          stage_relative: 'no_relative',
          need_reply: true,
          waiting: false,
        },
      },
    }),
  )
  const step = story.start(reader.id)
  const request = story.openRequests().find(({ asked }) => asked.includes(ben.id))
  if (!step || !request) throw new Error('nothing runs, or nothing was asked')
  const monitor = openMonitor({
    engine: { node: 'n1', world: (): World => story.world, onDecision: () => () => {} },
    journal: 'journal',
    run: 'run',
    now: () => 0,
    schedule: () => () => {},
  })
  const heard: string[] = []
  const pageOf = (person: AgentId, name: string): SocketPage => ({
    person,
    session: name,
    credentials: {},
    program: null,
    follows: new Set(),
    bufferedBytes: () => 0,
    crowdOut: () => {},
    signOut: () => {},
    send: (_, message) => {
      const note = message as Ephemeral
      heard.push(`${name}: ${wordOf(note)}`)
    },
  })
  const pages = { ana: pageOf(ana.id, 'ana'), ben: pageOf(ben.id, 'ben'), lee: pageOf(lee.id, 'lee') }
  const texts = new Map<string, { attempt: number; text: string }>()
  const doings = new Map<string, DoingNow & { attempt: number }>()
  const sent: Ephemeral[] = []
  const notes = openNotes(
    {
      engine: {
        sendEphemeral: (note) => void sent.push(note),
        textOf: (id) => texts.get(id) ?? null,
        doingOf: (id) => doings.get(id) ?? null,
      },
      monitor,
    },
    new Set(Object.values(pages)),
  )
  const took = (): string[] => heard.splice(0)
  /** Who is told that this person writes there; [] where they may not. */
  const writes = (page: SocketPage, place: string): string[] => {
    notes.drafting(page, place, true)
    for (const note of sent.splice(0)) notes.tell(note)
    return took()
  }
  return { notes, pages, task, step, request, texts, doings, took, writes }
}

describe('[V6] the text of a running step', () => {
  const note = (step: StepId, text: string): Ephemeral => {
    return { kind: 'text', task: BASE_TASK, agent: reader.id, step, attempt: 1, at: 0, text }
  }
  it('goes to pages that follow it and may see it, and to no others', async () => {
    const { notes, pages, step, took } = await town()
    for (const page of [pages.ben, pages.lee]) notes.follow(page, [step.id])
    notes.tell(note(step.id, 'half'))
    expect(took()).toEqual(['ben: half'])
    notes.follow(pages.ben, [])
    notes.tell(note(step.id, 'more'))
    expect(took()).toEqual([])
  })

  it('is told at once as far as it is, to whom may see it, and of steps that are known', async () => {
    const { notes, pages, step, took, texts } = await town()
    texts.set(step.id, { attempt: 1, text: 'so far' })
    texts.set('gone', { attempt: 1, text: 'of nobody' })
    for (const page of [pages.ben, pages.lee]) notes.follow(page, ['gone', step.id, 'silent'])
    expect(took()).toEqual(['ben: so far'])
  })
})

describe('[R475] what a running step does', () => {
  const note = (step: StepId, attempt: number): Ephemeral => {
    return { kind: 'doing', task: BASE_TASK, agent: reader.id, step, attempt, what: 'asked', since: 1 }
  }

  it('goes to pages that follow the step and may see it, and to no others', async () => {
    const { notes, pages, step, took } = await town()
    for (const page of [pages.ben, pages.lee]) notes.follow(page, [step.id])
    notes.tell(note(step.id, 1))
    expect(took()).toEqual(['ben: asked, attempt 1'])
    notes.follow(pages.ben, [])
    notes.tell(note(step.id, 1))
    expect(took()).toEqual([])
  })

  it('is told at once to a page that begins to follow, before the text, if it may see the step', async () => {
    const { notes, pages, step, took, texts, doings } = await town()
    doings.set(step.id, { attempt: 2, what: 'writing', since: 1 })
    texts.set(step.id, { attempt: 2, text: 'so far' })
    doings.set('gone', { attempt: 1, what: 'asked', since: 1 })
    for (const page of [pages.ben, pages.lee]) notes.follow(page, ['gone', step.id])
    expect(took()).toEqual(['ben: writing, attempt 2', 'ben: so far'])
  })
})

describe('[P2] who is writing', () => {
  it('an answer is told to the others who may answer or see all, from those alone', async () => {
    const { pages, request, writes } = await town()
    expect(writes(pages.ben, request.id)).toEqual([`ana: ${request.id}`])
    expect(writes(pages.ana, request.id)).toEqual([`ben: ${request.id}`])
    expect(writes(pages.lee, request.id)).toEqual([])
    expect(writes(pages.ana, 'no request')).toEqual([])
  })

  it('in a task is told to those who may see it, from its members; never in the base task', async () => {
    const { pages, task, writes } = await town()
    expect(writes(pages.ben, `task:${task}`)).toEqual([`ana: task:${task}`])
    expect(writes(pages.lee, `task:${task}`)).toEqual([])
    expect(writes(pages.ben, `task:${BASE_TASK}`)).toEqual([])
    expect(writes(pages.ben, 'task:gone')).toEqual([])
    expect(writes(pages.ben, 'task')).toEqual([])
  })
})

describe('[P2] what concerns one person', () => {
  it('is told to their own pages; who is here to everybody', async () => {
    const { notes, took } = await town()
    notes.tell(presenceNote(ben.id, { state: 'online', quiet: null }))
    expect(took()).toEqual(['ana: presence', 'ben: presence', 'lee: presence'])
  })
})
