/** Ephemeral notes: what running steps do and stream, who is writing, presence; to a person's own pages what of theirs changed. */
import { type AgentId, asId, type StepId, type TaskId } from '@/lib/mas/ids'
import { findStep } from '@/lib/mas/team/agents'
import type { Ephemeral, PresenceState } from '@/lib/wire/views'
import type { Engine } from '../../engine/port'
import { type Monitor, requestFor } from '../../monitor'
import type { SocketPage } from './socketPage'

type Parts = { engine: Pick<Engine, 'sendEphemeral' | 'textOf' | 'doingOf'>; monitor: Monitor }
type DraftingNote = Extract<Ephemeral, { kind: 'drafting' }>

/** The presence of a person as pages receive it. */
export const presenceNote = (person: AgentId, presence: PresenceState): Ephemeral => ({
  kind: 'presence',
  person,
  presence,
})

/** in: pages: the connected ones. out: relays streamed text and drafting notes to the pages that may see them */
export function openNotes({ engine, monitor }: Parts, pages: ReadonlySet<SocketPage>) {
  const maySee = (page: SocketPage, step: string): boolean => monitor.mayView(page.person, `step:${step}`)

  /** Subscribe the page to what these steps do and stream; sends at once what exists. */
  function follow(page: SocketPage, steps: string[]): void {
    page.follows = new Set(steps)
    for (const step of steps) {
      const [doing, running] = [engine.doingOf(step), engine.textOf(step)]
      const found = doing === null && running === null ? null : findStep(monitor.world(), asId<StepId>(step))
      if (found === null || !maySee(page, step)) continue
      const of = { task: found.task, agent: found.agent, step: found.id }
      if (doing !== null) page.send('ephemeral', { kind: 'doing', ...of, ...doing })
      if (running !== null) page.send('ephemeral', { kind: 'text', ...of, ...running, at: 0 })
    }
  }

  /** A person began or stopped writing at a place; ignored where they may not write. */
  function drafting(page: SocketPage, request: string, on: boolean): void {
    if (!mayWrite(page.person, request)) return
    const name = monitor.world().agents[page.person]?.name ?? ''
    // The note comes back by onEphemeral, as it does at other nodes.
    engine.sendEphemeral({ kind: 'drafting', request, person: page.person, name, on })
  }

  /** Send a note to every page that may see it. */
  function tell(note: Ephemeral): void {
    for (const page of pages) {
      const visible = noteFor(page, note)
      if (visible) page.send('ephemeral', visible)
    }
  }

  function noteFor(page: SocketPage, note: Ephemeral): Ephemeral | null {
    switch (note.kind) {
      case 'text':
      case 'doing':
        return page.follows.has(note.step) && maySee(page, note.step) ? note : null
      case 'drafting':
        return draftingFor(page, note)
      case 'presence':
        // All people are members of the base task, so each may see the presence of each.
        return note
      case 'read':
      case 'draft':
      case 'settings':
        return page.person === note.person ? note : null
    }
  }

  /** place: a request's id, or `task:<id>` */
  function mayWrite(person: AgentId, place: string): boolean {
    const [kind, id = ''] = place.split(':')
    if (kind === 'task') {
      const task = monitor.world().tasks[asId<TaskId>(id)]
      // In the base task people see their own threads only, so who writes there stays hidden.
      return task !== undefined && !task.base && task.group.includes(person)
    }
    return requestFor(monitor.world(), person, place) !== null
  }

  /** The note with the place in this page's terms; null: not visible to it. */
  function draftingFor(page: SocketPage, note: DraftingNote): Ephemeral | null {
    const [kind, id = ''] = note.request.split(':')
    if (page.person === note.person) return null
    if (kind === 'task') return monitor.mayView(page.person, `task:${id}`) ? note : null
    return requestFor(monitor.world(), page.person, note.request) === null ? null : note
  }

  return { follow, drafting, tell }
}
