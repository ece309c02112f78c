/** Which facts give an agent work, what becomes of a step that ends early, and what a stop leaves. */
import { describe, expect, it } from 'vitest'
import { Fault } from '@/lib/faults'
import type { Command, Envelope } from '@/lib/mas/commands/command'
import { type Entry, event, type MasEvent } from '@/lib/mas/events'
import { type AgentId, asId, type RequestId, type TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { StepOutcome } from '@/lib/mas/steps/outcome'
import { toolPoolOf } from '@/test/testEngine'
import { BASE_TASK, openTask, outcomeOf, Story, send, TEAM } from '@/test/worldHistories'
import type { SkillRun } from '../../skills/port'
import { createDispatcher } from '../dispatch/dispatcher'
import { openPlaces } from '../dispatch/places'
import type { CommitAnswer } from '../port'
import { createRunner } from './runner'

const turns = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
}
const OK: CommitAnswer = { ok: true, seq: 1, reply: null }
const { ana, manager, reader, analyst } = TEAM

/** A task of the manager, the reader and the analyst, in which the last two have a message to read. */
function atWork(): { story: Story; task: TaskId } {
  const story = new Story()
  const task = openTask(story)
  if (task === null) throw new Error('there is no task')
  story.put(ana.id, send(ana.id, [reader.id, analyst.id], { task }))
  return { story, task }
}

type Bench = {
  world: () => World
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  skill?: (run: SkillRun) => Promise<StepOutcome>
}
/** A runner, and who begins its steps. */
function runnerOf({ world, commit, skill = async () => outcomeOf({}) }: Bench) {
  const mistakes: string[] = []
  const onMistake = (error: unknown, what: string): void =>
    void mistakes.push(`${what}: ${error instanceof Error ? error.message : error}`)
  const places = openPlaces('n1')
  const dispatcher = createDispatcher({ world, commit, newId: () => 'id', places, needsFiles: () => false, onMistake })
  const runner = createRunner({
    node: 'n1',
    world,
    commit,
    bodies: { get: async () => null },
    takesTurns: true,
    runSkill: skill,
    models: { get: (name) => ({ name, provider: 'none', contextTokens: 1, call: () => expect.fail('no model') }) },
    pool: toolPoolOf({}),
    now: () => 1,
    clock: () => 1,
    newId: () => 'id',
    onNote: () => {},
    onMistake,
  })
  runner.start()
  return {
    mistakes,
    textOf: runner.textOf,
    wakeAll: dispatcher.wakeAll,
    onEntries(...told: Parameters<typeof runner.onEntries>): void {
      runner.onEntries(...told)
      dispatcher.onEntries(...told)
    },
    async stop(): Promise<void> {
      dispatcher.stop()
      await runner.stop()
    },
  }
}

/** A runner that puts its commands to a story. `put`: every command of the runner. */
function playing(story: Story, skill: Bench['skill'], node = 'n1') {
  const put: Command[] = []
  const commit = async ({ by, command, bodies }: Envelope): Promise<CommitAnswer> => {
    put.push(command)
    const given = command.type === 'startStep' ? { ...command, node } : command
    return happen(() => story.put(by, given, bodies ?? []) !== null) ? OK : { ok: false, fault: new Fault('STEP_OVER') }
  }
  const runner = runnerOf({ world: () => story.world, commit, ...(skill ? { skill } : {}) })
  function happen<T>(act: () => T): T {
    const before = story.entries.length
    const made = act()
    runner.onEntries(story.entries.slice(before), story.world)
    return made
  }
  return { ...runner, put, happen }
}
const typesOf = (put: readonly Command[]): string[] => put.map(({ type }) => type)

