/** A model that answers for a whole team what a script holds: one answer per question. The engine decides how many it asks. */
import { z } from 'zod'
import {
  type FunctionCall,
  type FunctionTool,
  type Model,
  ModelError,
  type ModelPiece,
  stopped,
  type Turn,
} from '@/server/models/model'
import { NOT_COUNTED, usageOf } from '@/server/models/usage'
import { callsIn } from '@/test/nativeForm'
import type { CountedCall } from '../countPrompts'
import { readScript } from './scriptLines'

/**
 * answer  in tags. `{step: read the notes}` is the number of the newest step of that intention in the prompt, since the numbers of
 *         agents who work side by side differ from run to run
 * finish  length: the model's own limit cuts the answer here
 */
const lineShape = z.strictObject({
  agent: z.string(),
  skill: z.string(),
  answer: z.string(),
  finish: z.literal('length').optional(),
})
export type TeamLine = z.infer<typeof lineShape>

export const sayLine = ({ agent, skill, answer }: TeamLine): string => `${agent} for ${skill}: ${answer}`

/** in: a file of JSON lines */
export const readTeamScript = (file: string): TeamLine[] => readScript(file, lineShape)

/** Tests of scripts run in each. */
export const SCRIPT_FORMS = ['tags', 'native'] as const
export type ScriptForm = (typeof SCRIPT_FORMS)[number]

/** How a model gives the answer of a line: the pieces before its end, and what the end says beside. */
const SAY: Record<ScriptForm, (answer: string, functions: readonly FunctionTool[], id: string, skill: string) => Said> =
  {
    tags: (text) => ({ text, end: {} }),
    native(text, functions, id, skill) {
      const name = TEXTS[skill]
      // A text without its tag is no slip of a model that calls: its function takes the text.
      const answer = name === undefined || /[<[{【［]/.test(text) ? text : `<${name}>${text}</${name}>`
      const { words, calls } = callsIn(answer, functions, () => `call_${id}`)
      return calls.length === 0 ? { text: answer, end: {} } : { text: words, end: { finish: 'calls', calls } }
    },
  }
const TEXTS: Readonly<Record<string, string>> = {
  think: 'result',
  quick_think: 'quick_think',
  summary: 'summary',
  process_message: 'process_message',
}
type Said = { text: string; end: { finish?: 'calls'; calls?: readonly FunctionCall[] } }

/**
 * calls    what was asked and answered, for `countPrompts`
 * left     the answers that nobody asked for
 * lacking  the first question without an answer, with its whole prompt: read it, and put the answer into the script
 */
export type ScriptedTeam = { model: Model; calls: readonly CountedCall[]; left(): TeamLine[]; lacking(): string | null }

/**
 * in      answers, given in their order: a question whose answer stands further down waits, as with a model that serves one call at a
 *         time. So agents who work side by side do so in the same order in every run
 */
export function scriptedTeam(lines: readonly TeamLine[], form: ScriptForm): ScriptedTeam {
  const open = [...lines]
  const taken = new Set<TeamLine>()
  const calls: CountedCall[] = []
  let waiting: (() => void)[] = []
  let lacking: string | null = null
  const refuse = (problem: string, turns: readonly Turn[]): ModelError => {
    lacking ??= [problem, ...turns.map(sayTurn)].join('\n\n')
    return new ModelError('MODEL_REFUSED', problem, false)
  }
  const lineOf = (agent: string, skill: string): TeamLine | undefined => {
    const line = open.find((one) => one.agent === agent && one.skill === skill && !taken.has(one))
    if (line !== undefined) taken.add(line)
    return line
  }
  /** out: null: it is the line's turn; else the line that nobody asked for until the call was stopped */
  async function untilTurn(line: TeamLine, signal: AbortSignal): Promise<TeamLine | null> {
    let [head] = open
    while (head !== undefined && head !== line) {
      if (signal.aborted) return head
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      head = open[0]
    }
    open.shift()
    for (const wake of waiting) wake()
    waiting = []
    return null
  }
  const model: Model = {
    name: 'scripted',
    provider: 'scripted',
    contextTokens: 32_000,
    takesFunctions: form === 'native',
    async *call(turns, { about, signal, functions = [] }): AsyncIterable<ModelPiece> {
      const { agent, skill } = about ?? { agent: '-', skill: '-' }
      const line = lineOf(agent, skill)
      if (line === undefined) throw refuse(`the script has no answer of ${agent} for ${skill}`, turns)
      const before = await untilTurn(line, signal)
      if (before !== null) {
        refuse(`${agent} was asked for ${skill}, and nobody before for the answer of ${sayLine(before)}`, turns)
        throw stopped()
      }
      const answer = numbered(line.answer, turns)
      if (answer === null) throw refuse(`the prompt shows no such step: ${line.answer}`, turns)
      const offered = functions.length === 0 ? [] : [JSON.stringify(functions)]
      calls.push({ agent, prompt: [...offered, ...turns.map(sayTurn)], answer })
      const { text, end } = SAY[form](answer, functions, `${calls.length}`, skill)
      if (text !== '') yield { type: 'text', text }
      const usage = usageOf(NOT_COUNTED, turns, answer, null)
      yield { type: 'end', finish: line.finish ?? 'stop', modelVersion: 'scripted-1', usage, ...end }
    },
  }
  return { model, calls, left: () => [...open], lacking: () => lacking }
}

function sayTurn(turn: Turn): string {
  const calls = turn.role === 'assistant' ? (turn.calls ?? []) : []
  return [`${turn.role}:`, turn.content, ...calls.map(({ name, arguments: args }) => `${name} ${args}`)].join('\n')
}

const STEP = /\{step: ([^}]+)\}/g

/** The answer with the numbers that the prompt shows; null: it shows no such step. */
function numbered(answer: string, turns: readonly Turn[]): string | null {
  const shown = turns.map(({ content }) => content).join('\n')
  const numberOf = (intention: string): string | null => {
    const item = shown.lastIndexOf(`<intention>${intention}</intention>`)
    const [, number = null] = / n="(\d+)"[^>]*>\s*$/.exec(shown.slice(0, Math.max(0, item))) ?? []
    if (number !== null) return number
    // An answered step stands with the turn that asked for it.
    const step = shown.lastIndexOf(`<step_intention>${intention}</step_intention>`)
    return [...shown.slice(0, Math.max(0, step)).matchAll(/^step: #(\d+)$/gm)].at(-1)?.[1] ?? null
  }
  const isLacking = [...answer.matchAll(STEP)].some(([, intention = '']) => numberOf(intention) === null)
  return isLacking ? null : answer.replace(STEP, (_, intention: string) => numberOf(intention) ?? '')
}
