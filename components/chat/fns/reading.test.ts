/** Reading a conversation: where the unread line stands, and what is copied out of it. */
import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type MessageId } from '@/lib/mas/ids'
import { type Bubble, type ChatLine, cursorBefore, firstUnread, type Run } from './lines'
import { linesAsMarkdown } from './markdown'

const [ANA, BEN, CODER] = ['ana', 'ben', 'coder'].map((id) => asId<AgentId>(id)) as [AgentId, AgentId, AgentId]
const bubble = (seq: number, sender: AgentId, text = `text ${seq}`): Bubble => ({
  kind: 'bubble',
  key: `b${seq}`,
  id: asId<MessageId>(`m${seq}`),
  sender,
  receivers: [sender === ANA ? BEN : ANA],
  messages: [],
  text,
  type: 'fyi',
  at: seq * 1_000,
  seq,
})
const run = (seq: number): Run => ({
  kind: 'run',
  key: `r${seq}`,
  entries: [bubble(seq, CODER)],
  at: 0,
  until: 0,
  seq,
})
const day: ChatLine = { kind: 'day', key: 'day', words: 'today' }

describe('the unread line', () => {
  it('the unread line stands before the first message of somebody else after the cursor', () => {
    const lines: ChatLine[] = [day, bubble(1, BEN), bubble(2, ANA), bubble(3, BEN), bubble(4, CODER)]
    expect(firstUnread(lines, 1, ANA)).toEqual({ key: 'b3', count: 2 })
    expect(firstUnread(lines, 0, ANA)).toEqual({ key: 'b1', count: 3 })
  })

  it('the unread line is absent for a reader at the end, at a first visit, and for one’s own messages', () => {
    const lines = [bubble(1, BEN), bubble(2, ANA)]
    expect(firstUnread(lines, 2, ANA)).toBeNull()
    expect(firstUnread(lines, 1, ANA)).toBeNull()
    expect(firstUnread(lines, null, ANA)).toBeNull()
  })

  it('the unread line counts no folded talk among agents', () => {
    expect(firstUnread([bubble(1, BEN), run(2)], 1, ANA)).toBeNull()
  })

  it('the unread line can be put before any message', () => {
    const lines = [bubble(1, BEN), bubble(2, BEN), bubble(3, BEN)]
    expect(firstUnread(lines, cursorBefore(bubble(2, BEN)), ANA)).toEqual({ key: 'b2', count: 2 })
  })
})

describe('as Markdown', () => {
  it('copied Markdown has sender, receivers, time and link of each message, and quotes its text unchanged', () => {
    const text = linesAsMarkdown([day, bubble(1, ANA, 'one\n\n# two'), run(2), bubble(3, BEN)], {
      textOf: ({ text }) => text,
      nameOf: (id) => id.toUpperCase(),
      timeOf: (at) => `at ${at}`,
      hrefOf: ({ id }) => `https://here/${id}`,
    })
    expect(text).toBe(
      '**ANA** → BEN · [at 1000](https://here/m1)\n\n> one\n>\n> # two\n\n**BEN** → ANA · [at 3000](https://here/m3)\n\n> text 3',
    )
  })

  it('copied Markdown has the words that are on screen, also of what the program wrote in the name of a person', () => {
    const text = linesAsMarkdown([bubble(1, ANA, '团队的语言')], {
      textOf: () => 'in the language of the reader',
      nameOf: (id) => id,
      timeOf: String,
      hrefOf: ({ id }) => id,
    })
    expect(text).toContain('> in the language of the reader')
  })
})
