/**
 * Random histories of the world, made by putting random wishes to decide: what people, agents and the system might do in
 * any order. A history is driven by a list of numbers, so that a failing one can be shrunk and repeated.
 */

import fc from 'fast-check'
import { bodyOf } from '@/lib/mas/bodies'
import { type Decided, decide } from '@/lib/mas/commands'
import type { Command, Envelope } from '@/lib/mas/commands/command'
import type { Entry, MasEvent } from '@/lib/mas/events'
import { type AgentId, asId, type RequestId, type TaskId } from '@/lib/mas/ids'
import { selectNextStep } from '@/lib/mas/members'
import { MESSAGE_TYPES } from '@/lib/mas/messages/records'
import type { NewEnvelope } from '@/lib/mas/outside/records'
import { type AgentConfig, emptyWorld, type RequestRecord, type StepRecord, type World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { isOpen } from '@/lib/mas/statuses'
import { type PlannedStep, plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import { stepIn, stepsIn } from '@/lib/mas/steps/ownSteps'

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const agent = (n: number, name: string, more: Partial<AgentConfig> = {}): AgentConfig => ({
  id: asId<AgentId>(uuid(n)),
  configId: name.toLowerCase(),
  kind: 'llm',
  name,
  role: name,
  profile: '',
  groups: [],
  manager: false,
  mayWait: false,
  model: 'default',
  skills: ['all'],
  tools: ['files'],
  access: 'none',
  ...more,
})

export const TEAM = {
  manager: agent(1, 'Manager', { manager: true, tools: [] }),
  reader: agent(2, 'Reader'),
  analyst: agent(3, 'Analyst'),
  ana: agent(4, 'Ana', { kind: 'human', access: 'operator' }),
  ben: agent(5, 'Ben', { kind: 'human', access: 'participant' }),
  lee: agent(6, 'Lee', { kind: 'human', access: 'participant' }),
} as const

export const BASE_TASK = asId<TaskId>(uuid(100))

export const teamConfig = (): Extract<Command, { type: 'applyConfig' }> => ({
  type: 'applyConfig',
  team: {
    name: 'Test team',
    language: 'en',
    limits: { stepsPerPart: 20, reflectionsPerPart: 3, talkInARow: 12 },
    startable: [agent(50, 'Spare')],
    toolGuides: { files: 'reads files' },
    skillGuides: {},
    models: ['default'],
    rehearsal: true,
  },
  agents: Object.values(TEAM),
  baseTask: { id: BASE_TASK, name: 'MAS base task', intention: 'Take requests' },
})

/** A world that commands are put to one by one; keeps the entries. */
export class Story {
  readonly entries: Entry[] = []
  readonly cuts: number[] = []
  /** Texts that decisions put into bodies, by hash. */
  readonly bodies = new Map<string, string>()
  /** Envelopes that decisions logged. */
  readonly exchange: NewEnvelope[] = []
  /** All that was put, refused or not. */
  readonly envelopes: Envelope[] = []
  private count = 0
  private passed = 0

  constructor(public world: World = emptyWorld) {
    this.put('system:start', teamConfig())
  }

  /** Put a command; out: the decision, or null when it was refused. Each takes a second of the story's time. */
  put(by: string, command: Command, bodies: Envelope['bodies'] = []): Decided | null {
    this.count += 1
    const at = 1_700_000_000_000 + this.count * 1_000 + this.passed
    const envelope: Envelope = { id: `command-${this.count}`, by, command, bodies }
    this.envelopes.push(envelope)
    const decided = decide(this.world, envelope, at)
    if (!decided.ok) return null
    const entries = decided.events.map(
      (event, index): Entry => ({ seq: this.world.seq + 1 + index, at, by, cause: envelope.id, event }),
    )
    this.world = reduceAll(this.world, entries)
    this.entries.push(...entries)
    this.cuts.push(this.world.seq)
    for (const { sha, bytes } of decided.bodies) this.bodies.set(sha, new TextDecoder().decode(bytes))
    this.exchange.push(...decided.envelopes)
    return decided
  }

  /** Nothing happens for so many ms. */
  pass(ms: number): void {
    this.passed += ms
  }

  /** An event that no command of a story brings about, as an entry of its own. */
  happens(event: MasEvent): void {
    this.count += 1
    const at = 1_700_000_000_000 + this.count * 1_000
    const entry: Entry = { seq: this.world.seq + 1, at, by: 'system:test', cause: `event-${this.count}`, event }
    this.world = reduceAll(this.world, [entry])
    this.entries.push(entry)
    this.cuts.push(this.world.seq)
  }

  /** Start the agent's next step; null when it has none. */
  start(agentId: AgentId): StepRecord | null {
    const next = selectNextStep(this.world, agentId)
    if (!next) return null
    this.put('system:runner', { type: 'startStep', step: next.id, agent: agentId, node: 'n1', epoch: 1 })
    return stepIn(this.world.steps[next.task]?.[agentId], next.id) ?? null
  }

  /** goesOn: the agent's next step begins in the same decision. */
  finish(step: StepRecord, outcome: StepOutcome, goesOn = false): Decided | null {
    const goOn = goesOn ? { node: 'n1', epoch: 1 } : null
    const attempt = step.attempt?.number ?? 0
    return this.put('system:runner', { type: 'finishStep', step: step.id, attempt, outcome, goOn })
  }

  /** Start and finish the agent's next step in one go. */
  run(agentId: AgentId, outcome: (step: StepRecord) => StepOutcome): StepRecord | null {
    const step = this.start(agentId)
    if (!step) return null
    this.finish(step, outcome(step))
    return step
  }

  ask(text = 'Compare the lists', by: AgentId = TEAM.ana.id): void {
    this.put(by, send(by, [TEAM.manager.id], { text, kind: 'action' }))
  }

  openRequests(): RequestRecord[] {
    return Object.values(this.world.requests).flatMap((requests) => Object.values(requests).filter(isOpen))
  }
}

export const send = (
  sender: AgentId,
  receivers: AgentId[],
  more: Partial<Extract<Command, { type: 'sendMessage' }>> = {},
): Command => ({
  type: 'sendMessage',
  task: BASE_TASK,
  sender,
  receivers,
  text: 'hello',
  stage: null,
  kind: 'fyi',
  answers: null,
  replyTo: null,
  attachments: [],
  mention: false,
  ...more,
})

export const planned = (executor: string, type: 'skill' | 'tool' = 'skill'): PlannedStep => ({
  step_intention: executor,
  type,
  executor,
  text_content: `do ${executor}`,
})

export const outcomeOf = (more: Partial<StepOutcome>): StepOutcome => ({ ...plainOutcome('done'), ...more })

/** A wish of the walk: which kind, and numbers to pick with. */
export type Move = { kind: number; a: number; b: number; c: number }

export const anyMoves = (max = 60): fc.Arbitrary<Move[]> =>
  fc.array(fc.record({ kind: fc.nat(119), a: fc.nat(999), b: fc.nat(999), c: fc.nat(999) }), {
    maxLength: max,
    size: 'max',
  })

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]

/** Walk: apply random moves to a fresh story, calling `each` after every one that was not refused. */
export function walk(moves: readonly Move[], each: (story: Story) => void = () => {}, story = new Story()): Story {
  openTask(story)
  each(story)
  for (const move of moves) {
    act(story, move)
    each(story)
  }
  return story
}

/** A task with two stages, the first of them running: most of what can go on goes on in one. */
export function openTask(story: Story): TaskId | null {
  story.ask()
  story.run(TEAM.manager.id, () =>
    outcomeOf({
      sync: {
        task_instruction: {
          action: 'add_task',
          task_name: 'Compare',
          task_intention: 'Compare the lists',
          members: [TEAM.reader.id, TEAM.analyst.id, TEAM.ben.id],
        },
      },
    }),
  )
  const task = Object.values(story.world.tasks).find((one) => !one.base)
  if (!task) return null
  story.ask('and plan it')
  story.run(TEAM.manager.id, () =>
    outcomeOf({
      sync: {
        task_instruction: {
          action: 'add_stage',
          task_id: task.id,
          stages: [
            { stage_intention: 'read', agent_allocation: { [TEAM.reader.id]: 'read all', [TEAM.ben.id]: 'help' } },
            { stage_intention: 'compare', agent_allocation: { [TEAM.analyst.id]: 'compare', [TEAM.ana.id]: 'check' } },
          ],
        },
      },
    }),
  )
  return task.id
}

function act(story: Story, { kind, a, b, c }: Move): void {
  const { world } = story
  const people = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id]
  const llms = [TEAM.manager.id, TEAM.reader.id, TEAM.analyst.id]
  if (kind < 55) {
    const who = pick(llms, a)
    if (who === undefined) return
    const step = runningOf(world, who) ?? story.start(who)
    if (step?.state !== 'running') return
    // A tool server asks while the call runs, and now and then the call is over before anybody answers.
    if (step.type === 'tool' && c % 3 > 0) askRandomly(story, step)
    if (step.type !== 'tool' || c % 3 < 2) endRandomly(story, step, b, c)
    return
  }
  const person = pick(people, a)
  if (person === undefined) return
  if (kind < 75) {
    const request = pick(story.openRequests(), b)
    if (request) answerRandomly(story, person, request, c)
    return
  }
  if (kind < 90) {
    const task = pick(Object.values(world.tasks), b)
    if (!task) return
    const receivers = task.group.filter((_, index) => (c >> index) % 2 === 1)
    const kind = MESSAGE_TYPES[c % 3] ?? 'fyi'
    const review = b % 3 === 0 ? { reviewPlans: true as const } : {}
    story.put(
      person,
      send(person, receivers, { task: task.id, kind, answers: b % 2 === 0 ? 'oldest' : null, ...review }),
    )
    return
  }
  if (kind >= 113) {
    handRandomly(story, person, b, c)
    return
  }
  if (kind >= 100) {
    directRandomly(story, b, c)
    return
  }
  const deliveries = Object.values(world.deliveries).flatMap((byAgent) => Object.values(byAgent[person] ?? {}))
  const delivery = pick(deliveries, b)
  if (!delivery) return
  const wishes: Command[] = [
    { type: 'markShown', messages: [delivery.message] },
    { type: 'acknowledge', message: delivery.message },
    { type: 'markDone', message: delivery.message },
    { type: 'undoOutcome', message: delivery.message },
  ]
  const wish = pick(wishes, c)
  if (wish) story.put(person, wish)
}

