import { describe, expect, it } from 'vitest'
import { checkJson, prettyJson } from '@/components/form/jsonText'
import { LANGUAGES } from '@/lib/language'
import { requestAlerts } from '@/lib/mas/asks/alerts'
import type { AgentId, RequestId, TaskId } from '@/lib/mas/ids'
import type { RequestRecord } from '@/lib/mas/records'
import { sampleShapeOf } from '@/test/samples'
import { apply, having, like, only, sampleWorld } from '@/test/sampleWorld'
import { shownFromWorld } from './fromWorld'
import { canAcknowledge, isMyAnswer, splitQuestion, stripOrder } from './shown'
import { listNames } from './useNames'

const ANA = 'ana' as AgentId
const BEN = 'ben' as AgentId
const request = (change: Partial<RequestRecord>): RequestRecord => ({
  id: 'r' as RequestId,
  task: 't' as TaskId,
  number: 1,
  kind: 'answer',
  asked: [ANA],
  asker: BEN,
  type: 'urgent',
  message: 'm' as RequestRecord['message'],
  step: null,
  stage: null,
  lock: null,
  thread: null,
  question: '',
  choices: [],
  call: null,
  fingerprint: '',
  state: 'open',
  claimed: null,
  answer: null,
  endReason: null,
  openedAt: 0,
  openedSeq: 1,
  endedAt: null,
  changedAt: 0,
  ...change,
})

describe('a request', () => {
  it('a card made from the log of its task says what changed since it was asked, as its row of the inbox does', () => {
    const { task } = sampleShapeOf('step.added')
    const { seed } = sampleShapeOf('request.opened')
    const opened = having(
      sampleWorld,
      like('stage.started'),
      like('request.opened', { request: 'own' as RequestId, seed }),
    )
    const cardIn = (world: typeof opened) => {
      const record = world.requests[task]?.['own' as RequestId]
      return record && shownFromWorld({ ...world, work: {}, steps: {} }, record, only(seed.asked))
    }
    expect(cardIn(opened)).toMatchObject({ changed: false, changes: [] })
    expect(cardIn(apply(opened, like('agent.removed')))).toMatchObject({ changed: true, changes: ['askerGone'] })
  })

  it('a text that is the stored answer already is not offered again', () => {
    const answered = (by: AgentId, text: string) =>
      request({
        state: 'answered',
        answer: { by, for: null, at: 1, seq: 2, decision: 'answer', text, arguments: null },
      })
    expect(isMyAnswer(answered(ANA, '1.30'), ANA, { text: ' 1.30 ' })).toBe(true)
    expect(isMyAnswer(answered(ANA, 'west\n\nit is newer'), ANA, { text: 'it is newer' })).toBe(true)
    expect(isMyAnswer(answered(BEN, '1.30'), ANA, { text: '1.30' })).toBe(false)
    expect(isMyAnswer(answered(ANA, '1.30'), ANA, { text: '1.10' })).toBe(false)
    expect(isMyAnswer(request({}), ANA, { text: '1.30' })).toBe(false)
  })

  it('a request is open until it is over, also while it is claimed', () => {
    expect(
      (['open', 'claimed', 'answered', 'superseded', 'expired', 'released'] as const).map((state) =>
        stripOrder([request({ state })], ANA).map((one) => one.state),
      ),
    ).toEqual([['open'], ['claimed'], [], [], [], []])
  })

  it('a request alerts until somebody acknowledges it, and those who are asked can; without a message, anybody who may answer', () => {
    const acknowledged = { claimed: { by: BEN, at: 1, until: 1 } }
    const [fresh, seen] = [request({}), request(acknowledged)]
    const [confirm, taken] = [request({ message: null }), request({ message: null, ...acknowledged })]
    expect([fresh, seen, confirm, taken].map(requestAlerts)).toEqual([true, false, true, false])
    expect([fresh, seen, confirm, taken].map((one) => canAcknowledge(one, ANA))).toEqual([true, false, true, false])
    const others = { asked: [BEN] }
    expect([request(others), request({ message: null, ...others })].map((one) => canAcknowledge(one, ANA))).toEqual([
      false,
      true,
    ])
    expect(canAcknowledge(request({ type: 'action' }), ANA)).toBe(false)
    expect(requestAlerts(request({ state: 'answered' }))).toBe(false)
  })

  it('[R196] the strip holds open requests to this person, those whose answer is awaited or that are urgent first, then the oldest', () => {
    const all = [
      request({ number: 3, openedSeq: 9 }),
      request({ number: 1, openedSeq: 4 }),
      request({ number: 2, openedSeq: 5, asked: [BEN] }),
      request({ number: 4, openedSeq: 2, state: 'answered' }),
      request({ number: 5, openedSeq: 1, type: 'action' }),
      request({ number: 6, openedSeq: 3, kind: 'part', type: 'action' }),
    ]
    expect(stripOrder(all, ANA).map(({ number }) => number)).toEqual([6, 1, 3, 5])
  })
})

