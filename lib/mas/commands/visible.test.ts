/** What the author of a command cannot read does not exist for them: no command widens what its author reads. */
import { describe, expect, it } from 'vitest'
import type { Fault } from '@/lib/faults'
import { BASE_TASK, openTask, outcomeOf, planned, runTool, Story, send, TEAM } from '@/test/worldHistories'
import { canReadMessage, taskAccessOf } from '../access/access'
import { event } from '../events'
import type { AgentId, HandOverId, MessageId, RequestId, ScheduleId, StageId, StepId, TaskId, WaitingId } from '../ids'
import { asId } from '../ids'
import type { MessageRecord, RequestRecord } from '../records'
import type { Command, CommandType } from './command'
import { decide } from './index'

const { manager, reader, ana, ben, lee } = TEAM
const reason = 'a test'

/** Ids of records that Lee cannot see: of a task without Lee, of Ana's thread of the base task, and her schedule. */
type Hidden = {
  task: TaskId
  stage: StageId
  step: StepId
  message: MessageId
  request: RequestId
  waiting: WaitingId
  handOver: HandOverId
  threadMessage: MessageId
  threadRequest: RequestId
  threadStep: StepId
  threadWaiting: WaitingId
  schedule: ScheduleId
}
type Kind = keyof Hidden

/**
 * What becomes of a command whose author names what they cannot see.
 *
 * system    only the program puts it
 * operator  only an operator may, who reads all; said before anything is looked up
 * silent    what is not its author's is passed over
 * names     each id that it may name, as a command of Lee
 */
type Verdict = 'system' | 'operator' | 'silent' | { [name: string]: [Kind[], (id: string) => Command] }

const id = <Id extends string>(text: string): Id => asId<Id>(text)
const stages = [{ intention: 'look', allocation: { [reader.id]: 'look' } }]
const toManager = (more: Partial<Extract<Command, { type: 'sendMessage' }>>) => send(lee.id, [manager.id], more)
const REQUESTS: Kind[] = ['request', 'threadRequest']
const MESSAGES: Kind[] = ['message', 'threadMessage']
const answer = { decision: 'answer', text: 'mine', arguments: null, digest: null } as const

const weekly: Extract<Command, { type: 'saveSchedule' }> = {
  type: 'saveSchedule',
  schedule: null,
  name: 'Every Monday',
  text: 'PRIVATEWORD',
  attachments: [],
  template: null,
  cron: '0 9 * * 1',
  timeZone: 'UTC',
}

const ruleAsks = { server: 's', tool: 't', rule: 'ask', endsAt: null, definition: null } as const

