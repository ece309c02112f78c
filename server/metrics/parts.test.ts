/** Parts of the metrics on their own: bounded labels, streams of models, faults of tools, the event loop. */
import { performance } from 'node:perf_hooks'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { parsePromText } from '@/test/promText'
import { toolPoolOf } from '@/test/testEngine'
import { type Model, ModelError, type ModelPiece } from '../models/model'
import { boundedNames, MOST_VALUES, OTHER } from './labels'
import { addModels } from './models'
import { addProcess } from './process'
import { addTools } from './tools'

it('[R70] counts the hundredth name of a label by itself and the next one as other', () => {
  const bounded = boundedNames()
  for (let n = 1; n <= MOST_VALUES; n++) expect(bounded(`name-${n}`)).toBe(`name-${n}`)
  expect(bounded('one more')).toBe(OTHER)
  expect(bounded('name-1')).toBe('name-1')
  expect(bounded(`name-${MOST_VALUES}`)).toBe(`name-${MOST_VALUES}`)
})

const seriesOf = async (registry: Registry): Promise<Map<string, number>> =>
  new Map([...parsePromText(await registry.metrics()).values()].flatMap(({ series }) => [...series]))

const END: ModelPiece = {
  type: 'end',
  usage: { promptTokens: 1, completionTokens: 1, estimated: false, costUsd: null },
  modelVersion: 'v',
  finish: 'stop',
}

function modelOf(pieces: (ModelPiece | Error)[]): Model {
  return {
    name: 'small',
    provider: 'openai',
    contextTokens: 10,
    async *call() {
      for (const piece of pieces) {
        if (piece instanceof Error) throw piece
        yield piece
      }
    },
  }
}

it('[R70] passes on what a model says, and counts its faults by code: also an answer without its end', async () => {
  const registry = new Registry()
  const meter = addModels(registry)
  const heard = async (pieces: (ModelPiece | Error)[]): Promise<unknown[]> => {
    const said: unknown[] = []
    const model = meter.watch({ get: () => modelOf(pieces) }).get('small')
    try {
      for await (const piece of model.call([], { signal: new AbortController().signal })) said.push(piece)
    } catch (error) {
      said.push(error)
    }
    return said
  }
  const text: ModelPiece = { type: 'text', text: 'a' }
  expect(await heard([text, END])).toEqual([text, END])
  const fault = new ModelError('MODEL_TIME_LIMIT', 'too slow', true)
  expect(await heard([text, fault])).toEqual([text, fault])
  const mistake = new Error('a mistake')
  expect(await heard([mistake])).toEqual([mistake])
  expect(await heard([text])).toEqual([text])
  const labels = 'model="small",provider="openai"'
  const series = await seriesOf(registry)
  const errors = [...series].filter(([key]) => key.startsWith('convene_model_errors_total'))
  expect(errors.sort()).toEqual(
    ['INTERNAL', 'MODEL_CUT', 'MODEL_TIME_LIMIT'].map((code) => [
      `convene_model_errors_total{code="${code}",${labels}}`,
      1,
    ]),
  )
})

it('[R70] counts tool calls as done, as an error of the tool, or by the code of the fault', async () => {
  const registry = new Registry()
  const pool = addTools(
    registry,
    () => [],
    () => 0,
  ).watch(
    toolPoolOf({
      good: { info: {}, call: () => ({ ok: true, result: { isError: false, content: [] } }) },
      bad: { info: {}, call: () => ({ ok: true, result: { isError: true, content: [] } }) },
      lost: { info: {}, call: () => ({ ok: false, code: 'TOOL_TRANSPORT', message: 'gone' }) },
    }),
  )
  for (const name of ['good', 'bad', 'bad', 'lost']) await pool.call('files', { kind: 'tool', name, arguments: {} }, {})
  const series = await seriesOf(registry)
  const calls = [...series].filter(([key]) => key.startsWith('convene_tool_calls_total'))
  expect(calls.sort()).toEqual([
    ['convene_tool_calls_total{outcome="TOOL_TRANSPORT",server="files"}', 1],
    ['convene_tool_calls_total{outcome="done",server="files"}', 1],
    ['convene_tool_calls_total{outcome="error",server="files"}', 2],
  ])
})

it('[R70] shows a block of the event loop once, with its length; and what the system does not tell is left out', async () => {
  const registry = new Registry()
  const sources = { clockOffsetMs: () => 0, isStoreOk: () => false, droppedLines: () => 0, freeBytes: async () => null }
  const stop = addProcess(registry, () => sources, '1.2.3')
  const longest = async (): Promise<number> =>
    (await seriesOf(registry)).get('convene_event_loop_delay_seconds{quantile="1"}') ?? -1
  const turn = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  try {
    await turn(50)
    await longest()
    // The first sample after a scrape only begins to count.
    await turn(150)
    const until = performance.now() + 400
    while (performance.now() < until);
    await turn(150)
    // A block that begins just after a sample shows without the time to the next one, 100 ms.
    expect(await longest()).toBeGreaterThan(0.25)
    await turn(150)
    expect(await longest()).toBeLessThan(0.25)
    const series = await seriesOf(registry)
    expect(series.get('convene_store_ok')).toBe(0)
    expect(series.has('convene_disk_free_bytes')).toBe(false)
    expect(series.get(`convene_build_info{node_version="${process.version}",version="1.2.3"}`)).toBe(1)
  } finally {
    stop()
  }
})
