/** What a request is about beside its question: the call that it would run, else the message that it goes back to. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { having, like, only, sampleWorld } from '@/test/sampleWorld'
import { bodyOf } from '../bodies'
import { asId, type MessageId } from '../ids'
import type { Evidence, HeldCall, RequestRecord, World } from '../records'
import { aboutOfRequest, messageAbout } from './requestAbout'

const { task, step } = sampleShapeOf('step.added')
const [first, second] = [asId<MessageId>('first'), asId<MessageId>('second')]
const world = having(
  sampleWorld,
  like('message.sent', { message: first, text: 'Compare the lists' }),
  like('message.sent', { message: second, text: 'Which of them?' }),
)
const plain: RequestRecord = { ...only(world.requests[task]), call: null, thread: null }
const idAbout = (change: Partial<RequestRecord>, of: World = world) =>
  messageAbout(of.messages[task], { ...plain, ...change })?.id

describe('the message that a request goes back to', () => {
  it('is the first of its thread, else the last that brought its asker to ask', () => {
    const evidence: Evidence[] = [
      { kind: 'message', id: second, name: 'Ben', at: 1 },
      { kind: 'message', id: first, name: 'Ben', at: 1 },
      { kind: 'skill', id: step, name: 'think' },
    ]
    expect(idAbout({ thread: second, evidence })).toBe(second)
    expect(idAbout({ evidence })).toBe(first)
    expect(idAbout({ evidence: [{ kind: 'skill', id: step, name: 'think' }] })).toBeUndefined()
    expect(idAbout({})).toBeUndefined()
  })

  it('is none when it is the question itself, is not among those that can be read, or says nothing', () => {
    expect(idAbout({ thread: first, message: first })).toBeUndefined()
    expect(idAbout({ thread: first, message: second })).toBe(first)
    expect(idAbout({ thread: asId<MessageId>('gone') })).toBeUndefined()
    expect(messageAbout(undefined, { ...plain, thread: first })).toBeNull()
    const empty = having(world, like('message.sent', { message: asId<MessageId>('empty'), text: ' \n' }))
    expect(idAbout({ thread: asId<MessageId>('empty') }, empty)).toBeUndefined()
  })
})

describe('what the reader of a request is shown', () => {
  const call = (args: object): HeldCall => ({
    server: 'files',
    tool: 'read',
    arguments: bodyOf(JSON.stringify(args), 'application/json').ref,
    digest: 'd',
    changes: '',
  })

  it('is the argument that tells most of the call, where it has a step and such an argument', () => {
    const asked = { ...plain, thread: first }
    expect(aboutOfRequest(world, { ...asked, call: call({ path: 'a.md' }) })).toEqual({
      kind: 'call',
      id: step,
      text: 'a.md',
    })
    const message = { kind: 'message', id: first, text: 'Compare the lists' }
    expect(aboutOfRequest(world, { ...asked, call: call({ n: 1 }) })).toEqual(message)
    expect(aboutOfRequest(world, { ...asked, step: null, call: call({ path: 'a.md' }) })).toEqual(message)
    expect(aboutOfRequest(world, asked)).toEqual(message)
    expect(aboutOfRequest(world, plain)).toBeNull()
  })

  it('is a long message without its middle', () => {
    const long = having(world, like('message.sent', { message: first, text: 'word '.repeat(100) }))
    const text = aboutOfRequest(long, { ...plain, thread: first })?.text ?? ''
    expect(text.length).toBeLessThanOrEqual(120)
    expect(text).toContain('…')
  })
})
