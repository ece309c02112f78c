import { describe, expect, it } from 'vitest'
import { ModelError, type ModelPiece, type Turn } from './model'
import { PersonQueue, personModel, promptPartsOf } from './person'

const TURNS: Turn[] = [
  { role: 'system', content: '<section name="system_prompt">\nRules.\n</section>' },
  {
    role: 'user',
    content:
      '<section name="current_step">\nskill: think\n</section>\n<section name="history_step">\nNothing.\n</section>',
  },
]
const ABOUT = { agent: 'Reader', skill: 'think', step: 's1' }

function asked(queue: PersonQueue, signal = new AbortController().signal) {
  const pieces = personModel('hand', 8_000, queue).call(TURNS, { signal, about: ABOUT })
  return (async () => {
    const all: ModelPiece[] = []
    for await (const piece of pieces) all.push(piece)
    return all
  })()
}

describe('[R35] a model that is a person', () => {
  it('waits until somebody answers, and says who it was', async () => {
    const queue = new PersonQueue(() => 7)
    const answer = asked(queue)
    expect(queue.list()).toEqual([{ id: 's1.2', model: 'hand', ...ABOUT, since: 7, parts: promptPartsOf(TURNS) }])
    expect(queue.settle('s1.2', { text: '<think>3.20</think>', by: 'Ana' })).toBe(true)
    expect(await answer).toMatchObject([
      { type: 'text', text: '<think>3.20</think>' },
      { type: 'end', modelVersion: 'person: Ana', usage: { costUsd: null }, finish: 'stop' },
    ])
    expect(queue.list()).toEqual([])
  })

  it('takes the first answer only', async () => {
    const queue = new PersonQueue()
    const answer = asked(queue)
    queue.settle('s1.2', { text: 'first', by: 'Ana' })
    expect(queue.settle('s1.2', { text: 'second', by: 'Ben' })).toBe(false)
    expect((await answer)[0]).toEqual({ type: 'text', text: 'first' })
  })

  it('fails for good when the person refuses, with the reason', async () => {
    const queue = new PersonQueue()
    const answer = asked(queue)
    queue.settle('s1.2', { refused: 'the list is missing', by: 'Ana' })
    const fault = await answer.catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(ModelError)
    expect(fault).toMatchObject({
      code: 'MODEL_REFUSED',
      again: false,
      message: 'Ana refused to answer: the list is missing',
    })
  })

  it('leaves the list when its step is stopped', async () => {
    const queue = new PersonQueue()
    const stop = new AbortController()
    const answer = asked(queue, stop.signal)
    stop.abort()
    await expect(answer).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
    expect(queue.list()).toEqual([])
    await expect(asked(queue, stop.signal)).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
  })

  it('gives two calls of one place ids of their own, and the same call the same id again', async () => {
    const queue = new PersonQueue()
    const [first, second] = [asked(queue), asked(queue)]
    expect(queue.list().map(({ id }) => id)).toEqual(['s1.2', 's1.2.2'])
    queue.settle('s1.2', { text: 'a', by: 'Ana' })
    queue.settle('s1.2.2', { text: 'b', by: 'Ana' })
    await Promise.all([first, second])
    const again = asked(queue)
    expect(queue.list().map(({ id }) => id)).toEqual(['s1.2'])
    queue.settle('s1.2', { text: 'c', by: 'Ana' })
    await again
  })

  it('shows a prompt in its sections', () => {
    expect(promptPartsOf([...TURNS, { role: 'assistant', content: 'no tag' }])).toEqual([
      { role: 'system', name: 'system_prompt', text: 'Rules.' },
      { role: 'user', name: 'current_step', text: 'skill: think' },
      { role: 'user', name: 'history_step', text: 'Nothing.' },
      { role: 'assistant', name: 'assistant', text: 'no tag' },
    ])
  })
})
