/** Runs one job with the AI SDK's ToolLoopAgent: the same files, file server, person and checks, and nothing else of Convene. */
import type { ModelMessage, ToolSet } from 'ai'
import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'
import type { ProviderModelConfig } from '@/server/models'
import { CREW, layOut, type Workshop } from '@/test/rehearsalTeam'
import type { End, Job } from '../job'
import { type KeptCall, keepJob } from '../keptJob'
import { type JobFigures, sumFigures } from '../measure'
import { openPerson } from '../person'
import type { Progress } from '../progress'
import { isRight, type JobResult, verdictOf } from '../verdict'
import { workspaceOf } from '../workspace'
import { callOf, emptyLog, type LoopLog, loggedModel } from './log'
import type { AiSdk, LoopModel, LoopSettings } from './sdk'
import {
  agentTool,
  fileTools,
  GIVE_UP,
  giveUpTool,
  type LoopParts,
  merged,
  PERSON,
  personTool,
  reasonIn,
  serverTools,
} from './tools'
import { loopWords } from './words'

type LoopOptions = {
  sdk: AiSdk
  /** The model for each agent's calls. */
  modelFor: (agent: string) => LoopModel
  settings?: LoopSettings
  price?: ProviderModelConfig['price']
  workshop: Workshop
  /** As in `runJob`. */
  keepIn?: string
  look?: (log: LoopLog, end: End) => void
  watch?: (now: () => Progress) => void
}

/** Most model calls for one task of an agent, as in the configuration of a team by default. */
const MOST_CALLS = 60
const LEADER = CREW.manager.name
const MEMBERS = { Reader: CREW.reader, Analyst: CREW.analyst }

/**
 * One agent does the job; where it names agents, they are tools of a leader without files. An agent that is called again goes on in
 * its conversation.
 *
 * out     as of `runJob`; form `native`
 * faults  the file system's, the tool server's when it does not start
 */
export async function runPlainLoop(job: Job, options: LoopOptions): Promise<JobResult> {
  const { workshop, sdk } = options
  layOut(workshop.folder, job.files)
  const log = emptyLog()
  const words = loopWords(job.language)
  const parts: LoopParts = { sdk, log, pool: workshop.pool, person: openPerson(job.rules), words }
  const leader = await openLeader(job, parts, options)
  const begun = performance.now()
  options.watch?.(() => progressOf(log))
  const ended = await leader(job.request).catch((error: unknown): LoopEnd => {
    // A fault of the model is in the log; any other one is a fault of this program.
    if (log.calls.at(-1)?.error == null) throw error
    return { text: '', isGivenUp: false, stopped: 'the model gave no answer' }
  })
  if (ended.text !== '') log.told.push({ from: LEADER, to: [PERSON], text: ended.text })
  const end = endOf(job, workshop.folder, log, ended)
  options.look?.(log, end)
  const why = reasonsOf(job, end, log, ended)
  const verdict = verdictOf(job, end, why)
  const kept = isRight(job, { verdict, why }) ? null : (options.keepIn ?? null)
  if (kept !== null) keepJob(kept, workshop.folder, log.calls.map(keptCall))
  return {
    job: job.id,
    language: job.language,
    verdict,
    why,
    trace: why.length === 0 ? [] : traceOf(log),
    kept,
    form: log.calls.some(({ error }) => error === null) ? 'native' : null,
    wallMs: Math.round(performance.now() - begun),
    ...figuresOf(log),
  }
}

/** stopped: why the loop ended without an answer; null: it has one */
type LoopEnd = { text: string; isGivenUp: boolean; stopped: string | null }
type Work = (task: string) => Promise<LoopEnd>

async function openLeader(job: Job, parts: LoopParts, options: LoopOptions): Promise<Work> {
  const { words, pool } = parts
  const offered = await serverTools(pool)
  const open = (name: string, instructions: string, tools: ToolSet[]): Work =>
    openAgent(name, instructions, merged(tools), parts, options)
  const shared = (name: string): ToolSet[] => [fileTools(parts, name, offered), personTool(parts, name)]
  if (job.agents === undefined) return open(LEADER, words.alone, [...shared(LEADER), giveUpTool(parts)])
  const members = job.agents.map((name) => {
    const { profile } = MEMBERS[name]
    const work = open(name, words.member(name, profile), shared(name))
    return agentTool(parts, LEADER, {
      ...{ name, profile },
      work: async (task) => {
        const { text, stopped } = await work(task)
        if (stopped !== null) throw new Error(`${name}: ${stopped}`)
        return text
      },
    })
  })
  return open(LEADER, words.leader(job.agents), [...members, personTool(parts, LEADER), giveUpTool(parts)])
}