/** An operator takes the work in hand. */
function directRandomly(story: Story, b: number, c: number): void {
  const { world } = story
  const reason = 'as I see it'
  const { manager, reader, analyst, ana, ben, lee } = TEAM
  const who = pick([reader.id, analyst.id, manager.id], b) ?? reader.id
  const member = pick([reader.id, analyst.id, ben.id, lee.id], b) ?? ben.id
  const task = pick(
    Object.values(world.tasks).filter((one) => !one.base),
    c,
  )
  const stage = Object.values(task ? (world.stages[task.id] ?? {}) : {}).find((one) => one.state === 'running')
  const step = pick(
    Object.values(task ? (world.steps[task.id] ?? {}) : {}).flatMap((own) => stepsIn(own)),
    b,
  )
  const better = { intention: 'another way', allocation: { [who]: 'again', [ben.id]: 'look' } }
  const wishes: Command[] = [
    world.agents[who]?.paused
      ? { type: 'resumeAgent', agent: who, reason: '' }
      : { type: 'pauseAgent', agent: who, reason },
  ]
  if (task) {
    const { id } = task
    wishes.push(
      task.paused ? { type: 'resumeTask', task: id, reason: '' } : { type: 'pauseTask', task: id, reason },
      { type: 'addStages', task: id, stages: [better], reason },
      task.group.includes(member)
        ? { type: 'changeParticipants', task: id, add: [], remove: [member], reason }
        : { type: 'changeParticipants', task: id, add: [member], remove: [], reason },
      { type: 'changeManager', task: id, agent: b % 3 === 0 ? analyst.id : manager.id, reason },
    )
    if (b % 7 === 0) wishes.push({ type: 'finishTask', task: id, state: 'failed', summary: 'enough', reason })
  }
  if (stage) {
    wishes.push(
      { type: 'finishStage', stage: stage.id, reason },
      { type: 'retryStage', stage: stage.id, better, reason },
    )
  }
  if (step) wishes.push({ type: 'cancelStep', step: step.id, reason }, { type: 'retryStep', step: step.id, reason })
  const wish = pick(wishes, c)
  if (wish) story.put(ana.id, wish)
}

