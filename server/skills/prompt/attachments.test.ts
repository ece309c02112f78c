import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import type { Attachment, BodyRef, StepRecord, World } from '@/lib/mas/records'
import { rowOf, workbook } from '@/test/documents'
import { scriptedModel } from '@/test/scriptedModel'
import {
  ANA,
  makeMessage,
  makeStep,
  testBodyCache,
  testRun,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'
import type { MediaKind } from '../../models/model'
import { buildPrompt } from '../prompt'
import { loadPrompts } from '../prompts'

const prompts = loadPrompts('prompts')
const PICTURE = Buffer.from('a picture').toString('base64')

/** Files of any kind by their reference. */
function shelf() {
  const bodies = testBodyCache()
  return {
    bodies,
    file(name: string, mime: string, content: string): Attachment {
      return { name, body: bodies.make(content, mime), savedAs: `inbox/${name}` }
    },
    result(...content: object[]): BodyRef {
      return bodies.make(JSON.stringify({ mcp_server_result: { content, isError: false } }), 'application/json')
    },
  }
}
const call = (n: number, body: BodyRef, text = '[image image/png]'): StepRecord =>
  makeStep(n, {
    type: 'tool',
    executor: 'camera',
    state: 'finished',
    result: { kind: 'tool', text, body, made: null },
  })

async function promptOf(
  world: World,
  step: StepRecord,
  {
    bodies,
    accepts = [],
    contextTokens = 32_000,
  }: { bodies: ReturnType<typeof testBodyCache>; accepts?: MediaKind[]; contextTokens?: number },
) {
  const model = { ...scriptedModel([], contextTokens), accepts }
  const run = testRun(withSteps(world, [step]), step, model, { bodies: bodies })
  const skill = step.executor === 'think' ? 'think' : 'process_message'
  const prompt = await buildPrompt(run, skill, prompts[world.team.language])
  const user = prompt.turns[1]
  const section = /<section name="attachments">\n([\s\S]*?)\n<\/section>/.exec(user?.content ?? '')?.[1] ?? null
  return { prompt, media: user?.media ?? [], lines: section?.split('\n') ?? [] }
}

const takesIn = (world: World, files: Attachment[]) => {
  const message = makeMessage('m1', { text: 'Look', attachments: files, sender: ANA })
  const step = makeStep(900, {
    executor: 'process_message',
    state: 'running',
    text: 'Look',
    cause: { message: message.id, step: null },
  })
  return { world: withMessage(world, message), step }
}

describe('a model that takes pictures and sounds', () => {
  it('gets those of the message, in the order of the lines, and the text of an attached file', async () => {
    const { bodies, file } = shelf()
    const { world, step } = takesIn(testWorld, [
      file('stall.png', 'image/png', 'a picture'),
      file('bell.wav', 'audio/wav', 'a sound'),
      file('list.csv', 'text/csv', 'apple,3.20\n<summary>no tag</summary>'),
      file('plan.pdf', 'application/pdf', '%PDF'),
    ])
    const { media, lines } = await promptOf(world, step, { bodies, accepts: ['image', 'audio'] })
    expect(media).toEqual([
      { kind: 'image', mime: 'image/png', base64: PICTURE },
      { kind: 'audio', mime: 'audio/wav', base64: Buffer.from('a sound').toString('base64') },
    ])
    expect(lines).toEqual([
      '- picture stall.png (image/png, 9 B), with the message from Ana: shown, number 1',
      '- sound bell.wav (audio/wav, 7 B), with the message from Ana: shown, number 2',
      '<attachment name="list.csv" mime="text/csv">',
      'apple,3.20',
      '<\u2060summary>no tag<\u2060/summary>',
      '</attachment>',
    ])
  })

  it('[R405] gets an attached text in the encoding in which its program saved it', async () => {
    const { bodies, file } = shelf()
    const { world, step } = takesIn(testWorld, [file('prices.csv', 'text/csv', 'as it was saved '.repeat(500))])
    const saved = Uint8Array.from(Buffer.from('c6bbb9fb2c332e3230', 'hex'))
    const { lines } = await promptOf(world, step, { bodies: { ...bodies, bytes: async () => saved } })
    expect(lines).toContain('苹果,3.20')
  })

  it('[R802] gets the text of an attached document, and hears where it cannot be read', async () => {
    const { bodies, file } = shelf()
    const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const { world, step } = takesIn(testWorld, [file('prices.xlsx', mime, 'as it was saved '.repeat(500))])
    const saved = workbook({ Prices: rowOf(1, 'apple', '3.20') })
    const { lines } = await promptOf(world, step, { bodies: { ...bodies, bytes: async () => saved } })
    expect(lines.slice(1, -1)).toEqual(['## Prices', 'apple,3.20'])
    const broken = await promptOf(world, step, { bodies: { ...bodies, bytes: async () => saved.subarray(9) } })
    expect(broken.lines.slice(1, -1)).toEqual(['[the text of this file could not be read]'])
  })

  it('gets those of earlier tool results, also ones that stand in a resource', async () => {
    const { bodies, result } = shelf()
    const first = call(
      1,
      result({ type: 'text', text: 'x'.repeat(600) }, { type: 'image', mimeType: 'image/png', data: PICTURE }),
      'x',
    )
    const resource = { type: 'resource', resource: { uri: 'cam://2', mimeType: 'image/jpeg', blob: PICTURE } }
    const second = call(2, result(resource, { type: 'audio', mimeType: 'audio/wav', data: PICTURE }))
    const { media, lines } = await promptOf(
      withSteps(testWorld, [first, second]),
      makeStep(900, { state: 'running' }),
      {
        bodies,
        accepts: ['image'],
      },
    )
    expect(media.map(({ mime }) => mime)).toEqual(['image/png', 'image/jpeg'])
    expect(lines).toEqual([
      '- picture (image/png, 9 B), in history item 1: shown, number 1',
      '- picture cam://2 (image/jpeg, 9 B), in history item 2: shown, number 2',
      expect.stringContaining('- sound (audio/wav, 9 B), in history item 2: not shown: you take no such thing'),
    ])
  })

  it('gets the newest ones when not all fit, and hears which are left out', async () => {
    const { bodies, result } = shelf()
    const steps = Array.from({ length: 9 }, (_, at) =>
      call(at + 1, result({ type: 'image', mimeType: 'image/png', data: Buffer.from(`${at}`).toString('base64') })),
    )
    const { media, lines, prompt } = await promptOf(withSteps(testWorld, steps), makeStep(900, { state: 'running' }), {
      bodies,
      accepts: ['image'],
      contextTokens: 12_000,
    })
    expect(media.length).toBeGreaterThan(1)
    expect(media.length).toBeLessThan(9)
    expect(media.at(-1)?.base64).toBe(Buffer.from('8').toString('base64'))
    const out = lines.filter((line) => line.endsWith('left out: older than what fits'))
    expect(out).toHaveLength(9 - media.length)
    expect(lines.slice(0, out.length)).toEqual(out)
    expect(prompt.tokens).toBeLessThanOrEqual(9_500)
  })

  it('is not sent what no model takes: other formats, and what is too large', async () => {
    const { bodies, file } = shelf()
    const { world, step } = takesIn(testWorld, [
      file('map.svg', 'image/svg+xml', '<svg/>'),
      { ...file('huge.png', 'image/png', 'x'), body: { ...bodyOf('x', 'image/png').ref, bytes: 6 * 1024 * 1024 } },
    ])
    const { media, lines } = await promptOf(world, step, { bodies, accepts: ['image'] })
    expect(media).toEqual([])
    expect(lines.map((line) => line.split(': ').slice(-2).join(': '))).toEqual([
      'left out: in a format that models do not take',
      'left out: too large',
    ])
  })
})

describe('a model that takes text only', () => {
  it('gets a line for each that says what is there, and nothing is read for it', async () => {
    const { bodies, file, result } = shelf()
    const { world, step } = takesIn(testWorld, [file('stall.png', 'image/png', 'a picture')])
    const tool = call(1, { ...result({ type: 'image', mimeType: 'image/png', data: PICTURE }), sha: 'nowhere' })
    // A small result that is not shown whole needs no body either.
    const { media, lines } = await promptOf(
      withSteps(world, [tool]),
      { ...step, executor: 'process_message' },
      { bodies: { ...bodies, text: async (ref) => (ref.sha === 'nowhere' ? '' : bodies.text(ref)) } },
    )
    expect(media).toEqual([])
    expect(lines).toEqual([
      expect.stringMatching(/^- picture \(image\/png\), in history item 1: not shown: you take no such thing/),
      expect.stringMatching(/^- picture stall\.png \(image\/png, 9 B\), with the message from Ana: not shown/),
    ])
  })

  it('is reported in Chinese in a Chinese team', async () => {
    const { bodies, file } = shelf()
    const { world, step } = takesIn({ ...testWorld, team: { ...testWorld.team, language: 'zh' } }, [
      file('stall.png', 'image/png', 'a picture'),
    ])
    const { lines } = await promptOf(world, step, { bodies })
    expect(lines).toEqual([
      expect.stringMatching(/^- 图片 stall\.png （?\(image\/png, 9 B\).*未附上：你不能接受这类内容/),
    ])
  })

  it('gets no such section when nothing came along', async () => {
    const { prompt } = await promptOf(testWorld, makeStep(900, { state: 'running' }), { bodies: testBodyCache() })
    expect(prompt.turns[1]).not.toHaveProperty('media')
    expect(prompt.turns[1]?.content).not.toContain('attachments')
  })
})
