/** Runs one job with the real engine, skills, prompts and file server, and the caller's model. */
import { Fault } from '@/lib/faults'
import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'
import { type AgentId, asId } from '@/lib/mas/ids'
import { selectNextStep } from '@/lib/mas/members'
import type { AgentConfig, BodyRef, RequestRecord, StepRecord, World } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import type { Model } from '@/server/models'
import { bodyText } from '@/server/shared/bodyText'
import { readStoredPrompt } from '@/server/skills'
import { openRehearsal, type Rehearsal, type Workshop } from '@/test/rehearsalTeam'
import type { End, Job, Told } from './job'
import { type KeptCall, keepJob } from './keptJob'
import { formOf, measure, sayLost } from './measure'
import { MOST_REQUESTS, openPerson } from './person'
import type { Progress } from './progress'
import { isRight, type JobResult, verdictOf } from './verdict'
import { workspaceOf } from './workspace'

type JobOptions = {
  model: Model
  /** A model on the network: real time, pauses between repeats. */
  live?: boolean
  /** Longest time without progress. */
  patienceMs?: number
  workshop?: Workshop
  team?: AgentConfig[]
  /** Configurations from which a manager may create agents. */
  startable?: AgentConfig[]
  /** The folder in which the files and calls of a wrong job are kept. Absent: nothing is kept. */
  keepIn?: string
  /** Called before the team is closed. */
  look?: (team: Rehearsal, end: End) => void
  /** Called once when the job begins, with a function that says what the team does now. */
  watch?: (now: () => Progress) => void
}

const PATIENCE_MS = 20_000

/**
 * in      the job; its model
 * out     the verdict with the figures. `refused`: nothing was produced, no task claims it, and the person was told why;
 *         `failed`: any other job that is not done
 * faults  the file system's, the tool server's when it does not start
 */
export async function runJob(job: Job, options: JobOptions): Promise<JobResult> {
  const { model, live = false, patienceMs = PATIENCE_MS, workshop, team: agents, startable } = options
  const team = await openRehearsal(job.files, {
    language: job.language,
    models: { default: model },
    live,
    patienceMs,
    ...(workshop ? { workshop } : {}),
    ...(agents ? { team: agents } : {}),
    ...(startable ? { startable } : {}),
  })
  const begun = performance.now()
  options.watch?.(() => progressOf(team))
  try {
    await team.ask(job.request)
    const stuck = await untilQuiet(team, job)
    const end = endOf(team)
    options.look?.(team, end)
    const wrong = [...stuck, ...job.check(end)]
    // An unreachable model, or a recording that is too short, explains all other problems.
    const why = wrong.length === 0 ? [] : [...sayLost(team.steps()).slice(0, 2), ...wrong]
    const wallMs = Math.round(performance.now() - begun)
    const verdict = verdictOf(job, end, why)
    const kept = isRight(job, { verdict, why }) ? null : (options.keepIn ?? null)
    if (kept !== null) keepJob(kept, team.folder, await callsOf(team))
    return {
      job: job.id,
      language: job.language,
      verdict,
      why,
      trace: why.length === 0 ? [] : traceOf(team),
      kept,
      form: formOf(team.steps()),
      wallMs,
      ...measure(team.steps()),
    }
  } finally {
    await team.close()
  }
}

function progressOf(team: Rehearsal): Progress {
  const steps = team.steps()
  const step = steps.findLast(({ state }) => state === 'running') ?? steps.at(-1)
  const calls = steps.reduce((sum, one) => sum + one.calls.length, 0)
  return { calls, step: step === undefined ? '' : sayStep(team.world(), step) }
}

const sayStep = (world: World, { agent, number, executor, intention }: StepRecord): string =>
  `${world.agents[agent]?.name ?? agent} #${number ?? '?'} ${executor}: ${intention}`

/** Failed steps, and messages to people, that the reasons of a wrong end are looked for in. */
const MOST_TRACED = 12
const TRACED_CHARACTERS = 300

/** out: the newest failed steps and messages to people, oldest first, each with its step */
function traceOf(team: Rehearsal): string[] {
  const world = team.world()
  const steps = team.steps()
  const isPerson = (id: string): boolean => world.agents[asId<AgentId>(id)]?.kind === 'human'
  const failed = steps
    .filter(({ state }) => state === 'failed')
    .map((step) => ({ seq: step.endedSeq ?? 0, line: `failed: ${sayStep(world, step)}: ${step.reason ?? ''}` }))
  const told = team.messages().flatMap(({ seq, fromStep, sender, receivers, text }) => {
    const step = steps.find(({ id }) => id === fromStep)
    if (step === undefined || isPerson(sender) || !receivers.some(isPerson)) return []
    const to = receivers.map((id) => world.agents[id]?.name ?? id).join(', ')
    return [{ seq, line: `message to ${to}: ${sayStep(world, step)}: ${text}` }]
  })
  return [...failed, ...told]
    .sort((one, other) => one.seq - other.seq)
    .slice(-MOST_TRACED)
    .map(({ line }) => beginningOf(oneLine(line), TRACED_CHARACTERS))
}

