/** The scenario that a newcomer sees, row by row: one task from its first word to its end, with everything that can happen to it. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { AgentConfig, RequestRecord, StageRecord, StepRecord } from '@/lib/mas/records'
import { CREW, openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { readFactsPacket } from '../factsPacket'
import { sample } from './test/play'

const { manager, reader, analyst, ana } = CREW
const WEST = 'west.csv'

const ofKind = (team: Rehearsal, kind: RequestRecord['kind']) => team.request((one) => one.kind === kind, kind)
const askedBy = (team: Rehearsal, who: AgentConfig, urgent: boolean) =>
  team.request(
    (one) => one.kind === 'answer' && one.asker === who.id && (one.type === 'urgent') === urgent,
    `${who.name} asks`,
  )
const stagesOf = (team: Rehearsal): StageRecord[] => {
  const task = Object.values(team.world().tasks).find((one) => !one.base)
  return task?.stageOrder.flatMap((id) => team.world().stages[task.id]?.[id] ?? []) ?? []
}
const statesOf = (team: Rehearsal): string[] => stagesOf(team).map((stage) => stage.state)
const executors = (steps: StepRecord[]): string[] => steps.map((step) => step.executor)
const from = (team: Rehearsal, who: AgentConfig): StepRecord[] => team.steps().filter((step) => step.agent === who.id)
const told = (team: Rehearsal, who: AgentConfig, to: AgentConfig) =>
  team.messages().filter((one) => one.sender === who.id && one.receivers.includes(to.id))
const locksOf = (team: Rehearsal, who: AgentConfig) => team.world().work[who.id]?.locks ?? []
const callsOf = (steps: StepRecord[]): string[] =>
  steps.flatMap((step) => (step.instruction?.kind === 'call' ? [step.instruction.name] : []))

it('plays all fifteen rows, from a wish to a report that a person asked to be mended', async () => {
  const team = await openRehearsal(sample())
  try {
    // 1, 2: the wish becomes a task with its stages, and the reply is that task: one answer of the manager.
    await team.ask('Compare the price lists in prices and write a report')
    const which = await askedBy(team, reader, true)
    const arranging = from(team, manager)
    // Who can do what stands in the manager's prompt: it asks nothing, and writes the task, its stages and the reply at once.
    expect(arranging.map((step) => [step.executor, step.state, step.calls.length])).toEqual([
      ['send_message', 'finished', 1],
    ])
    const task = Object.values(team.world().tasks).find((one) => !one.base)
    expect(new Set(task?.group)).toEqual(new Set([manager.id, reader.id, analyst.id, ana.id]))
    expect(statesOf(team)).toEqual(['running', 'init'])

    // 3: the one who asked is told that it has begun, and need not answer.
    const begun = told(team, manager, ana)[0]
    expect([begun?.text, begun?.type]).toEqual([
      expect.stringContaining('Task `Compare prices` started: 2 stages, 3 members'),
      'fyi',
    ])

    // 4, 5: everything is listed and read; the file that is named and not there fails for real, is searched, and stops nothing.
    const reading = from(team, reader).filter((step) => step.type === 'tool')
    expect(callsOf(reading)).toEqual([
      'list_directory',
      ...Array.from({ length: 5 }, () => 'read_text_file'),
      'search_files',
    ])
    // The plan wrote the first of these seven calls, and the decisions wrote the others with what they decided.
    const written = from(team, reader).filter((step) => step.executor === 'instruction_generation')
    expect(written.map((step) => step.calls.length)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(executors(from(team, reader)).filter((name) => name === 'tool_decision')).toHaveLength(3)
    const refused = reading.filter((step) => step.state === 'failed')
    expect(refused.map((step) => step.reason)).toEqual([expect.stringContaining('ENOENT')])
    expect(refused[0]?.reason).not.toContain(team.folder)

    // 6: the reader stands still until a person says which price holds.
    expect(which.question).toContain('apple: 3.20 in north.csv line 4, 3.50 in south.csv line 7. Which one is correct?')
    expect(which.choices).toEqual(['3.20', '3.50', 'leave it out'])
    expect(locksOf(team, reader)).toHaveLength(1)

    // 7: the answer comes back with the lock, and stands in the history; to take it in costs no call, and needs no note.
    await team.answer(which, 'answer', '3.50')
    await askedBy(team, manager, false)
    expect(locksOf(team, reader)).toEqual([])
    const taken = from(team, reader).filter((step) => step.executor === 'process_message')
    expect(taken.map((step) => [step.state, step.text, step.calls])).toEqual([['finished', '3.50', []]])
    const notes = (team.world().memory[reader.id] ?? []).map((note) => note.text)
    expect(notes.filter((note) => note.includes('3.50'))).toEqual([])

    // 8: the analyst has a packet that stands alone, and has read no file.
    const packet = readFactsPacket(told(team, reader, analyst)[0]?.text ?? '')
    expect(packet?.context.artifacts.facts?.length).toBeGreaterThan(10)
    expect(packet?.context.constraints.join()).toContain('3.50')
    expect(from(team, analyst).filter((step) => step.type === 'tool')).toEqual([])

    // 9: the manager asks what to do about the file before it judges; the answer is the new stage's constraint.
    const lacking = await askedBy(team, manager, false)
    expect(lacking.question).toBe(
      "index.md line 5 refers to west.csv, which doesn't exist. Leave it out, or add it to the folder and say so?",
    )
    expect(statesOf(team)).toEqual(['running', 'init'])
    writeFileSync(path.join(team.folder, 'prices', WEST), 'item,price\nplum,4.45\n')
    await team.answer(lacking, 'answer', 'I added it')

    // 10: the old stage failed, the new one read the file too, and hands over; then the second stage begins.
    const confirm = await ofKind(team, 'confirm')
    expect(statesOf(team)).toEqual(['failed', 'finished', 'running'])
    expect(stagesOf(team)[1]?.retryOf).toBe(stagesOf(team)[0]?.id)
    // What Ana answered in the old stage is asked for no more: it stands in the log of the task.
    expect(told(team, reader, ana).filter((one) => one.type !== 'fyi')).toHaveLength(1)
    const again = readFactsPacket(told(team, reader, analyst)[1]?.text ?? '')
    expect(again?.context.artifacts.facts?.some((fact) => fact.key === 'plum')).toBe(true)
    expect(Object.keys(stagesOf(team)[2]?.allocation ?? {})).toEqual([analyst.id, ana.id])

    // 11, 12: the write is held, shown, edited and approved; what was written is read back.
    expect(confirm.call?.server).toBe('files')
    const held = await team.argumentsOf(confirm)
    expect(held.path).toBe('prices/report.md')
    await team.approveEdited(confirm, { ...held, path: 'prices/checked.md' })
    // Her part of the stage is put to her when the report is there, and nothing asks her for it before.
    const isPart = (one: { kind: string }) => one.kind === 'part'
    expect(Object.values(team.world().requests[confirm.task] ?? {}).filter(isPart)).toEqual([])
    const check = await ofKind(team, 'part')
    const wrote = from(team, analyst).filter((step) => step.type === 'tool')
    expect(callsOf(wrote)).toEqual(['write_file', 'read_text_file'])
    const first = readFileSync(path.join(team.folder, 'prices/checked.md'), 'utf8')
    expect(first).toContain(
      '| apple | price | 3.20 (prices/north.csv line 4); 3.50 (prices/south.csv line 7) | 3.50 (Ana) |',
    )
    expect(first).toContain('70.95')

    // 13: she is asked to check; the analyst is done, the stage waits for her part.
    const delivered = told(team, analyst, ana).at(-1)
    expect(delivered?.text).toContain('The report is at prices/checked.md.')
    // It names the call that read the report back.
    expect(Object.values(delivered?.cited?.sources ?? {})).toMatchObject([
      { source_type: 'tool_result', source_name: 'read prices/checked.md' },
    ])
    expect(stagesOf(team)[2]?.parts[analyst.id]).toBe('finished')
    expect(check.asked).toEqual([ana.id])
    expect(statesOf(team).at(-1)).toBe('running')

    // 14: she cannot accept it and says why; the same work again without that list.
    await team.answer(await ofKind(team, 'part'), 'cannot', 'leave out south')
    await team.answer(await ofKind(team, 'confirm'), 'approve')
    await team.until(() => told(team, analyst, ana).length === 2, 'the second report is told')
    expect(statesOf(team)).toEqual(['failed', 'finished', 'failed', 'running'])
    await team.answer(await ofKind(team, 'part'), 'done', 'Fine now.')

    // 15: the task is judged and over, the one who asked is told, and nothing is left open.
    const over = await team.finished()
    expect(over.state).toBe('finished')
    for (const fact of ['price 59.90', 'prices/west.csv', 'Left out: south.csv', '3.50', 'Fine now.'])
      expect(over.summary).toContain(fact)
    expect(readFileSync(path.join(team.folder, 'prices/report.md'), 'utf8')).not.toContain('tomato')
    const open = Object.values(team.world().requests).flatMap((own) =>
      Object.values(own).filter((one) => one.state === 'open'),
    )
    expect([open, [manager, reader, analyst].flatMap((one) => locksOf(team, one))]).toEqual([[], []])
    expect(team.steps().flatMap((step) => step.repairs)).toEqual([])
  } finally {
    await team.close()
  }
}, 30_000)
