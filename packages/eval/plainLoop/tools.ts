/** The tools of a plain loop: the file server's, the person, other agents, and the end without a result. */
import type { ToolSet } from 'ai'
import { z } from 'zod'
import { fieldsIn, isJsonObject } from '@/lib/json'
import type { RequestRecord } from '@/lib/mas/records'
import { isCurrentTool, prepareCall, type ToolInfo, type ToolPool, type ToolResult } from '@/server/tools'
import { type JobPerson, MOST_REQUESTS } from '../person'
import { callOf, type LoopLog } from './log'
import type { AiSdk } from './sdk'
import type { LoopWords } from './words'

export type LoopParts = { sdk: AiSdk; log: LoopLog; pool: ToolPool; person: JobPerson; words: LoopWords }

/** The person of every job. */
export const PERSON = 'Ana'
const SERVER = 'files'
export const GIVE_UP = 'give_up'

/** All tools of these sets. */
export const merged = (sets: readonly ToolSet[]): ToolSet =>
  Object.fromEntries(sets.flatMap((one) => Object.entries(one)))

type Schema = Parameters<AiSdk['jsonSchema']>[0]
type ServerTool = { info: ToolInfo; schema: Schema; prepare: (input: unknown) => ReturnType<typeof prepareCall> }

/** What the file server offers, without what it calls deprecated, as agents of a team are offered it. Throws when it does not start. */
export async function serverTools(pool: ToolPool): Promise<ServerTool[]> {
  const described = await pool.describe(SERVER)
  if (!described.ok) throw new Error(described.message)
  const { description } = described
  const schemaShape = z.custom<Schema>(isJsonObject)
  return description.tools.filter(isCurrentTool).map((info) => ({
    info,
    schema: schemaShape.parse(info.inputSchema),
    prepare: (input) => prepareCall(description, { kind: 'tool', name: info.name, arguments: fieldsIn(input) }),
  }))
}

/** An outcome that the model reads as the tool's error. repair: nothing ran, because the call itself was wrong */
class ToolTrouble extends Error {
  constructor(
    message: string,
    readonly repair: 'form' | 'name' | null = null,
  ) {
    super(message)
  }
}

type ToolTraits = { name: string; description: string; schema: Schema; changes?: boolean }

/** A tool whose calls are in the log. `run` throws ToolTrouble for an outcome that is an error. */
function loggedTool(
  { sdk, log }: LoopParts,
  agent: string,
  { name, description, schema, changes = false }: ToolTraits,
  run: (input: unknown) => Promise<string>,
): ToolSet {
  const note = (input: unknown, outcome: string, trouble?: ToolTrouble): void => {
    log.toolCalls.push({
      ...{ call: callOf(log, agent), agent, tool: name, input: JSON.stringify(input), outcome, changes },
      state: trouble === undefined ? 'finished' : 'failed',
      repair: trouble?.repair ?? null,
    })
  }
  return {
    [name]: sdk.dynamicTool({
      description,
      inputSchema: sdk.jsonSchema(schema),
      execute: async (input) => {
        try {
          const outcome = await run(input)
          note(input, outcome)
          return outcome
        } catch (error) {
          const trouble = error instanceof ToolTrouble ? error : new ToolTrouble(String(error))
          note(input, trouble.message, trouble)
          throw trouble
        }
      },
    }),
  }
}

