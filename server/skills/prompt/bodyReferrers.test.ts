import { expect, it } from 'vitest'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, sourcesOf, testBodyCache, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { buildPrompt } from '../prompt'
import { loadPrompts } from '../prompts'
import { holdersIn } from './bodyReferrers'
import { readStoredPrompt } from './storedPrompt'

/** Everything that a stored prompt names, as a sweep finds it. */
async function reached(ref: Parameters<typeof holdersIn>[0], read: (sha: string) => Promise<string>) {
  const found = new Set<string>()
  const add = (text: string) => {
    for (const sha of text.match(/[0-9a-f]{64}/g) ?? []) found.add(sha)
  }
  add(JSON.stringify(ref))
  for (const holder of holdersIn(ref)) add(await read(holder))
  return found
}

it('[R51] every body that a stored prompt is joined from is found from its reference, however long its history is', async () => {
  const bodies = testBodyCache()
  const long = (n: number): StepRecord =>
    makeStep(n, {
      state: 'finished',
      result: {
        kind: 'text',
        text: 'x'.repeat(400),
        body: bodies.make(`${n} ${'long '.repeat(400)}`, 'text/plain'),
        made: null,
      },
    })
  const steps = Array.from({ length: 30 }, (_, at) => long(at + 1))
  const world = withSteps(testWorld, [...steps, makeStep(50), makeStep(51)])
  for (const contextTokens of [32_000, 9_000]) {
    const step = makeStep(900, { state: 'running' })
    const run = testRun(withSteps(world, [step]), step, scriptedModel([], contextTokens), { bodies: bodies })
    const { ref } = await buildPrompt(run, 'think', 'history', loadPrompts('prompts').en)
    const named = await reached(ref, async (sha) => bodies.text({ sha, bytes: 1e9, preview: '', mime: '' }))
    const used: string[] = []
    const text = (body: BodyRef): Promise<string> => {
      if (body.sha !== '') used.push(body.sha)
      return bodies.text(body)
    }
    await readStoredPrompt(ref, { ...sourcesOf(bodies, steps), text })
    // What a step came to is named by the step's own entries, which are kept as long as its prompts.
    for (const { result } of steps) if (result?.body) named.add(result.body.sha)
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((sha) => !named.has(sha))).toEqual([])
  }
})