/** A person runs a tool by hand, or something becomes of one that they run. */
function handRandomly(story: Story, person: AgentId, b: number, c: number): void {
  const running = runningOf(story.world, person) ?? (b % 2 === 0 ? story.start(person) : null)
  if (running === null) {
    const task = pick(Object.values(story.world.tasks), b)
    if (task) story.put(person, runTool(story.world, task.id, c % 2 === 0 ? { reason: 'to see' } : null))
    return
  }
  const { id: step } = running
  if (c % 5 === 0) story.put(person, { type: 'cancelStep', step, reason: '' })
  else if (c % 5 === 1) story.put('system:recovery', { type: 'recoverStep', step, again: false, reason: 'stopped' })
  else if (c % 5 === 2) askRandomly(story, running)
  else story.finish(running, outcomeOf({ sync: { need_tool_decision: true } }), b % 3 === 0)
}

/** `files.count` by hand, in the stage of the task that runs. */
export function runTool(
  world: World,
  task: TaskId,
  confirmed: { reason: string } | null = null,
): Extract<Command, { type: 'runTool' }> {
  const stage = Object.values(world.stages[task] ?? {}).find((one) => one.state === 'running')
  return {
    type: 'runTool',
    task,
    stage: task === BASE_TASK ? null : (stage?.id ?? null),
    server: 'files',
    tool: 'count',
    arguments: bodyOf('{"n":1}', 'application/json').ref,
    confirmed,
  }
}

