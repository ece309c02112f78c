import { elements, inner } from './readParts'
import type { RehearsalPrompt } from './readPrompt'

export type Notice = { judges: 'stage' | 'task'; stage: string | null; stages: NoticeStage[] }
export type NoticeStage = ReturnType<typeof stagesIn>[number]
export type NoticePart = NoticeStage['parts'][number]

/** The notice in a message from the system, with the results of the stages so far; null: another kind of message. */
export function readNotice({ step, stages }: RehearsalPrompt): Notice | null {
  const text = step.message?.kind === 'system' ? step.message.text : ''
  const judge = /^judge: (task|(stage .*))$/m.exec(text)
  if (!judge) return null
  return {
    judges: judge[1] === 'task' ? 'task' : 'stage',
    stage: judge[2] ?? null,
    stages: stagesIn(stages, step.taskState),
  }
}

/** Goals and parts are in a section of their own; judgements are in the lines of the task's state. */
function stagesIn(text: string, taskState: string) {
  const states = new Map([...taskState.matchAll(/^(stage [^:\n]+): ([a-z]+)/gm)].map(([, id, state]) => [id, state]))
  return elements(text, 'stage').map(({ given: { id = '' }, body: stage }) => ({
    id,
    state: states.get(id) ?? '',
    goal: inner(stage, 'stage_goal') ?? '',
    parts: elements(stage, 'part').map(({ given, body }) => ({
      agent: given.agent ?? '',
      id: given.agent_id ?? '',
      state: given.state ?? '',
      goal: inner(body, 'goal') ?? '',
      failure: inner(body, 'failure'),
      summary: inner(body, 'part_summary') ?? '',
    })),
  }))
}