describe('an agent with work begins it', () => {
  const entryOf = (event: MasEvent): Entry => ({ seq: 1, at: 1, by: 'x', cause: 'c', event })
  /** The agents that begin a step when this happens. */
  async function begun(fact: (task: TaskId) => MasEvent, { story, task } = atWork()): Promise<AgentId[]> {
    const agents: AgentId[] = []
    const runner = runnerOf({
      world: () => story.world,
      commit: ({ command }) => {
        if (command.type === 'startStep') agents.push(command.agent)
        return new Promise(() => {})
      },
    })
    runner.onEntries([entryOf(fact(task))], story.world)
    await turns()
    return agents.sort()
  }
  const both = [reader.id, analyst.id]

  it('when a fact names it, and not because a fact names somebody else', async () => {
    const named = (agent: AgentId) => (): MasEvent => ({ type: 'agent.resumed', v: 1, agent, by: ana.id })
    expect(await begun(named(reader.id))).toEqual([reader.id])
    // The manager has nothing to do.
    expect(await begun(named(manager.id))).toEqual([])
  })

  it('when its task goes on, and not when another one does', async () => {
    expect(await begun((task) => ({ type: 'task.resumed', v: 1, task, by: ana.id }))).toEqual(both)
    const other = asId<TaskId>('another')
    expect(await begun(() => ({ type: 'task.resumed', v: 1, task: other, by: ana.id }))).toEqual([])
    expect(await begun((task) => ({ type: 'task.paused', v: 1, task, by: ana.id, reason: '' }))).toEqual([])
  })

  it('when more is allowed, or its limit goes: to it alone, to its task, or to all of the day', async () => {
    const facts = (of: AgentId | null) => [
      (task: TaskId) => event('budget.lifted', { task, key: 'k', of, allowed: { limit: 'steps', more: 5 } }),
      (task: TaskId) => event('budget.lifted', { task, key: 'k', of, allowed: null }),
    ]
    for (const fact of facts(reader.id)) expect(await begun(fact)).toEqual([reader.id])
    for (const fact of facts(null)) expect(await begun(fact)).toEqual(both)
    for (const fact of facts(null)) expect(await begun(() => fact(asId<TaskId>('another')))).toEqual([])
    for (const fact of facts(null)) expect(await begun(() => fact(BASE_TASK))).toEqual(both)
    const reached = (task: TaskId): MasEvent => {
      const what = { key: 'k', limit: 'steps', of: null, height: 5 } as const
      return { type: 'budget.reached', v: 1, task, ...what, request: asId<RequestId>('r') }
    }
    expect(await begun(reached)).toEqual([])
  })

  it('when what it asked is settled', async () => {
    const { story, task } = atWork()
    const from = (sender: AgentId): MasEvent => {
      const message = Object.values(story.world.messages[task] ?? {}).find((one) => one.sender === sender)
      if (!message) throw new Error('nothing was sent')
      return { type: 'message.delivery', v: 1, task, message: message.id, agent: ana.id, state: 'done', note: null }
    }
    story.run(reader.id, () =>
      outcomeOf({
        sync: {
          send_message: {
            receiver: [ana.id],
            message: 'Which list?',
            stage_relative: 'no_relative',
            need_reply: true,
            waiting: false,
          },
        },
      }),
    )
    story.put(ana.id, send(ana.id, [reader.id], { task }))
    expect(await begun(() => from(reader.id), { story, task })).toEqual([reader.id])
    expect(await begun(() => from(ana.id), { story, task })).toEqual([])
    const { id } = Object.values(story.world.messages[task] ?? {}).find(({ sender }) => sender === reader.id) ?? {}
    if (id === undefined) throw new Error('nothing was sent')
    const reminder = { task, message: id, agent: ana.id, until: null }
    expect(await begun(() => ({ type: 'reminder.set', v: 1, ...reminder }), { story, task })).toEqual([])
  })
})

