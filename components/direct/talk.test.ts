/** A conversation with a member's records, as the chat's components read them. */
import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type MessageId, type TaskId } from '@/lib/mas/ids'
import type { MessageRecord, TaskRecord } from '@/lib/mas/records'
import { type RecordRow, recordRow } from '@/lib/wire/records'
import { CODER as RECORD } from '@/test/gallery/fixtures/people'
import { pagesOfView, talkOf } from './talk'

const [ANA, CODER] = ['ana', 'coder'].map((id) => asId<AgentId>(id)) as [AgentId, AgentId]
const reader = { me: ANA, other: CODER, isOperator: false }

const task = (id: string, createdAt: number, more: Partial<TaskRecord> = {}): RecordRow =>
  recordRow('task', {
    id: asId<TaskId>(id),
    name: id,
    intention: '',
    manager: CODER,
    group: [ANA, CODER],
    former: {},
    base: false,
    state: 'running',
    summary: null,
    stageOrder: [],
    requestedBy: null,
    requestedIn: null,
    paused: null,
    createdAt,
    endedAt: null,
    changedAt: 0,
    ...more,
  })
const said = (of: string, seq: number, more: Partial<MessageRecord> = {}): MessageRecord => ({
  id: asId<MessageId>(`m${seq}`),
  task: asId<TaskId>(of),
  sender: CODER,
  receivers: [ANA],
  text: `text ${seq}`,
  stage: null,
  type: 'fyi',
  waiting: null,
  audience: 'task',
  returnWaiting: null,
  instruction: null,
  dispatch: `d${seq}`,
  thread: null,
  answersRequest: null,
  replyTo: null,
  attachments: [],
  mention: false,
  fromStep: null,
  at: seq,
  seq,
  ...more,
})
const message = (of: string, seq: number): RecordRow => recordRow('message', said(of, seq))

describe('a conversation with a member', () => {
  it('a conversation with a member is in journal order over tasks and pages, each message once', () => {
    const older = [message('a', 1), message('b', 2), task('a', 1), task('b', 2)]
    const newest = [message('b', 2), message('a', 3), task('a', 1), task('b', 2)]
    const { entries, tasks } = talkOf([newest, older], reader)
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(Object.keys(tasks.get(asId<TaskId>('a'))?.messages ?? {})).toEqual(['m1', 'm3'])
  })

  it('a private message goes to the task of the newest message, or else to the newest running task of both', () => {
    const rows = [message('old', 1), task('old', 1), task('new', 2), task('over', 3, { state: 'finished' })]
    expect(talkOf([rows], reader).defaultTask).toBe('old')
    const ended = [
      message('old', 1),
      task('old', 1, { state: 'failed' }),
      task('new', 2),
      task('without', 3, { group: [ANA] }),
    ]
    expect(talkOf([ended], reader).defaultTask).toBe('new')
    expect(talkOf([ended], reader).open.map(({ id }) => id)).toEqual(['new'])
  })

  it('a member and a task are as the newest page has them, also while an older page that was fetched before names them otherwise', () => {
    const member = (name: string): RecordRow => recordRow('agent', { ...RECORD, id: CODER, name })
    const pages = [
      [message('a', 2), task('a', 1, { name: 'now' }), member('Renamed')],
      [message('a', 1), task('a', 1, { name: 'before' }), member('Coder')],
    ]
    const { people, tasks } = talkOf(pages, reader)
    expect(people.who(CODER).name).toBe('Renamed')
    expect(tasks.get(asId<TaskId>('a'))?.task?.name).toBe('now')
  })

  it('[R633] a message that is only quoted is no line, and can be quoted; one that an older page holds is a line', () => {
    const quote = recordRow('quote', said('a', 1))
    const reply = recordRow('message', said('a', 2, { replyTo: asId<MessageId>('m1') }))
    const page = [reply, quote, task('a', 1)]
    const { entries, tasks } = talkOf([page], reader)
    expect(entries.map(({ seq }) => seq)).toEqual([2])
    expect(tasks.get(asId<TaskId>('a'))?.messages[asId<MessageId>('m1')]?.text).toBe('text 1')
    expect(talkOf([page, [message('a', 1)]], reader).entries.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('older pages that were read without the tasks that are over are not taken for pages with them', () => {
    const asked = ['direct:coder@300', 'direct:coder/all@400', 'direct:coder@200'] as const
    expect(pagesOfView('direct:coder', asked)).toEqual(['direct:coder@300', 'direct:coder@200'])
    expect(pagesOfView('direct:coder/all', asked)).toEqual(['direct:coder/all@400'])
  })
})
