/** What Ana meets when she asks a team that rehearses for work: its questions, in the order in which they come. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { RequestRecord } from '@/lib/mas/records'
import { CREW, type Rehearsal } from '@/test/rehearsalTeam'

/** The documents that come with the program, as openRehearsal takes them. */
export const sample = (from = 'samples'): Record<string, Uint8Array> => {
  const folder = path.resolve(from, 'prices')
  return Object.fromEntries(
    readdirSync(folder).map((name) => [`prices/${name}`, readFileSync(path.join(folder, name))]),
  )
}

export const fileOf = (team: Rehearsal, name: string): string => readFileSync(path.join(team.folder, name), 'utf8')

export const toAna = (team: Rehearsal): string[] =>
  team
    .messages()
    .filter((one) => one.receivers.includes(CREW.ana.id) && one.sender !== 'system:task')
    .map((one) => one.text)

export const question = (team: Rehearsal): Promise<RequestRecord> =>
  team.request((one) => one.kind === 'answer' && one.type === 'urgent', 'an urgent question to Ana')

/** What the manager asks before it judges: an Action, nobody stands still for it. */
export const judgesQuestion = (team: Rehearsal): Promise<RequestRecord> =>
  team.request(
    (one) => one.kind === 'answer' && one.type === 'action' && one.asker === CREW.manager.id,
    'the manager asks',
  )

/** Her part: it is put to her when the report is there. */
export const checkPart = (team: Rehearsal): Promise<RequestRecord> =>
  team.request((one) => one.kind === 'part', 'Ana is asked to check')

/** From the request to the end; `answers` in the order of the questions. */
export async function play(
  team: Rehearsal,
  wish: string,
  answers: string[] = [],
  { writes = true, lacking = null }: { writes?: boolean; lacking?: string | null } = {},
): Promise<string> {
  await team.ask(wish)
  for (const answer of answers) await team.answer(await question(team), 'answer', answer)
  if (lacking !== null) await team.answer(await judgesQuestion(team), 'answer', lacking)
  if (writes) {
    await team.answer(await team.request((one) => one.kind === 'confirm', 'the file is to be confirmed'), 'approve')
    await team.answer(await checkPart(team), 'done', 'Good.')
  }
  const task = await team.finished()
  expect(team.steps().flatMap((step) => step.repairs)).toEqual([])
  return task.summary ?? ''
}