/** The tools of the server for an agent. A call that may change something is confirmed by the person's rules, without a model call. */
export function fileTools(parts: LoopParts, agent: string, offered: readonly ServerTool[]): ToolSet {
  const { pool, words } = parts
  const made = offered.map(({ info, schema, prepare }) => {
    const traits = { name: info.name, description: info.description ?? '', schema, changes: info.confirm }
    return loggedTool(parts, agent, traits, async (input) => {
      const prepared = await prepare(input)
      if (!prepared.ok) throw new ToolTrouble(prepared.message, 'form')
      if (info.confirm) {
        const reply = ask(parts, agent, 'confirm', `${info.name} ${JSON.stringify(input)}`)
        if (reply?.decision !== 'approve') throw new ToolTrouble(`${words.refused}: ${reply?.text ?? words.noAnswer}`)
      }
      const outcome = await pool.call(SERVER, { kind: 'tool', name: info.name, arguments: fieldsIn(input) }, {})
      if (!outcome.ok) throw new ToolTrouble(outcome.message)
      if (outcome.result.isError) throw new ToolTrouble(textOf(outcome.result))
      return textOf(outcome.result)
    })
  })
  return merged(made)
}

const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')

const questionShape = z.strictObject({ kind: z.enum(['question', 'review']), text: z.string() })

export function personTool(parts: LoopParts, agent: string): ToolSet {
  const { log, words } = parts
  const traits = { name: 'ask_person', description: words.askPerson, schema: schemaOf(questionShape) }
  return loggedTool(parts, agent, traits, async (input) => {
    const asked = readInput(questionShape, input)
    const reply = ask(parts, agent, asked.kind === 'review' ? 'part' : 'answer', asked.text)
    if (reply === null) return words.noAnswer
    if (asked.kind === 'question') return reply.text
    log.stages.push(reply.decision === 'done' ? 'finished' : 'failed')
    return `${reply.decision === 'done' ? words.accepted : words.rejected}: ${reply.text}`
  })
}

/** The person's reply by the rules; null: none. The agent waits for it, so the request is urgent. */
function ask({ log, person }: LoopParts, agent: string, kind: RequestRecord['kind'], question: string) {
  const reply = log.asked.length < MOST_REQUESTS ? person.reply({ kind, question }) : null
  log.asked.push({ to: [PERSON], by: agent, kind, type: 'urgent', question, answer: reply?.text ?? null })
  return reply
}

const taskShape = z.strictObject({ task: z.string() })

/** Another agent as a tool of the leader. work: the agent's result for a task */
export function agentTool(
  parts: LoopParts,
  leader: string,
  { name, profile, work }: { name: string; profile: string; work: (task: string) => Promise<string> },
): ToolSet {
  const { log, words } = parts
  const shape = taskShape.extend({ task: taskShape.shape.task.describe(words.task) })
  const traits = { name: name.toLowerCase(), description: words.memberTool(name, profile), schema: schemaOf(shape) }
  return loggedTool(parts, leader, traits, async (input) => {
    const { task } = readInput(taskShape, input)
    // Agents reach each other through the leader's words alone: what earlier ones found comes in them.
    const sources = new Set(log.saidAmongAgents.flatMap(({ from }) => (from === leader ? [] : [from])))
    sources.delete(name)
    for (const from of [leader, ...sources]) log.saidAmongAgents.push({ from, to: [name], text: task })
    try {
      const result = await work(task)
      log.stages.push('finished')
      log.saidAmongAgents.push({ from: name, to: [leader], text: result })
      return result
    } catch (error) {
      log.stages.push('failed')
      throw error
    }
  })
}

const reasonShape = z.strictObject({ reason: z.string() })

/** It has no result, so the loop ends with its call. */
export const giveUpTool = ({ sdk, words }: LoopParts): ToolSet => ({
  [GIVE_UP]: sdk.tool({ description: words.giveUp, inputSchema: sdk.jsonSchema(schemaOf(reasonShape)) }),
})

/** in: the arguments of a call of give_up. out: '' when they hold no reason */
export const reasonIn = (input: unknown): string => reasonShape.safeParse(input).data?.reason ?? ''

function readInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.infer<Shape> {
  const read = shape.safeParse(input)
  if (!read.success) throw new ToolTrouble(z.prettifyError(read.error), 'form')
  return read.data
}

const schemaOf = (shape: z.ZodType): Schema => z.custom<Schema>(isJsonObject).parse(z.toJSONSchema(shape))
