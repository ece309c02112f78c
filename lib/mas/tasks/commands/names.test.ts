/** What tasks and stages are called that models made. */
import { describe, expect, it } from 'vitest'
import { ANA, addTask, goals, READER, stageAt, stagesOf, storyOf } from '@/test/stories'
import { Story } from '@/test/worldHistories'
import { emptyWorld } from '../../records'
import { reduceAll } from '../../reduce/reduceAll'
import { stageName } from '../taskTitle'

const GOAL = 'Read every list in the folder prices, and settle what differs'

describe('[R143] a task or a stage that a model made', () => {
  it('has the name that the model gave, and a longer one is cut between words', () => {
    const story = new Story()
    const named = (name: string): string | undefined => {
      const task = addTask(story, [goals('x', READER)], name)
      return story.world.tasks[task]?.name
    }
    expect(named('Compare prices')).toBe('Compare prices')
    expect(named('Compare all of the price lists of the north and the south')).toBe('Compare all of the price lists…')
    expect(named('比较北方和南方的全部价格清单并写一份报告')).toBe('比较北方和南方的全部价格清单并写…')
    expect(named('##')).toBe('##')
  })

  it('[R307] has a number in its name while an open task has the name that the model gave', () => {
    const story = new Story()
    const made = (name: string) => {
      const task = addTask(story, [goals('x', READER)], name)
      return { task, name: story.world.tasks[task]?.name }
    }
    const first = made('Compare prices')
    expect([first.name, made('Compare prices').name, made('Compare prices').name]).toEqual([
      'Compare prices',
      'Compare prices 2',
      'Compare prices 3',
    ])
    const long = 'Compare all of the price lists of the north and the south'
    expect([made(long).name, made(long).name]).toEqual([
      'Compare all of the price lists…',
      'Compare all of the price… 2',
    ])
    story.put(ANA, { type: 'finishTask', task: first.task, state: 'failed', summary: '', reason: 'not needed' })
    expect(made('Compare prices').name).toBe('Compare prices')
  })

  it('of a stage: the name beside its goal, cut where it is longer; without one the beginning of the goal', () => {
    const { story } = storyOf(
      { ...goals(GOAL, READER), stage_name: 'Read the prices' },
      { ...goals(GOAL, READER), stage_name: 'Read the prices and say what differs' },
      { ...goals(GOAL, READER), stage_name: '  ' },
      goals('读取价格清单，弄清矛盾之处，移交事实给分析师', READER),
    )
    expect(stagesOf(story.world).map(stageName)).toEqual([
      'Read the prices',
      'Read the prices…',
      'Read every list…',
      '读取价格清单，弄清矛盾…',
    ])
    expect(stageAt(story.world, 0).intention).toBe(GOAL)
    expect(stageAt(story.world, 2).name).toBeUndefined()
  })

  it('of a stage in a journal from before stages had names: the beginning of its goal, also of one renamed then', () => {
    const { story, task } = storyOf({ ...goals(GOAL, READER), stage_name: 'Read the prices' })
    const stage = stageAt(story.world, 0)
    const [last] = story.entries.slice(-1)
    if (!last) throw new Error('there is no entry')
    const event = {
      type: 'stage.renamed',
      v: 1,
      task,
      stage: stage.id,
      intention: 'Read both lists to the end',
    } as const
    const world = reduceAll(emptyWorld, [...story.entries, { ...last, seq: last.seq + 1, event }])
    expect(stageName(stageAt(world, 0))).toBe('Read both lists…')
  })
})