describe('a question', () => {
  it('a question has its first line as heading and loses nothing', () => {
    expect(splitQuestion('Which database?\n\nPostgres is old.\nSQLite has gaps.')).toEqual({
      head: 'Which database?',
      rest: 'Postgres is old.\nSQLite has gaps.',
    })
  })

  it('a long first line of a question is cut after its first sentence, never inside a number', () => {
    const long = `Which of the two holds? ${'apple 3.20 or 3.50, '.repeat(12)}`
    expect(splitQuestion(long).head).toBe('Which of the two holds?')
    const endless = 'apple 3.20 and 3.50 '.repeat(20).trim()
    const { head, rest } = splitQuestion(endless)
    expect(head + rest).toBe(endless)
  })
})

describe('edited arguments', () => {
  it('edited arguments must be a JSON object before they are sent', () => {
    expect(checkJson('{"path":"a"}')).toEqual({ ok: true })
    const kindOf = (text: string) => {
      const check = checkJson(text)
      return check.ok ? null : check.problem
    }
    for (const text of ['{', '[1]', '"a"', 'null', '']) expect(checkJson(text).ok, text).toBe(false)
    expect(kindOf('[1]')?.kind).toBe('notObject')
    expect(kindOf('{"a": 1')?.kind).toBe('comma')
    expect(kindOf('')?.kind).toBe('unfinished')
    expect(kindOf('{\n  "a": "b')).toEqual({ kind: 'openText', line: 2, column: 10 })
    expect(kindOf('{ not json')?.kind).toBe('name')
  })

  it('arguments are indented, and unchanged when they are no JSON', () => {
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(prettyJson('{a')).toBe('{a')
  })

  it('[R323] a number with more digits than are kept is asked for as a text, and never changed', () => {
    const long = '{\n  "of": "12345678901234567890",\n  "id": 12345678901234567890 }'
    expect(checkJson(long)).toEqual({ ok: false, problem: { kind: 'digits', line: 3, column: 9 } })
    expect(prettyJson(long)).toBe(long)
    for (const kept of [
      '9007199254740991',
      '-9007199254740992',
      '1e3',
      '0.12345678901234568',
      '22622899174783470',
      '1000000000000000000000',
    ])
      expect(checkJson(`{"id": ${kept}}`), kept).toEqual({ ok: true })
    for (const changed of ['9007199254740993', '-9007199254740993', '1e400', '0.1234567890123456789'])
      expect(checkJson(`{"id": ${changed}}`), changed).toMatchObject({ problem: { kind: 'digits' } })
  })
})

it.each(LANGUAGES)('several names in %s read as Intl lists them', (language) => {
  const intl = new Intl.ListFormat(language === 'en' ? 'en-GB' : language)
  for (const names of [[], ['Ana'], ['Ana', 'Ben'], ['Ana', '李', 'Ben'], ['a', 'b', 'c', 'd']])
    expect(listNames(names, language)).toBe(intl.format(names))
})
