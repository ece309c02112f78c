/** Which bodies an entry names. */
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, READER, TASK, testBodyCache, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { loadPrompts, readStoredPrompt } from '../../skills'
import { buildPrompt } from '../../skills/prompt'
import { storePrompt } from '../../skills/prompt/turnList'
import { findNamed, promptsIn, shasIn } from './namedBodies'

const SHA = 'ab'.repeat(32)
const OTHER = '0'.repeat(64)

describe('[R51] the hashes in a text', () => {
  it('are found wherever they stand, each as often as it stands there', () => {
    expect(shasIn(`{"sha":"${SHA}"} and ${OTHER}, ${SHA}`)).toEqual([SHA, OTHER, SHA])
    expect(shasIn('no hash')).toEqual([])
  })

  it('are of 64 hexadecimal digits: one digit fewer or more is another thing', () => {
    expect(shasIn(SHA.slice(1))).toEqual([])
    expect(shasIn(`${SHA}a`)).toEqual([])
    expect(shasIn(`f${SHA}`)).toEqual([])
    expect(shasIn(`x${SHA}x`)).toEqual([SHA])
    expect(shasIn(SHA.toUpperCase())).toEqual([])
  })
})

describe('[R51] the prompts in an event', () => {
  const prompt = { sha: SHA, bytes: 2 }
  it('are found at any depth, in lists and records', () => {
    expect(promptsIn({ call: { prompt }, more: [{ calls: [{ prompt }] }, [{ prompt }]] })).toEqual([SHA, SHA, SHA])
    expect(promptsIn([{ prompt }])).toEqual([SHA])
  })

  it('have that name and a hash; anything else of that name is looked into', () => {
    for (const other of ['text', 7, null, undefined, { sha: 7 }, { sha: null }, {}, []])
      expect([other, promptsIn({ prompt: other })]).toEqual([other, []])
    expect(promptsIn({ prompt: { prompt } })).toEqual([SHA])
    expect(promptsIn({ prompt: [{ prompt }] })).toEqual([SHA])
    expect(promptsIn({ question: prompt })).toEqual([])
  })

  it('are none in a value that holds nothing', () => {
    for (const value of [null, undefined, 'prompt', 1, true]) expect(promptsIn(value)).toEqual([])
  })
})

it('[R51] every body that a stored prompt is read from is named by its entry, however long its history is', async () => {
  const bodies = testBodyCache()
  const steps = Array.from({ length: 60 }, (_, at) => {
    const body = bodies.make(`${at} ${'long '.repeat(400)}`, 'text/plain')
    return makeStep(at + 1, {
      state: 'finished',
      result: { kind: 'text', text: 'x'.repeat(400), body, made: null },
    })
  })
  const store = {
    get: async (sha: string) => ({ bytes: new TextEncoder().encode(bodies.shelf.get(sha)), mime: 'text/plain' }),
  }
  for (const contextTokens of [64_000, 9_000]) {
    const step = makeStep(900, { state: 'running', startedSeq: 900 })
    const world = withSteps(testWorld, [...steps, makeStep(901), step])
    const run = testRun(world, step, scriptedModel([], contextTokens), { bodies })
    const built = await buildPrompt(run, 'think', loadPrompts('prompts').en)
    const prompt = storePrompt(built.stored, bodies, built.about)
    const used = new Set<string>()
    await readStoredPrompt(prompt, (ref) => {
      if (ref.sha !== '') used.add(ref.sha)
      return bodies.text(ref)
    })
    const event = { type: 'model.called', v: 1, task: TASK, agent: READER, step: step.id, call: { prompt } }
    const [named, seen] = [new Set<string>(), new Set<string>()]
    await findNamed(event, store, seen, (sha) => named.add(sha))
    expect(used.size).toBeGreaterThan(10)
    expect([...used].filter((sha) => !named.has(sha))).toEqual([])
    expect(seen.size).toBeGreaterThan(2)
  }
})