const VERDICTS = {
  sendMessage: {
    task: [['task'], (text) => toManager({ task: id(text) })],
    replyTo: [MESSAGES, (text) => toManager({ replyTo: id(text) })],
    answers: [REQUESTS, (text) => toManager({ answers: id(text) })],
  },
  answerRequest: { request: [REQUESTS, (text) => ({ type: 'answerRequest', request: id(text), ...answer })] },
  claimRequest: { request: [REQUESTS, (text) => ({ type: 'claimRequest', request: id(text) })] },
  urgeRequest: { request: [REQUESTS, (text) => ({ type: 'urgeRequest', request: id(text) })] },
  askBack: { request: [REQUESTS, (text) => ({ type: 'askBack', request: id(text), text: 'why?' })] },
  handOver: {
    requests: [
      REQUESTS,
      (text) => ({ type: 'handOver', to: ben.id, requests: [id<RequestId>(text)], sentence: 'please' }),
    ],
    messages: [
      MESSAGES,
      (text) => ({ type: 'handOver', to: ben.id, requests: [], messages: [id(text)], sentence: 'please' }),
    ],
  },
  settleHandOver: {
    handOver: [['handOver'], (text) => ({ type: 'settleHandOver', handOver: id(text), accept: true })],
  },
  releaseWait: {
    waiting: [['waiting'], (text) => ({ type: 'releaseWait', agent: reader.id, waiting: id(text), reason })],
    'waiting of the manager': [
      ['threadWaiting'],
      (text) => ({ type: 'releaseWait', agent: manager.id, waiting: id(text), reason }),
    ],
  },
  remind: { message: [MESSAGES, (text) => ({ type: 'remind', message: id(text) })] },
  remindMe: {
    request: [REQUESTS, (text) => ({ type: 'remindMe', about: { request: id(text) }, minutes: 5 })],
    message: [MESSAGES, (text) => ({ type: 'remindMe', about: { message: id(text) }, minutes: 5 })],
  },
  noteTold: 'silent',
  markShown: 'silent',
  acknowledge: { message: [MESSAGES, (text) => ({ type: 'acknowledge', message: id(text) })] },
  markDone: { message: [MESSAGES, (text) => ({ type: 'markDone', message: id(text) })] },
  undoOutcome: { message: [MESSAGES, (text) => ({ type: 'undoOutcome', message: id(text) })] },
  runTool: {
    task: [['task'], (text) => ({ ...runTool(emptyStory.world, BASE_TASK), task: id(text) })],
  },
  tryCall: 'operator',
  eraseTask: 'operator',
  ruleTool: {
    task: [['task'], (text) => ({ type: 'ruleTool', about: { task: id(text) }, ...ruleAsks, reason })],
  },
  pauseTask: { task: [['task'], (text) => ({ type: 'pauseTask', task: id(text), reason })] },
  resumeTask: { task: [['task'], (text) => ({ type: 'resumeTask', task: id(text), reason })] },
  cancelStep: { step: [['step', 'threadStep'], (text) => ({ type: 'cancelStep', step: id(text), reason })] },
  retryStep: { step: [['step', 'threadStep'], (text) => ({ type: 'retryStep', step: id(text), reason })] },
  addStages: { task: [['task'], (text) => ({ type: 'addStages', task: id(text), stages, reason })] },
  finishStage: { stage: [['stage'], (text) => ({ type: 'finishStage', stage: id(text), reason })] },
  retryStage: {
    stage: [
      ['stage'],
      (text) => ({
        type: 'retryStage',
        stage: id(text),
        better: { intention: 'look', allocation: { [reader.id]: 'look' } },
        reason,
      }),
    ],
  },
  finishTask: {
    task: [['task'], (text) => ({ type: 'finishTask', task: id(text), state: 'failed', summary: '', reason })],
  },
  changeParticipants: {
    task: [['task'], (text) => ({ type: 'changeParticipants', task: id(text), add: [lee.id], remove: [], reason })],
  },
  saveTemplate: 'operator',
  removeTemplate: 'operator',
  saveSchedule: {
    schedule: [['schedule'], (text) => ({ ...weekly, schedule: id<ScheduleId>(text) })],
  },
  pauseSchedule: { schedule: [['schedule'], (text) => ({ type: 'pauseSchedule', schedule: id(text) })] },
  resumeSchedule: { schedule: [['schedule'], (text) => ({ type: 'resumeSchedule', schedule: id(text) })] },
  removeSchedule: { schedule: [['schedule'], (text) => ({ type: 'removeSchedule', schedule: id(text) })] },
  askScheduled: 'system',
  rateTask: { task: [['task'], (text) => ({ type: 'rateTask', task: id(text), rating: 'up', sentence: '' })] },
  renameTask: { task: [['task'], (text) => ({ type: 'renameTask', task: id(text), name: 'other' })] },
  renameStage: { stage: [['stage'], (text) => ({ type: 'renameStage', stage: id(text), name: 'other' })] },
  changeManager: { task: [['task'], (text) => ({ type: 'changeManager', task: id(text), agent: lee.id, reason })] },

  pauseAgent: 'operator',
  readNow: 'operator',
  resumeAgent: 'operator',
  removeAgent: 'operator',
  makeTask: 'operator',
  addPeer: 'operator',
  changePeer: 'operator',
  renewPeerKey: 'operator',
  removePeer: 'operator',
  testPeer: 'operator',
  changeSetup: 'operator',
  takeTeam: 'operator',
  undoSetup: 'operator',
  leaveTeam: 'operator',

  openTalk: {},

  applyConfig: 'system',
  startNode: 'system',
  admitPerson: 'system',
  expireWait: 'system',
  remindDue: 'system',
  attemptNotice: 'system',
  endAttempt: 'system',
  escalate: 'system',
  raiseAgain: 'system',
  urgeDue: 'system',
  endToolRule: 'system',
  startStep: 'system',
  finishStep: 'system',
  holdStep: 'system',
  askInput: 'system',
  recordCall: 'system',
  recordFiles: 'system',
  startEffect: 'system',
  recoverStep: 'system',
  openToolRequest: 'system',
  withdrawToolRequest: 'system',
  archiveTask: 'system',
  wakeTask: 'system',
  retireThread: 'system',
  evictRecords: 'system',
  takeFromOutside: 'system',
  cancelFromOutside: 'system',
  importConversation: 'system',
  openHandoff: 'system',
  seePeer: 'system',
  sendOutside: 'system',
  reportCheckpoint: 'system',
  reportMilestone: 'system',
  registerOutside: 'system',
  startSending: 'system',
  finishSending: 'system',
  beginDay: 'system',
} satisfies Record<CommandType, Verdict>

const emptyStory = new Story()

