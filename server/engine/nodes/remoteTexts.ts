/** Streaming text of steps at other nodes, as received so far, for pages that start to follow one. */
import type { StepId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/selectors/agents/agents'
import type { Ephemeral } from '@/lib/wire/views'

type TextNote = Extract<Ephemeral, { kind: 'text' }>

export function openRemoteTexts() {
  const texts = new Map<StepId, TextNote>()
  return {
    heard(note: TextNote): void {
      const before = texts.get(note.step)
      const isMore = before?.attempt === note.attempt && note.at <= before.text.length
      if (isMore) texts.set(note.step, { ...before, text: before.text.slice(0, note.at) + note.text })
      // Its beginning is missing: ignore it.
      else if (note.at === 0) texts.set(note.step, note)
      else texts.delete(note.step)
    },
    /** Drops the text of ended steps. */
    onEntries(world: World): void {
      for (const { task, agent, step } of texts.values())
        if (selectStep(world, task, agent, step)?.state !== 'running') texts.delete(step)
    },
    of(step: string): { attempt: number; text: string } | null {
      const note = texts.get(step as StepId)
      return note ? { attempt: note.attempt, text: note.text } : null
    },
  }
}