/** An agent with one conversation. Its tasks run one after the other. */
function openAgent(
  name: string,
  instructions: string,
  tools: ToolSet,
  { sdk, log }: LoopParts,
  { modelFor, settings, price }: LoopOptions,
): Work {
  const agent = new sdk.ToolLoopAgent({
    ...settings,
    ...{ instructions, tools },
    model: loggedModel(modelFor(name), name, { sdk, log, price }),
    stopWhen: sdk.stepCountIs(MOST_CALLS),
    onStepFinish: ({ toolCalls }) => {
      for (const { toolName, input, invalid, error } of toolCalls)
        if (invalid)
          log.toolCalls.push({
            ...{ call: callOf(log, name), agent: name, tool: toolName },
            ...{ input: sayInput(input), outcome: String(error), state: 'failed', changes: false },
            repair: Object.hasOwn(tools, toolName) ? 'form' : 'name',
          })
    },
  })
  const messages: ModelMessage[] = []
  const work: Work = async (task) => {
    messages.push({ role: 'user', content: task })
    const { text, steps, finishReason, response } = await agent.generate({ messages })
    messages.push(...response.messages)
    const givenUp = steps.at(-1)?.toolCalls.find(({ toolName }) => toolName === GIVE_UP)
    if (givenUp) return { text: reasonIn(givenUp.input), isGivenUp: true, stopped: null }
    const isOver = finishReason === 'stop' && text !== ''
    const stopped =
      steps.length >= MOST_CALLS ? `more than ${MOST_CALLS} calls` : `the answer ended with ${finishReason}`
    return { text, isGivenUp: false, stopped: isOver ? null : stopped }
  }
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(() => work(task))
    last = result.catch(() => {})
    return result
  }
}

const sayInput = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input))

function progressOf({ calls, toolCalls }: LoopLog): Progress {
  const newest = toolCalls.at(-1)
  return { calls: calls.length, step: newest === undefined ? '' : `${newest.agent} ${newest.tool} ${newest.input}` }
}

/** A loop has no tasks: it is one, finished by an answer and failed by giving up. */
function endOf(job: Job, folder: string, log: LoopLog, ended: LoopEnd): End {
  const state = ended.stopped !== null ? 'running' : ended.isGivenUp ? 'failed' : 'finished'
  return {
    ...workspaceOf(folder),
    told: log.told,
    saidAmongAgents: log.saidAmongAgents,
    asked: log.asked,
    calls: log.toolCalls.map(({ agent, tool, input, state: ended }) => ({
      ...{ by: agent, name: tool, path: input, state: ended },
    })),
    tasks: [{ name: job.id, state, summary: ended.text, stages: log.stages }],
  }
}

function reasonsOf(job: Job, end: End, log: LoopLog, { stopped }: LoopEnd): string[] {
  const open = log.asked.flatMap(({ kind, question, answer }) =>
    answer === null ? [`left open, ${kind}: ${question.slice(0, 200)}`] : [],
  )
  const wrong = [...(stopped === null ? [] : [stopped]), ...open, ...job.check(end)]
  const lost = [...new Set(log.calls.flatMap(({ error }) => (error === null ? [] : [error])))]
  return wrong.length === 0 ? [] : [...lost.slice(0, 2), ...wrong]
}

const MOST_TRACED = 12
const TRACED_CHARACTERS = 300

/** out: the newest tool calls that failed or may have changed something, and the messages to people */
const traceOf = ({ toolCalls, told }: LoopLog): string[] =>
  [
    ...toolCalls
      .filter(({ state, changes }) => state === 'failed' || changes)
      .map(
        ({ call, agent, tool, input, outcome, state }) =>
          `${state}: ${agent} call ${call} ${tool} ${input}: ${outcome}`,
      ),
    ...told.map(({ from, to, text }) => `message to ${to.join(', ')}: ${from}: ${text}`),
  ]
    .slice(-MOST_TRACED)
    .map((line) => beginningOf(oneLine(line), TRACED_CHARACTERS))

const keptCall = ({ agent, prompt, answer, error }: LoopLog['calls'][number], at: number): KeptCall => ({
  ...{ agent, skill: null, number: at + 1, prompt: prompt.join('\n\n'), answer, error },
})

function figuresOf({ calls, toolCalls }: LoopLog): JobFigures {
  const figures = sumFigures(calls.map((call) => call.figures))
  const count = (kind: 'form' | 'name'): number => toolCalls.filter(({ repair }) => repair === kind).length
  const repairs = Object.fromEntries(
    (['form', 'name'] as const).flatMap((kind) => (count(kind) > 0 ? [[kind, count(kind)]] : [])),
  )
  const failedSteps = toolCalls.filter(({ state, repair }) => state === 'failed' && repair === null).length
  return { ...figures, repairs, failedSteps, modelMs: Math.round(figures.modelMs) }
}
