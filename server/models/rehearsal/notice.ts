/** The notice that asks a manager to judge. */

import { attributes, inner } from './readPrompt'

export type NoticePart = {
  agent: string
  id: string
  state: string
  goal: string
  failure: string | null
  summary: string
}
export type NoticeStage = { n: number; id: string; state: string; goal: string; parts: NoticePart[] }
export type Notice = {
  judges: 'stage' | 'task'
  stage: string | null
  taskId: string | null
  askedBy: { name: string; id: string } | null
  stages: NoticeStage[]
}

/** The notice in a message from the system, or null when it is another message. */
export function readNotice(text: string): Notice | null {
  const stages = [...text.matchAll(/<stage ([^>]*)>([\s\S]*?)<\/stage>/g)].map(([, given = '', body = '']) => {
    const { n, id, state } = attributes(given)
    return {
      n: Number(n ?? 0),
      id: id ?? '',
      state: state ?? '',
      goal: inner(body, 'stage_goal') ?? '',
      parts: partsIn(body),
    }
  })
  const judge = /^judge: (stage|task)\b[ ]?(\S*)/m.exec(text)
  if (stages.length === 0 && !judge) return null
  const running = stages.findLast((stage) => stage.state === 'running')
  const asked = /^asked_by: (.+) \| (\S+)\s*$/m.exec(text)
  return {
    judges: judge?.[1] === 'task' || (!judge && !running) ? 'task' : 'stage',
    stage: judge?.[1] === 'stage' && judge[2] ? judge[2] : (running?.id ?? null),
    taskId: /^task_id: (\S+)/m.exec(text)?.[1] ?? null,
    askedBy: asked?.[1] && asked[2] ? { name: asked[1], id: asked[2] } : null,
    stages,
  }
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
