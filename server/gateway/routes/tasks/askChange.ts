/** A request to change the result of an ended task, and which tasks change which. */
import { Fault } from '@/lib/faults'
import { canSeeTask } from '@/lib/mas/access/access'
import { beginningOf } from '@/lib/mas/bodies'
import type { CommandOf } from '@/lib/mas/commands/command'
import type { VersionOfPath } from '@/lib/mas/files/files'
import type { TaskId } from '@/lib/mas/ids'
import type { AgentRecord, TaskRecord } from '@/lib/mas/records'
import { said } from '@/lib/mas/said'
import { taskHandle } from '@/lib/mas/team/handles'
import { sayInLanguage } from '@/lib/mas/words'
import type { TaskChanges } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { assertSize } from '../../commands'
import { readResult } from '../../records/readResult'
import { resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import type { GatewayContext, Routes } from '../../route'

/** The comment shares its message with the passage and the result. */
const COMMENT_BYTES = 16 * 1024
/** Letters of a result in the request; the task has the rest. */
const RESULT_LENGTH = 8_000
/** Letters of a version's hash. */
const SHA_LENGTH = 8

type ChangeRequest = Pick<CommandOf<'sendMessage'>, 'text' | 'said' | 'attachments' | 'change'>

/**
 * The message that asks for a change.
 *
 * in      id: of the task; comment: what is to be changed; passage: of the result, '': all of it
 * faults  NOT_FOUND for a result that they may not read, EMPTY_TEXT, TOO_LARGE
 */
export async function requestForChange(
  gateway: GatewayContext,
  person: AgentRecord,
  id: string,
  asked: { comment: string; passage: string },
): Promise<ChangeRequest> {
  const { world, task, result, files } = await readResult(gateway, person, id)
  if (task.opened !== undefined) throw new Fault('ONLY_READ')
  const [comment, passage] = [asked.comment.trim(), asked.passage.trim()]
  if (comment === '') throw new Fault('EMPTY_TEXT')
  assertSize(comment, 'The comment', COMMENT_BYTES)
  const left = files.filter(({ now }) => now !== null)
  const words = {
    name: task.name,
    handle: taskHandle(task),
    id: task.id,
    comment,
    passage: quoted(passage),
    result: quoted(beginningOf(resultText(result), RESULT_LENGTH)),
    files: left.map(fileLine).join('\n'),
  }
  return {
    text: sayInLanguage(world.team.language, 'changeWork', words),
    said: said('changeWork', words),
    attachments: [],
    change: { of: task.id, name: task.name, passage, comment, files: left.map(({ path }) => path) },
  }
}

const quoted = (text: string): string =>
  text === ''
    ? ''
    : text
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')

type Result = Awaited<ReturnType<typeof readResult>>['result']

const resultText = ({ headline, facts, summary }: Result): string =>
  [headline ?? '', facts.map(({ label, value }) => `- ${label}: ${value}`).join('\n'), summary ?? '']
    .filter((part) => part !== '')
    .join('\n\n')

const fileLine = ({ path, now }: VersionOfPath): string =>
  `- \`${path}\`${now?.sha ? ` (${now.sha.slice(0, SHA_LENGTH)})` : ''}`

export function addChangesRoute({ add, gateway }: Routes): void {
  const { engine, past } = gateway

  add('GET /api/tasks/{id}/changes', {
    scope: 'read',
    summary:
      'The task whose result this one changes, and those that change its result, as far as the caller sees them.',
    answers: schemas.taskChanges,
    async handle({ person, params }) {
      const world = await worldWithRestored(engine.world(), past, params.id)
      const { changeOf, changedBy = [] } = resolveTaskId(world, params.id, person)
      const named = async (id: TaskId): Promise<TaskChanges['by']> => {
        const whole = await worldWithRestored(world, past, id)
        const task: TaskRecord | undefined = whole.tasks[id]
        return task && canSeeTask(whole, person, id) ? [{ task: id, name: task.name, state: task.state }] : []
      }
      const [of = null] = changeOf === undefined ? [] : await named(changeOf)
      const by: TaskChanges['by'] = []
      for (const id of changedBy.slice(-MOST_SHOWN)) by.push(...(await named(id)))
      return { of, by }
    },
  })
}

/** The newest; each may have to be restored. */
const MOST_SHOWN = 20