function runningOf(world: World, who: AgentId): StepRecord | null {
  const ref = world.work[who]?.running
  return ref ? (stepIn(world.steps[ref.task]?.[who], ref.step) ?? null) : null
}

function askRandomly(story: Story, step: StepRecord): void {
  const tool = { server: step.executor, tool: 'count', asks: 'form', schema: {}, url: null, body: null } as const
  const attempt = step.attempt?.number ?? 0
  story.put('system:runner', { type: 'openToolRequest', step: step.id, attempt, message: 'Which?', tool })
}

function answerRandomly(story: Story, person: AgentId, request: RequestRecord, c: number): void {
  const id: RequestId = request.id
  const edited = bodyOf('{"edited":true}', 'application/json')
  const decisions = {
    answer: ['answer'],
    part: ['done', 'cannot'],
    confirm: ['approve', 'approve_edited', 'refuse'],
    limit: ['approve', 'refuse'],
    judge: [],
    tool: ['answer', 'refuse', 'cannot'],
    plan: ['approve', 'refuse'],
  } as const
  const decision = pick<'answer' | 'done' | 'cannot' | 'approve' | 'approve_edited' | 'refuse'>(
    decisions[request.kind],
    c,
  )
  if (decision === undefined) return
  story.put(
    person,
    {
      type: 'answerRequest',
      request: id,
      decision,
      text: request.kind === 'limit' && decision === 'approve' ? '3' : 'as you like',
      arguments:
        decision === 'approve_edited' || (request.kind === 'tool' && decision === 'answer') ? edited.ref : null,
      digest: request.call?.digest ?? null,
    },
    [edited.body],
  )
}

