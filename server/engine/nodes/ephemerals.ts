/** Notes outside the journal, for pages of all nodes. Each node computes presence itself from the reports of all. */
import { asId, type StepId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/team/agents'
import type { DoingNow, Ephemeral } from '@/lib/wire/views'
import type { Nodes } from '../../nodes'
import { openListeners } from '../../shared/listeners'

type TextNote = Extract<Ephemeral, { kind: 'text' }>
type DoingNote = Extract<Ephemeral, { kind: 'doing' }>

export function openEphemerals(nodes: Nodes | undefined) {
  const pages = openListeners<[Ephemeral]>()
  /** Streaming text of steps at other nodes, as received so far, for pages that start to follow one. */
  const texts = new Map<StepId, TextNote>()
  /** What steps at other nodes do now, for the same. */
  const doings = new Map<StepId, DoingNote>()

  function keep(note: TextNote): void {
    const before = texts.get(note.step)
    const isMore = before?.attempt === note.attempt && note.at <= before.text.length
    if (isMore) texts.set(note.step, { ...before, text: before.text.slice(0, note.at) + note.text })
    // Its beginning is missing: ignore it.
    else if (note.at === 0) texts.set(note.step, note)
    else texts.delete(note.step)
  }
  nodes?.onNote((said) => {
    if (said.is !== 'ephemeral') return
    if (said.note.kind === 'text') keep(said.note)
    if (said.note.kind === 'doing') doings.set(said.note.step, said.note)
    pages.tell(said.note)
  })
  return {
    on: pages.on,
    send(note: Ephemeral): void {
      pages.tell(note)
      if (note.kind !== 'presence') nodes?.tell({ is: 'ephemeral', note })
    },
    textOf(step: string): { attempt: number; text: string } | null {
      const note = texts.get(asId<StepId>(step))
      return note ? { attempt: note.attempt, text: note.text } : null
    },
    doingOf(step: string): (DoingNow & { attempt: number }) | null {
      const note = doings.get(asId<StepId>(step))
      if (!note) return null
      const { kind: _kind, task: _task, agent: _agent, step: _step, ...doing } = note
      return doing
    },
    /** Drops the notes of ended steps. */
    onEntries(world: World): void {
      for (const notes of [texts, doings])
        for (const { task, agent, step } of notes.values())
          if (selectStep(world, task, agent, step)?.state !== 'running') notes.delete(step)
    },
  }
}