const UNKNOWN = '00000000-0000-4000-8000-00000000dead'
const must = <T>(found: T | undefined | null, what: string): T => {
  if (found === undefined || found === null) throw new Error(`there is no ${what}`)
  return found
}
const says = (receiver: AgentId, waiting: boolean) =>
  outcomeOf({
    sync: {
      send_message: {
        receiver: [receiver],
        message: 'PRIVATEWORD?',
        stage_relative: 'no_relative',
        need_reply: true,
        waiting,
      },
    },
  })

/** Ana's thread with the manager, and a task of hers in which the reader waits for Ben, who would hand that to Ana. */
function hiddenStory(): { story: Story; hidden: Hidden } {
  const story = new Story()
  const task = must(openTask(story), 'task')
  story.run(reader.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message'), planned('summary')] } }))
  const step = must(
    story.run(reader.id, () => says(ben.id, true)),
    'step',
  )
  const request = must(requestsIn(story, task)[0], 'request')
  const offer: Command = { type: 'handOver', to: ana.id, requests: [request.id], sentence: 'I am away.' }
  must(story.put(ben.id, offer), 'offer')
  story.put(ana.id, send(ana.id, [manager.id], { text: 'PRIVATEWORD', kind: 'action' }))
  const threadMessage = must(
    messagesIn(story, BASE_TASK).find(({ text }) => text === 'PRIVATEWORD'),
    'message of the thread',
  )
  const threadStep = must(
    story.run(manager.id, () => says(ana.id, false)),
    'step of the thread',
  )
  const threadRequest = must(requestsIn(story, BASE_TASK)[0], 'request of the thread')
  const threadWaiting = asId<WaitingId>('00000000-0000-4000-8000-00000000a170')
  const about = { on: ana.id, message: threadMessage.id, request: null, stage: null, step: threadStep.id }
  story.happens(
    event('lock.added', {
      agent: manager.id,
      task: BASE_TASK,
      lock: { id: threadWaiting, kind: 'message', ...about },
    }),
  )
  story.put(ana.id, weekly)
  const hidden: Hidden = {
    schedule: must((Object.keys(story.world.schedules) as ScheduleId[])[0], 'schedule'),
    task,
    stage: must(
      Object.values(story.world.stages[task] ?? {}).find(({ state }) => state === 'running'),
      'stage',
    ).id,
    step: step.id,
    message: must(
      messagesIn(story, task).find(({ text }) => text === 'PRIVATEWORD?'),
      'message',
    ).id,
    request: request.id,
    waiting: must(request.lock, 'lock'),
    handOver: must(requestsIn(story, task)[0]?.transfer?.id, 'hand-over'),
    threadMessage: threadMessage.id,
    threadRequest: threadRequest.id,
    threadStep: threadStep.id,
    threadWaiting,
  }
  return { story, hidden }
}
const messagesIn = (story: Story, task: TaskId): MessageRecord[] => Object.values(story.world.messages[task] ?? {})
const requestsIn = (story: Story, task: TaskId): RequestRecord[] =>
  Object.values<RequestRecord>(story.world.requests[task] ?? {}).filter(({ kind }) => kind === 'answer')

const faultOf = (story: Story, by: AgentId, command: Command): Fault | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault
}
/** What is said, without the id that was named. */
const wordsOf = (story: Story, by: AgentId, command: Command, named: string): string => {
  const fault = faultOf(story, by, command)
  return fault === null ? 'done' : JSON.stringify([fault.code, fault.message, fault.data]).replaceAll(named, '<id>')
}

const NAMED = Object.entries<Verdict>(VERDICTS).flatMap(([type, verdict]) =>
  typeof verdict === 'string'
    ? []
    : Object.entries(verdict).flatMap(([name, [kinds, make]]) =>
        kinds.map((kind) => ({ title: `${type} ${name}: ${kind}`, kind, make })),
      ),
)
const ofVerdict = (wanted: Verdict): CommandType[] =>
  (Object.keys(VERDICTS) as CommandType[]).filter((type) => VERDICTS[type] === wanted)