function endRandomly(story: Story, step: StepRecord, b: number, c: number): void {
  const { world } = story
  const attempt = step.attempt?.number ?? 0
  const goesOn = (b + c) % 2 === 0
  const task = world.tasks[step.task]
  const group = task?.group ?? []
  const args = bodyOf(`{"n":${c}}`, 'application/json')
  if (c % 11 === 0) {
    story.finish(
      step,
      outcomeOf({ state: 'failed', reason: 'it went wrong', sync: { need_tool_decision: step.type === 'tool' } }),
      goesOn,
    )
    return
  }
  if (c % 13 === 0) {
    story.put('system:recovery', { type: 'recoverStep', step: step.id, again: b % 2 === 0, reason: 'stopped' })
    return
  }
  if (step.type === 'tool') {
    if (b % 3 === 0 && step.approvedBy === null) {
      story.put(
        'system:runner',
        {
          type: 'holdStep',
          step: step.id,
          attempt,
          call: { server: 'files', tool: 'write', arguments: args.ref, digest: args.ref.sha, changes: '' },
        },
        [args.body],
      )
    } else story.finish(step, outcomeOf({ sync: { need_tool_decision: true } }), goesOn)
    return
  }
  story.finish(step, skillOutcome(story, step, group, b, c), goesOn)
}

function skillOutcome(story: Story, step: StepRecord, group: AgentId[], b: number, c: number): StepOutcome {
  const receiver = pick(group, b) ?? TEAM.ana.id
  const talks = (waiting: boolean, needReply: boolean) => ({
    receiver: c % 4 === 0 ? [receiver, pick(group, b + 1) ?? receiver] : [receiver],
    message: 'which one?',
    stage_relative: step.stage ?? 'no_relative',
    need_reply: needReply,
    waiting,
  })
  switch (step.executor) {
    case 'planning':
      return outcomeOf({
        steps: {
          insert: [],
          add: [planned('think'), planned('files', 'tool'), planned('send_message'), planned('reflection')],
        },
      })
    case 'reflection':
      return outcomeOf({ steps: { insert: [], add: c % 5 === 0 ? [] : [planned(c % 3 === 0 ? 'think' : 'summary')] } })
    case 'summary':
      return outcomeOf({ sync: { update_stage_agent_completion: { summary: 'all done' } } })
    case 'send_message':
      return outcomeOf({ sync: { send_message: talks(c % 2 === 0, c % 3 === 0) } })
    case 'instruction_generation':
      return step.boundTo === null
        ? outcomeOf({})
        : outcomeOf({
            instruct: {
              step: step.boundTo,
              instruction:
                c % 5 === 0
                  ? { kind: 'none', reason: 'nothing to call' }
                  : { kind: 'call', target: 'tool', name: 'write', arguments: bodyOf('{}', 'application/json').ref },
            },
          })
    case 'ask_info':
      return outcomeOf({ sync: { ask_info: { type: 'agents_in_mas' } } })
    case 'task_manager':
      return managerOutcome(story, step, c)
    case 'process_message':
      return outcomeOf({
        memory: [{ add: '### note\ntext' }, { delete: 'no such note' }],
        steps: { add: [], insert: c % 4 === 0 ? [planned('decision')] : [] },
      })
    case 'decision':
      return outcomeOf({
        steps: { add: [], insert: [planned('task_manager'), planned('ask_info'), planned('think')].slice(0, c % 4) },
      })
    default:
      return outcomeOf({ sync: { send_shared_info: { content: 'did it' } } })
  }
}

function managerOutcome(story: Story, step: StepRecord, c: number): StepOutcome {
  const task = story.world.tasks[step.task]
  const stage = Object.values(story.world.stages[step.task] ?? {}).find((one) => one.state === 'running')
  if (!task) return outcomeOf({})
  const better = { stage_intention: 'better', agent_allocation: { [TEAM.reader.id]: 'again', [TEAM.ana.id]: 'look' } }
  if (stage && c % 3 === 0) {
    return outcomeOf({
      sync: { task_instruction: { action: 'retry_stage', task_id: task.id, stage_id: stage.id, stages: [better] } },
    })
  }
  if (stage && c % 7 !== 0) {
    return outcomeOf({ sync: { task_instruction: { action: 'finish_stage', task_id: task.id, stage_id: stage.id } } })
  }
  if (c % 2 === 0)
    return outcomeOf({ sync: { task_instruction: { action: 'add_stage', task_id: task.id, stages: [better] } } })
  return outcomeOf({
    sync: {
      task_instruction: { action: 'finish_task', task_id: task.id, state: 'finished', task_summary: 'all compared' },
    },
  })
}
