import { expect, it } from 'vitest'
import type { Model } from '@/server/models/model'
import { scriptedTeam, type TeamLine } from './scriptedTeam'

const line = (agent: string, answer: string): TeamLine => ({ agent, skill: 'think', answer })

/** The answer of the model to an agent's prompt, for the skill think. */
async function ask(model: Model, agent: string, content = '', signal = new AbortController().signal): Promise<string> {
  let said = ''
  const about = { agent, skill: 'think' }
  for await (const piece of model.call([{ role: 'user', content }], { signal, about }))
    if (piece.type === 'text') said += piece.text
  return said
}

it('answers in the order of the script, whoever asks first', async () => {
  const { model, calls, left } = scriptedTeam([line('reader', 'one'), line('analyst', 'two')], 'tags')
  const analyst = ask(model, 'analyst')
  expect(await ask(model, 'reader')).toBe('one')
  expect(await analyst).toBe('two')
  expect([calls.map(({ agent, answer }) => `${agent} ${answer}`), left()]).toEqual([['reader one', 'analyst two'], []])
})

it('writes the number that the prompt shows for a step, that of the newest of its intention', async () => {
  const { model } = scriptedTeam([line('reader', '{"from_step": "#{step: draft it}"} [cit_{step: read it}:3]')], 'tags')
  const item = (n: number, intention: string): string =>
    `<history_item n="${n}" state="finished">\n<intention>${intention}</intention>\n</history_item>`
  const prompt = [item(4, 'draft it'), item(7, 'read it'), item(9, 'draft it')].join('\n')
  expect(await ask(model, 'reader', prompt)).toBe('{"from_step": "#9"} [cit_7:3]')
})

it('refuses a question without an answer, and an answer that names a step that the prompt lacks, with the prompt', async () => {
  const none = scriptedTeam([line('reader', 'one')], 'tags')
  await expect(ask(none.model, 'ana', 'the prompt of Ana')).rejects.toThrow('the script has no answer of ana for think')
  expect(none.lacking()).toMatch(/no answer of ana for think[\s\S]*the prompt of Ana/)
  expect(none.left()).toHaveLength(1)
  const lost = scriptedTeam([line('reader', '[cit_{step: read it}]')], 'tags')
  await expect(ask(lost.model, 'reader', 'no history')).rejects.toThrow('the prompt shows no such step')
  expect(lost.lacking()).toContain('no history')
})

it('names the question that waited in vain when its call is stopped', async () => {
  const stop = new AbortController()
  const { model, lacking } = scriptedTeam([line('reader', 'one'), line('analyst', 'two')], 'tags')
  const analyst = ask(model, 'analyst', 'the prompt', stop.signal)
  stop.abort()
  await expect(analyst).rejects.toThrow('stopped')
  expect(lacking()).toMatch(/analyst was asked for think[\s\S]*the prompt/)
})
