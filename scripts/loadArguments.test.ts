/** `npm run load` understands its options and says what is wrong with others. */
import { describe, expect, it } from 'vitest'
import { HELP, readLoadArguments } from './loadArguments'

const read = (line: string) => readLoadArguments(line.split(' '))

describe('the options of load', () => {
  it('gives help when asked, which says that steps are those of each agent', () => {
    for (const line of ['--help', '-h', '--agents none --help']) expect(read(line)).toBeNull()
    expect(HELP).toContain('--steps N      steps of each agent')
  })

  it('takes agents and steps, one task unless more are wished for', () => {
    expect(read('--agents 50 --steps 200')).toEqual({ agents: 50, steps: 200, tasks: 1, data: null })
    expect(read('--agents 50 --steps 200 --tasks 5 --data here')).toEqual({
      agents: 50,
      steps: 200,
      tasks: 5,
      data: 'here',
    })
  })

  it.each([
    ['--steps 2', '--agents takes a whole number from 1 to 10000'],
    ['--agents 0 --steps 2', '--agents takes a whole number'],
    ['--agents 2.5 --steps 2', '--agents takes a whole number'],
    ['--agents 2 --steps many', '--steps takes a whole number'],
    ['--agents 2 --steps 2 --tasks 3', '--tasks takes a whole number from 1 to 2'],
    ['--agents 2 --steps 2 --people 3', "Unknown option '--people'"],
  ])('refuses "%s" with a sentence and how it is called', (line, sentence) => {
    expect(() => read(line)).toThrow(sentence)
    expect(() => read(line)).toThrow('npm run load -- --agents 50 --steps 200')
  })
})
