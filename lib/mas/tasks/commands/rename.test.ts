/** Tasks and stages get other names. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  actsOf,
  BEN,
  goals,
  LEE,
  linesOf,
  MANAGER,
  must,
  READER,
  stageAt,
  storyOf,
  submits,
  workTask,
} from '@/test/stories'
import type { Story } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import type { AgentId } from '../../ids'
import type { World } from '../../records'
import { NAME_CHARACTERS } from './rename'

const refusal = (world: World, by: AgentId, command: Command): string => {
  const decided = decide(world, { id: 'refused', by, command }, world.at)
  return decided.ok ? 'done' : decided.fault.code
}
const renames = (story: Story, name: string): Command => ({ type: 'renameTask', task: workTask(story.world).id, name })

describe('[R125] a task or a stage', () => {
  it('gets a name in one line, recorded with who, and told in the chat', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, renames(story, '  Compare\n the  prices '))
    expect(story.world.tasks[task]?.name).toBe('Compare the prices')
    expect(actsOf(story)).toMatchObject([{ agent: ANA, act: 'renameTask', on: task, task, reason: '' }])
    expect(linesOf(story.world)).toEqual(['Ana renamed the task Compare to Compare the prices'])
    const stage = stageAt(story.world, 0)
    story.put(ANA, { type: 'renameStage', stage: stage.id, name: 'Read both' })
    expect(stageAt(story.world, 0)).toEqual({ ...stage, name: 'Read both', changedAt: expect.any(Number) })
    expect(linesOf(story.world).at(-1)).toBe('Ana renamed stage 1 to Read both')
    const intention = 'Read both lists, and say where they differ'
    story.put(ANA, { type: 'renameStage', stage: stage.id, name: 'Read both', intention })
    expect(stageAt(story.world, 0)).toEqual({ ...stage, name: 'Read both', intention, changedAt: expect.any(Number) })
    expect(linesOf(story.world).at(-1)).toBe(`Ana changed the goal of stage 1: ${intention}`)
    story.put(ANA, { type: 'renameStage', stage: stage.id, name: 'Compare', intention: 'Find differences' })
    expect(linesOf(story.world).at(-1)).toBe('Ana renamed stage 1 to Compare and changed its goal: Find differences')
  })

  it('keeps a goal whose spaces only are other, and says nothing of it', () => {
    const { story } = storyOf(goals(' read  ', READER))
    const stage = stageAt(story.world, 0)
    expect(stage.intention).toBe(' read  ')
    story.put(ANA, { type: 'renameStage', stage: stage.id, name: 'Read both', intention: 'read' })
    expect(stageAt(story.world, 0)).toEqual({ ...stage, name: 'Read both', changedAt: expect.any(Number) })
    expect(linesOf(story.world).at(-1)).toBe('Ana renamed stage 1 to Read both')
  })

  it('is named by operators, its manager and the person who asked for it, and by nobody else', () => {
    const { story, task } = storyOf(goals('read', READER, BEN, LEE))
    const asker = must(workTask(story.world).requestedBy, 'asker')
    const other = asker === BEN ? LEE : BEN
    const stage: Command = { type: 'renameStage', stage: stageAt(story.world, 0).id, name: 'Read both' }
    expect(refusal(story.world, asker, renames(story, 'Mine'))).toBe('done')
    expect(refusal(story.world, ANA, stage)).toBe('done')
    expect([refusal(story.world, other, renames(story, 'Mine')), refusal(story.world, other, stage)]).toEqual([
      'NOT_ALLOWED',
      'NOT_ALLOWED',
    ])
    story.put(ANA, { type: 'changeManager', task, agent: other, reason: 'she knows it' })
    expect(refusal(story.world, other, renames(story, 'Mine'))).toBe('done')
  })

  it('needs a name that is new and within the limit', () => {
    const { story } = storyOf(goals('read', READER))
    const stage = (length: number): CommandOf<'renameStage'> => ({
      type: 'renameStage',
      stage: stageAt(story.world, 0).id,
      name: 'x'.repeat(length),
    })
    expect(refusal(story.world, ANA, renames(story, ' \n '))).toBe('BAD_INPUT')
    expect(refusal(story.world, ANA, renames(story, workTask(story.world).name))).toBe('ALREADY_SO')
    expect(refusal(story.world, ANA, renames(story, 'x'.repeat(NAME_CHARACTERS)))).toBe('done')
    expect(refusal(story.world, ANA, renames(story, 'x'.repeat(NAME_CHARACTERS + 1)))).toBe('TOO_LARGE')
    expect(refusal(story.world, ANA, stage(NAME_CHARACTERS))).toBe('done')
    expect(refusal(story.world, ANA, stage(NAME_CHARACTERS + 1))).toBe('TOO_LARGE')
    expect(refusal(story.world, ANA, { ...stage(2), name: 'read' })).toBe('ALREADY_SO')
    expect(refusal(story.world, ANA, { ...stage(2), intention: ' ' })).toBe('BAD_INPUT')
  })

  it('is named also when the task is over; a stage that is over keeps its name, and so does the base task', () => {
    const { story, task } = storyOf(goals('read', READER), goals('write', READER))
    submits(story, READER)
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'enough' })
    const first: Command = { type: 'renameStage', stage: stageAt(story.world, 0).id, name: 'Read both' }
    const second: Command = { type: 'renameStage', stage: stageAt(story.world, 1).id, name: 'Write both' }
    expect(refusal(story.world, ANA, first)).toBe('STAGE_OVER')
    expect(refusal(story.world, ANA, second)).toBe('done')
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'enough' })
    expect(refusal(story.world, ANA, second)).toBe('TASK_OVER')
    expect(refusal(story.world, ANA, renames(story, 'Old prices'))).toBe('done')
    const base = must(story.world.baseTask, 'base task')
    expect(refusal(story.world, ANA, { type: 'renameTask', task: base, name: 'Desk' })).toBe('NOT_ALLOWED')
    expect(story.world.tasks[base]?.manager).toBe(MANAGER)
  })
})