describe('a command that names what its author cannot read', () => {
  it.each(NAMED)('[R58] is refused as if it did not exist: $title', ({ kind, make }) => {
    const { story, hidden } = hiddenStory()
    const said = wordsOf(story, lee.id, make(hidden[kind]), hidden[kind])
    expect(said).toContain('NOT_FOUND')
    expect(said).toBe(wordsOf(story, lee.id, make(UNKNOWN), UNKNOWN))
  })

  it('[R58] is something else to who reads it: nothing above is refused for another reason', () => {
    const { story, hidden } = hiddenStory()
    const heard = NAMED.filter(({ kind, make }) => {
      const command = make(hidden[kind])
      const own = command.type === 'sendMessage' ? { ...command, sender: ana.id } : command
      return !wordsOf(story, ana.id, own, hidden[kind]).includes('NOT_FOUND')
    })
    // A message is settled by those who have it: Ana wrote the one and has no part in the other. And what is sent in the
    // base task replies to what is there.
    const isOther =
      /^(acknowledge|markDone|undoOutcome|remindMe message|handOver messages)|sendMessage.*: (message|request)$/
    expect(NAMED.filter((one) => !heard.includes(one) && !isOther.test(one.title))).toEqual([])
  })

  it('[R58] is refused by a name that every object has', () => {
    const { story } = hiddenStory()
    for (const name of ['constructor', '__proto__', 'toString'])
      for (const { make } of NAMED) expect(wordsOf(story, lee.id, make(name), name)).toContain('NOT_FOUND')
  })

  it.each(ofVerdict('system'))('[R58] %s is not for people', (type) => {
    const { story } = hiddenStory()
    // Whatever it names: it is refused before that is looked at.
    expect(faultOf(story, ana.id, { type } as Command)?.code).toBe('NOT_ALLOWED')
  })

  it.each(ofVerdict('operator'))('[R58] %s is not for participants', (type) => {
    const { story } = hiddenStory()
    expect(faultOf(story, lee.id, { type } as Command)?.code).toBe('NOT_ALLOWED')
  })

  it('[R58] is passed over where it says only what was seen', () => {
    const { story, hidden } = hiddenStory()
    const messages = [hidden.message, hidden.threadMessage]
    const items = [...messages, hidden.request, hidden.threadRequest]
    for (const command of [
      { type: 'markShown', messages },
      { type: 'noteTold', items, channel: 'page' },
    ] satisfies Command[]) {
      const decided = decide(story.world, { id: 'a-try', by: lee.id, command }, story.world.at + 1)
      expect(decided).toMatchObject({ ok: true, events: [] })
    }
  })
})

describe('replying', () => {
  const textsOf = (story: Story, person: typeof lee | typeof ana): string[] => {
    const record = must(story.world.agents[person.id], 'person')
    const reach = taskAccessOf(story.world, record, BASE_TASK)
    return messagesIn(story, BASE_TASK)
      .filter((message) => canReadMessage(reach, message))
      .map(({ text }) => text)
  }

  it("[R58] a participant who has the id of a message in somebody else's thread joins no thread with it", () => {
    const { story, hidden } = hiddenStory()
    const before = story.world
    for (const replyTo of [hidden.threadMessage, hidden.message])
      expect(story.put(lee.id, send(lee.id, [ana.id], { text: 'hello?', replyTo }))).toBeNull()
    expect(story.world).toBe(before)
    expect(textsOf(story, lee)).toEqual([])
  })

  it('[R58] the one who is addressed in a thread reads it all from then on, and replies in it', () => {
    const { story, hidden } = hiddenStory()
    story.put(ana.id, send(ana.id, [lee.id], { text: 'What do you think?', replyTo: hidden.threadMessage }))
    expect(textsOf(story, lee)).toEqual(['PRIVATEWORD', 'PRIVATEWORD?', 'What do you think?'])
    const said = story.put(lee.id, send(lee.id, [ana.id], { text: 'Fine.', replyTo: hidden.threadMessage }))
    expect(said?.events.find(({ type }) => type === 'message.sent')).toMatchObject({ thread: hidden.threadMessage })
  })

  it('[R58] a reply is to a message of the same task, also by an operator', () => {
    const { story, hidden } = hiddenStory()
    expect(faultOf(story, ana.id, send(ana.id, [ben.id], { replyTo: hidden.message }))?.code).toBe('NOT_FOUND')
  })

  it('[R58] a former member may name what was there until they left, and nothing of later', () => {
    const { story, hidden } = hiddenStory()
    const { task } = hidden
    story.put(ana.id, { type: 'changeParticipants', task, add: [lee.id], remove: [], reason })
    story.put(ana.id, { type: 'changeParticipants', task, add: [], remove: [lee.id], reason })
    story.put(ana.id, send(ana.id, [ben.id], { task, text: 'Lee has left', kind: 'action' }))
    const late = must(
      messagesIn(story, task).find(({ text }) => text === 'Lee has left'),
      'late message',
    )
    const remind = (message: MessageId): Command => ({ type: 'remind', message })
    expect(faultOf(story, lee.id, remind(hidden.message))?.code).toBe('NOT_ALLOWED')
    expect(faultOf(story, lee.id, remind(late.id))?.code).toBe('NOT_FOUND')
  })
})