describe('a step that runs', () => {
  /** The reader's step hangs until its signal ends it. */
  function hanging() {
    const { story, task } = atWork()
    const signals: AbortSignal[] = []
    const skill = (run: SkillRun): Promise<StepOutcome> => {
      signals.push(run.signal)
      run.onText('half ')
      return new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)))
    }
    story.put(ana.id, { type: 'pauseAgent', agent: analyst.id, reason: 'not now' })
    return { ...playing(story, skill), story, task, signals }
  }
  const runningIn = (story: Story) => story.world.work[reader.id]?.running?.step

  it('is stopped as soon as a person cancels it, and hands nothing in', async () => {
    const { wakeAll, happen, story, signals, put, textOf } = hanging()
    wakeAll()
    await turns()
    const step = runningIn(story)
    if (!step) throw new Error('nothing runs')
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    expect(textOf(step)).toEqual({ attempt: 1, text: 'half ' })
    happen(() => story.put(ana.id, { type: 'cancelStep', step, reason: 'enough' }))
    expect(signals[0]?.aborted).toBe(true)
    await turns()
    expect(put.filter((one) => one.type === 'finishStep' && one.step === step)).toEqual([])
    expect(textOf(step)).toBeNull()
  })

  it('is left alone by what happens to others', async () => {
    const { wakeAll, happen, story, signals, task } = hanging()
    wakeAll()
    await turns()
    happen(() => story.put(ana.id, send(ana.id, [reader.id], { task })))
    await turns()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  it('[R13] is stopped when it was begun anew elsewhere: its attempt is another one', async () => {
    const { wakeAll, happen, story, signals, put } = hanging()
    wakeAll()
    await turns()
    const step = runningIn(story)
    if (!step) throw new Error('nothing runs')
    happen(() => {
      story.put('system:recovery', { type: 'recoverStep', step, again: true, reason: 'stopped' })
      story.put('system:runner', { type: 'startStep', step, agent: reader.id, node: 'n2', epoch: 2 })
    })
    expect(runningIn(story)).toBe(step)
    expect(signals[0]?.aborted).toBe(true)
    await turns()
    expect(typesOf(put)).not.toContain('finishStep')
  })

  it('[R13] for another process is not run here', async () => {
    const { story } = atWork()
    let runs = 0
    const count = async (): Promise<StepOutcome> => {
      runs += 1
      return outcomeOf({})
    }
    const { wakeAll, put } = playing(story, count, 'n2')
    wakeAll()
    await turns()
    expect(typesOf(put)).toEqual(['startStep', 'startStep'])
    expect(runs).toBe(0)
  })

  it('whose program fails says so as its outcome, and the next step of its agent runs', async () => {
    const { story } = atWork()
    let runs = 0
    const { wakeAll, put, mistakes } = playing(story, async () => {
      runs += 1
      if (runs === 1) throw new Error('it broke')
      return outcomeOf({})
    })
    wakeAll()
    await turns()
    const ends = put.flatMap((one) => (one.type === 'finishStep' ? [one.outcome] : []))
    expect(ends.length).toBeGreaterThan(1)
    expect(ends.filter(({ state }) => state === 'failed')).toMatchObject([{ reason: 'it broke' }])
    expect(mistakes).toHaveLength(1)
  })
})

describe('steps that begin together', () => {
  it('[R259] take turns where other nodes wait, so that sockets are served between two of them', async () => {
    const { story } = atWork()
    const seen: string[] = []
    const { wakeAll } = playing(story, async () => {
      seen.push('step')
      setImmediate(() => seen.push('socket'))
      return new Promise(() => {})
    })
    wakeAll()
    await turns()
    expect(seen).toEqual(['step', 'socket', 'step', 'socket'])
  })
})

describe('a runner that was stopped', () => {
  it('has ended what ran, waited for it, and begins nothing more', async () => {
    const { story, task } = atWork()
    let ended = 0
    const skill = (run: SkillRun): Promise<StepOutcome> =>
      new Promise((_, reject) =>
        run.signal.addEventListener('abort', () =>
          setImmediate(() => {
            ended += 1
            reject(run.signal.reason)
          }),
        ),
      )
    const { wakeAll, stop, put, happen } = playing(story, skill)
    wakeAll()
    await turns()
    const before = put.length
    expect(typesOf(put).filter((type) => type === 'startStep')).toHaveLength(2)
    await stop()
    expect(ended).toBe(2)
    happen(() => story.put(ana.id, send(ana.id, [reader.id, manager.id], { task })))
    wakeAll()
    await turns()
    expect(put).toHaveLength(before)
  })

  it('hands in nothing of what it ended, also where the program came to an end of its own', async () => {
    const { story } = atWork()
    let give = (): void => {}
    const given = new Promise<void>((resolve) => {
      give = resolve
    })
    const { wakeAll, stop, put } = playing(story, async () => {
      await given
      return outcomeOf({})
    })
    wakeAll()
    await turns()
    const stopping = stop()
    give()
    await stopping
    expect(typesOf(put).filter((type) => type !== 'startStep')).toEqual([])
  })

  it('by a journal that takes nothing more: it asks once for each agent, and never again', async () => {
    for (const code of ['STOPPING', 'STORE_BROKEN'] as const) {
      const { story, task } = atWork()
      let asked = 0
      const runner = runnerOf({
        world: () => story.world,
        commit: async () => {
          asked += 1
          return { ok: false, fault: new Fault(code) }
        },
      })
      runner.wakeAll()
      await turns()
      expect([code, asked]).toEqual([code, 2])
      const entries = story.entries.slice(-1)
      story.put(ana.id, send(ana.id, [reader.id], { task }))
      runner.onEntries(entries, story.world)
      await turns()
      expect([code, asked]).toEqual([code, 2])
    }
  })
})
