/** Which bodies an entry names. */
import { describe, expect, it } from 'vitest'
import { promptsIn, shasIn } from './namedBodies'

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
  const prompt = { sections: [] }
  it('are found at any depth, in lists and records', () => {
    expect(promptsIn({ call: { prompt }, more: [{ calls: [{ prompt }] }, [{ prompt }]] })).toEqual([
      prompt,
      prompt,
      prompt,
    ])
    expect(promptsIn([{ prompt }])).toEqual([prompt])
  })

  it('have that name and a list of sections; anything else of that name is looked into', () => {
    for (const other of ['text', 7, null, undefined, { sections: 'none' }, { sections: null }, {}, []])
      expect([other, promptsIn({ prompt: other })]).toEqual([other, []])
    expect(promptsIn({ prompt: { prompt } })).toEqual([prompt])
    expect(promptsIn({ prompt: [{ prompt }] })).toEqual([prompt])
    expect(promptsIn({ question: prompt })).toEqual([])
  })

  it('are none in a value that holds nothing', () => {
    for (const value of [null, undefined, 'prompt', 1, true]) expect(promptsIn(value)).toEqual([])
  })
})
