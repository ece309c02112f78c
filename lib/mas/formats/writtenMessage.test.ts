/** What can be said of a message while its answer is written, however the pieces are cut. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeTags } from './escape'
import { parseAnswer } from './parseAnswer'
import { MOST_READ, readWrittenMessage } from './writtenMessage'

const whole = (pieces: readonly string[]): string => {
  const read = readWrittenMessage()
  return pieces.map(read).join('')
}
const inTwo = (text: string, at: number): string[] => [text.slice(0, at), text.slice(at)]
const inSize = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))

const answerWith = (message: string, more: object = {}): string =>
  `<send_message>${JSON.stringify({ receiver: ['planner'], ...more, message, need_reply: false })}</send_message>`
const HARD =
  'Say "yes" [cit_8:4]\\n\n\tto it, 用户 😀 {"message": "no"} <b>a</b> </send_message > [cit_9]. a < b && c > d'
const SAID =
  'Say "yes"\\n\n\tto it, 用户 😀 {"message": "no"} <b>a</b> </send_message > [cit_9]. a < b && c > d'.replace(
    ' [cit_9]',
    '',
  )

describe('a message while it is written', () => {
  it('[R194] is its text alone at every cut: no tag, no key, no escape, no source', () => {
    const answer = answerWith(HARD)
    expect(whole([answer])).toBe(SAID)
    for (let at = 0; at <= answer.length; at += 1) {
      const read = readWrittenMessage()
      const [first = '', second = ''] = inTwo(answer, at)
      const said = read(first)
      expect(SAID.startsWith(said), `cut at ${at}: ${said}`).toBe(true)
      expect(said + read(second), `cut at ${at}`).toBe(SAID)
    }
    for (const size of [1, 2, 3, 5, 7]) expect(whole(inSize(answer, size)), `pieces of ${size}`).toBe(SAID)
  })

  it('[R194] is cut within an escape, and within a character of two halves, without a trace', () => {
    const answer = String.raw`<send_message>{"message": "a\u00e9\ud83d\ude00\/\\\"\n", "receiver": ["x"]}</send_message>`
    for (let at = 0; at <= answer.length; at += 1) expect(whole(inTwo(answer, at))).toBe('aé😀/\\"\n')
    const read = readWrittenMessage()
    expect(read(String.raw`<send_message>{"message": "a\ud83d`)).toBe('a')
    expect(read(String.raw`\ude00"`)).toBe('😀')
  })

  it('[R194] comes piece by piece, before its end', () => {
    const read = readWrittenMessage()
    expect(read('<send_message>{"receiver": ["planner"], "message": "It is')).toBe('It is')
    expect(read(' 7, and')).toBe(' 7, and')
    expect(read(' [cit')).toBe('')
    expect(read('_8] the')).toBe(' the')
    expect(read(' rest')).toBe(' rest')
    expect(read('."}</send_message>')).toBe('.')
    expect(read('<send_message>{"message": "again"}</send_message>')).toBe('')
  })

  it('[R75] [R194] is read up to 256 KiB of an answer, so that one without an end takes no more and more work', () => {
    const begin = '<send_message>{"message": "'
    const read = readWrittenMessage()
    expect(read(begin + 'a'.repeat(MOST_READ - begin.length - 1))).toHaveLength(MOST_READ - begin.length - 1)
    expect(read('bc')).toBe('bc')
    expect(read('d')).toBe('')
  })

  it.each([
    ['thoughts that have ended', `<think>draft: ${answerWith('no')}</think>\n${answerWith('It is 7.')}`, 'It is 7.'],
    ['thoughts of another name', `<reasoning>${answerWith('no')}</reasoning>${answerWith('It is 7.')}`, 'It is 7.'],
    [
      'an object in place of tags',
      `{"send_message": {"receiver": ["a"], "message": "It is 7."}, "skip": null}`,
      'It is 7.',
    ],
    [
      'other keys before it',
      answerWith('It is 7.', { handoff: { message: 'no', a: [1, { b: '}' }] }, due: 7 }),
      'It is 7.',
    ],
    ['spaces', ' \n<send_message>\n{ "message" : "It is 7." }\n</send_message>', 'It is 7.'],
  ])('[R194] is found behind %s', (_, answer, said) => {
    for (let at = 0; at <= answer.length; at += 1) expect(whole(inTwo(answer, at))).toBe(said)
  })

  it.each([
    ['thoughts without an end', `<think>${answerWith('no')}`],
    ['words before the tag, which may be thoughts', `I would say ${answerWith('no')}`],
    ['another tag', '<decision_step>[{"message": "no"}]</decision_step>'],
    ['a text of history', '<send_message>{"receiver": ["a"], "message": {"from_step": "#8"}}</send_message>'],
    ['an object of another tag', '{"get_more_info": {"message": "no"}, "send_message": {"message": "no"}}'],
    ['nothing', ''],
    ['a word', 'message: no'],
    ['a key that is no JSON', '<send_message>{message: "no"}</send_message>'],
  ])('[R194] is not looked for in %s', (_, answer) => {
    for (let at = 0; at <= answer.length; at += 1) expect(whole(inTwo(answer, at))).toBe('')
  })

  it('[R194] stops where it is no strict JSON', () => {
    expect(whole(['<send_message>{"message": "It is \\x7, and {more}"}'])).toBe('It is')
  })

  it('[R194] says of any text what the parser reads in the end, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', ' ', '"', '\\', '\n', '<', '>', '[', ']', 'cit_8', '😀', '<send_message>', '/'),
        }),
        fc.integer({ min: 1, max: 9 }),
        (message, size) => {
          const answer = answerWith(escapeTags(message))
          const reading = parseAnswer(answer, { oneOf: ['send_message'], also: [] })
          const said = whole(inSize(answer, size))
          const meant = reading.ok ? reading.answer.main.value.message : message
          expect(said.trim()).toBe(
            String(meant)
              .replaceAll(/ ?\[cit_8\]/g, '')
              .trim(),
          )
        },
      ),
    )
  })
})
