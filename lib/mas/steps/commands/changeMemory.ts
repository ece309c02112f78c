import type { DecisionContext } from '../../commands/decisionContext'
import type { StepRecord } from '../../records'
import { memoryKey } from '../../team/memory'
import type { MemoryChange } from '../outcome'

/** Changes the notes of the step's agent. out: a sentence for each that could not be made */
export function changeMemory(context: DecisionContext, step: StepRecord, changes: MemoryChange[]): string[] {
  const notes: string[] = []
  for (const change of changes) {
    const known = context.world.memory[step.agent] ?? []
    if ('add' in change) {
      const key = memoryKey(context.at, known)
      context.emit('memory.added', { agent: step.agent, note: { key, text: change.add, task: step.task } })
    } else if (known.some((note) => note.key === change.delete)) {
      context.emit('memory.removed', { agent: step.agent, key: change.delete })
    } else {
      notes.push(context.say('unknownMemory', { key: change.delete }))
    }
  }
  return notes
}
