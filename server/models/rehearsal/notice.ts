import { attributes, inner, type RehearsalPrompt } from './readPrompt'

export type NoticePart = {
  agent: string
  id: string
  state: string
  goal: string
  failure: string | null
  summary: string
}
export type NoticeStage = { id: string; state: string; goal: string; parts: NoticePart[] }
export type Notice = {
  judges: 'stage' | 'task'
  stage: string | null
  stages: NoticeStage[]
}

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
function stagesIn(text: string, taskState: string): NoticeStage[] {
  const states = new Map([...taskState.matchAll(/^(stage [^:\n]+): ([a-z]+)/gm)].map(([, id, state]) => [id, state]))
  return [...text.matchAll(/<stage id="([^"]*)">([\s\S]*?)<\/stage>/g)].map(([, id = '', body = '']) => ({
    id,
    state: states.get(id) ?? '',
    goal: inner(body, 'stage_goal') ?? '',
    parts: partsIn(body),
  }))
}

function partsIn(text: string): NoticePart[] {
  return [...text.matchAll(/<part ([^>]*)>([\s\S]*?)<\/part>/g)].map(([, given = '', body = '']) => {
    const { agent, agent_id, state } = attributes(given)
    return {
      agent: agent ?? '',
      id: agent_id ?? '',
      state: state ?? '',
      goal: inner(body, 'goal') ?? '',
      failure: inner(body, 'failure'),
      summary: inner(body, 'part_summary') ?? '',
    }
  })
}
