/** What the program itself says keeps, beside its text, what is said: the page repeats it in its reader's language. */
import { describe, expect, it } from 'vitest'
import { ANA, goals, MANAGER, messagesOf, must, READER, stagesOf, storyOf, submits } from '@/test/stories'
import type { Story } from '@/test/worldHistories'
import type { MessageRecord } from '../records'
import { said, saySaid, textIn } from '../said'

const bySystem = ({ world }: Story): MessageRecord[] =>
  messagesOf(world).filter(({ sender }) => sender === 'system:task')
const last = (story: Story): MessageRecord => must(bySystem(story).at(-1), 'line')

describe('[R105] what the program says in a task', () => {
  it('is told in the language of its reader, with the reason of a person as they wrote it', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason: 'The list is old.' })
    expect(textIn('en', last(story))).toBe('Ana paused Reader · The list is old.')
    expect(textIn('zh', last(story))).toBe('Ana 暂停了 Reader · The list is old.')
  })

  it('says in the language of the team what its text says, line for line', () => {
    const { story } = storyOf(goals('read', READER))
    submits(story, READER)
    story.put(ANA, { type: 'pauseAgent', agent: MANAGER, reason: 'Lunch.' })
    const lines = bySystem(story)
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.filter((line) => line.said === undefined)).toEqual([])
    expect(lines.map((line) => textIn('en', line))).toEqual(lines.map(({ text }) => text))
  })

  it('is a question of a request too, and holds sentences', () => {
    const { story } = storyOf(goals('read', READER))
    submits(story, READER)
    story.put(ANA, { type: 'pauseAgent', agent: MANAGER, reason: 'Lunch.' })
    const request = must(
      story.openRequests().find(({ kind }) => kind === 'judge'),
      'request',
    )
    expect(textIn('en', { text: request.question, said: request.said })).toBe(request.question)
    expect(textIn('zh', { text: request.question, said: request.said })).toContain('无人验收')
    const limit = said('limitReached', { who: 'Reader', limit: said('limitSteps', { n: '5' }) })
    expect(saySaid('en', limit)).toBe("Reader has reached the limit of 5 steps and can't continue. How many more?")
    expect(saySaid('zh', limit)).toBe('Reader 已达到 5 个步骤的上限，不再继续。追加多少？')
  })

  it('tells of a stage that is retried that, and not that it has failed', () => {
    const { story } = storyOf(goals('read', READER))
    const stage = must(stagesOf(story.world)[0], 'stage')
    const better = { intention: 'read less', allocation: { [READER]: 'only the first' } }
    story.put(ANA, { type: 'retryStage', stage: stage.id, better, reason: 'too long' })
    const lines = bySystem(story)
    expect(lines.map((line) => textIn('en', line))).toContain('Stage 1 is being retried.')
    expect(lines.map((line) => textIn('zh', line))).toContain('阶段 1 正在重试。')
    expect(lines.map((line) => textIn('en', line)).filter((line) => line.includes('failed'))).toEqual([])
  })

  it('lists names as its reader does', () => {
    const circle = said('waitsInCircle', { names: ['Ana', 'Ben', 'Coder'] })
    expect(saySaid('en', circle)).toContain('Ana, Ben and Coder wait for each other')
    expect(saySaid('zh', circle)).toContain('Ana、Ben、Coder 在互相等待')
  })

  it('stays as it was written where nothing is kept beside it, or where a newer program said it', () => {
    expect(textIn('zh', { text: 'Stage 1 is finished.' })).toBe('Stage 1 is finished.')
    expect(textIn('zh', JSON.parse('{"text":"Something new.","said":{"say":"somethingNew","with":{}}}'))).toBe(
      'Something new.',
    )
  })
})