/** The person answers by the rules until no step is left to run. out: why the job did not end */
async function untilQuiet(team: Rehearsal, job: Job): Promise<string[]> {
  const person = openPerson(job.rules)
  const passed = new Set<string>()
  for (let count = 0; count < MOST_REQUESTS; count += 1) {
    const next = await nextEvent(team, passed)
    if (next === 'quiet') return openEnds(team.world())
    if (next === 'stuck') return ['there was no progress for too long']
    const reply = person.reply(next)
    if (reply === null) passed.add(next.id)
    else await team.answer(next, reply.decision, reply.text)
  }
  return [`the person was asked more than ${MOST_REQUESTS} times`]
}

/** A person's own part is answered after all other work, since it is usually a check of it. */
async function nextEvent(team: Rehearsal, passed: ReadonlySet<string>): Promise<RequestRecord | 'quiet' | 'stuck'> {
  const seek = (world: World): RequestRecord | 'quiet' | null => {
    const open = openRequests(world).filter(({ id }) => !passed.has(id))
    const pressing = open.find(({ kind }) => kind !== 'part')
    if (pressing) return pressing
    if (!isQuiet(world)) return null
    return open[0] ?? 'quiet'
  }
  try {
    return await team.until(seek, 'a request or the end')
  } catch {
    return 'stuck'
  }
}

const openRequests = (world: World): RequestRecord[] =>
  Object.values(world.requests)
    .flatMap((own) => Object.values(own))
    .filter(({ state }) => state === 'open')
    .sort((one, other) => one.openedSeq - other.openedSeq)

const isQuiet = (world: World): boolean =>
  Object.keys(world.agents).every((id) => {
    const agent = asId<AgentId>(id)
    return world.work[agent]?.running == null && selectNextStep(world, agent) === null
  })

/** Requests and tasks that are still open at the end. */
function openEnds(world: World): string[] {
  const requests = openRequests(world).map(({ kind, question }) => `left open, ${kind}: ${question.slice(0, 200)}`)
  const tasks = Object.values(world.tasks).filter((task) => !task.base && !isTaskOver(task))
  return [...requests, ...tasks.map(({ name }) => `the task ${name} never ended`)]
}

/** The calls of all steps with their prompts and answers, in order of the steps. */
async function callsOf(team: Rehearsal): Promise<KeptCall[]> {
  const { bodies } = team.store
  const read = async (ref: BodyRef): Promise<string> => {
    const text = await bodyText(bodies, ref)
    if (text === null) throw new Fault('NOT_KEPT')
    return text
  }
  const kept = team.steps().flatMap(({ agent, executor, number, calls }) =>
    calls.map(async ({ prompt, answer, error }): Promise<KeptCall> => {
      const sections = await readStoredPrompt(prompt, read)
      return {
        agent: team.world().agents[agent]?.name ?? agent,
        skill: executor,
        number,
        prompt: sections.map(({ name, role, text }) => `${role}, ${name}:\n${text}`).join('\n\n'),
        answer: answer && (await bodyText(bodies, answer)),
        error,
      }
    }),
  )
  return await Promise.all(kept)
}

function endOf(team: Rehearsal): End {
  const world = team.world()
  const nameOf = (id: string): string => world.agents[asId<AgentId>(id)]?.name ?? id
  const isPerson = (id: string): boolean => world.agents[asId<AgentId>(id)]?.kind === 'human'
  const said: Told[] = team
    .messages()
    .filter(({ sender }) => !isPerson(sender))
    .map(({ sender, receivers, text }) => ({ from: nameOf(sender), to: receivers.map(nameOf), text }))
  const people = new Set(Object.values(world.agents).flatMap(({ kind, name }) => (kind === 'human' ? [name] : [])))
  return {
    ...workspaceOf(team.folder),
    told: said.filter(({ from, to }) => from !== 'system:task' && to.some((name) => people.has(name))),
    saidAmongAgents: said.filter(({ from, to }) => from !== 'system:task' && !to.some((name) => people.has(name))),
    asked: Object.values(world.requests)
      .flatMap((own) => Object.values(own))
      .sort((one, other) => one.openedSeq - other.openedSeq)
      .map(({ asked, asker, kind, type, question, answer }) => ({
        to: asked.map(nameOf),
        by: nameOf(asker),
        kind,
        type,
        question,
        answer: answer?.text ?? null,
      })),
    calls: team
      .steps()
      .flatMap(({ agent, instruction, state, intention }) =>
        instruction?.kind === 'call' ? [{ by: nameOf(agent), name: instruction.name, path: intention, state }] : [],
      ),
    tasks: Object.values(world.tasks)
      .filter((task) => !task.base)
      .map((task) => ({
        name: task.name,
        state: task.state,
        summary: task.summary ?? '',
        stages: task.stageOrder.flatMap((id) => world.stages[task.id]?.[id]?.state ?? []),
      })),
  }
}
