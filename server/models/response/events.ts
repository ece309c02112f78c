/** The body of an answer as events: server-sent events, JSON lines, or one JSON text, whichever the server sends. */
import { createParser } from 'eventsource-parser'
import { exactJsonOf, isJsonObject, jsonValueOf } from '@/lib/json'
import { ModelError } from '../model'
import { errorIn, errorInText, isErrorReport, type ServerError } from './serverError'

/** name: of a server-sent event; null: it has none */
export type AnswerEvent = { name: string | null; data: string }

/** What one event says, below any wire format. */
export type EventRead =
  | { type: 'done' }
  | { type: 'object'; value: Record<string, unknown> }
  | { type: 'error'; error: ServerError }
  /** Neither a JSON object nor a report. */
  | { type: 'unreadable'; text: string }

const LONGEST_EVENT = 4_194_304
const FIELD = /^(?:(?:data|event|id|retry|error)\s*:|:)/
const DONE = /^"?\[DONE\]"?$/i

export function readEvent({ name, data }: AnswerEvent): EventRead {
  const text = data.trim()
  if (DONE.test(text)) return { type: 'done' }
  const value = jsonValueOf(text)
  if (name === 'error' || isErrorReport(value)) {
    return { type: 'error', error: value === undefined ? errorInText(text) : errorIn(value) }
  }
  return isJsonObject(value) ? { type: 'object', value } : { type: 'unreadable', text }
}

/** The events of a body, in order; the last one needs no end. Throws MODEL_CUT for an event of more than 4 MiB. */
export async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<AnswerEvent> {
  const iterator = lines[Symbol.asyncIterator]()
  try {
    let first = await iterator.next()
    while (!first.done && first.value.trim() === '') first = await iterator.next()
    if (first.done) return
    const rest = { [Symbol.asyncIterator]: () => iterator }
    yield* FIELD.test(first.value) ? serverSentEvents(first.value, rest) : jsonTexts(first.value, rest)
  } finally {
    await iterator.return?.()
  }
}

async function* serverSentEvents(first: string, rest: AsyncIterable<string>): AsyncGenerator<AnswerEvent> {
  let ready: AnswerEvent[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event, data }) => ready.push({ name: event ?? null, data }),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  /** Lines of data of the open event, and its only one. */
  let count = 0
  let only = ''
  let isError = false
  const feed = (line: string): void => {
    const data = /^data: ?(.*)$/s.exec(line)?.[1]
    // Some servers end an event with one line break in place of two.
    if (data !== undefined && count === 1 && isWhole(only)) end()
    if (data !== undefined) {
      count += 1
      only = data
    }
    if (/^event: ?error$/.test(line)) isError = true
    if (line !== '') {
      parser.feed(`${line}\n`)
      return
    }
    // The standard drops an event without data; an error needs none.
    if (isError && count === 0) ready.push({ name: 'error', data: '' })
    end()
  }
  const end = (): void => {
    parser.feed('\n')
    count = 0
    isError = false
  }
  const take = (line: string): void => {
    // An old llama.cpp names the field `error`; a framework appends its report to a stream that it did not write.
    if (line.startsWith('error:')) for (const one of ['', 'event: error', `data:${line.slice(6)}`, '']) feed(one)
    else if (line.startsWith('{') && isWhole(line)) for (const one of ['', `data: ${line}`, '']) feed(one)
    else feed(line)
  }
  take(first)
  yield* ready
  ready = []
  for await (const line of rest) {
    take(line)
    if (isTooLong) throw new ModelError('MODEL_CUT', 'the server sent an event without an end', false)
    if (ready.length === 0) continue
    yield* ready
    ready = []
  }
  feed('')
  yield* ready
}

const isWhole = (data: string): boolean => DONE.test(data.trim()) || jsonValueOf(data) !== undefined

/** One JSON value a line; or one text over several lines, such as a server sends that ignores `stream`. */
async function* jsonTexts(first: string, rest: AsyncIterable<string>): AsyncGenerator<AnswerEvent> {
  if (isWhole(first)) {
    yield { name: null, data: first }
    for await (const line of rest) if (line.trim() !== '') yield { name: null, data: line }
    return
  }
  const held = [first]
  let length = first.length
  for await (const line of rest) {
    held.push(line)
    length += line.length
    if (length > LONGEST_EVENT) throw new ModelError('MODEL_CUT', 'the server sent an event without an end', false)
  }
  const data = held.join('\n')
  const value = exactJsonOf(data)
  // The pieces of a stream in one list.
  if (Array.isArray(value) && !isErrorReport(value))
    for (const one of value) yield { name: null, data: JSON.stringify(one) }
  else yield { name: null, data }
}
