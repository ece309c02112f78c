/** Requests for new work with pasted text and files; the demo. */
import { basename } from 'node:path'
import type * as z from 'zod'
import { Fault } from '@/lib/faults'
import { own } from '@/lib/json'
import { bodyOf } from '@/lib/mas/bodies'
import type { CommandOf, NewBody } from '@/lib/mas/commands/command'
import { filledText, unfitValue } from '@/lib/mas/formats/templateText'
import { asId, type TemplateId } from '@/lib/mas/ids'
import type { AgentRecord, Attachment, TaskRecord, TemplateRecord, World } from '@/lib/mas/records'
import { said } from '@/lib/mas/said'
import { managerIn } from '@/lib/mas/team/agents'
import { sayInLanguage } from '@/lib/mas/words'
import type { CommandHead } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { assertSize, assertText, commitAs, MESSAGE_BYTES } from '../../commands'
import { ensureSamples, type NewTextFile, saveDropped, savedAside } from '../../files/workspace'
import { mustFind } from '../../records/resolve'
import type { GatewayContext, Routes } from '../../route'
import type { SignedInCaller } from '../../sessions/sessions'
import { attachmentsOf } from '../messages/attachments'
import { requestForChange } from './askChange'

const FILE_BYTES = 2 * 1024 * 1024
const ALL_FILES_BYTES = 8 * 1024 * 1024
/** JSON escapes make a body larger than its texts. */
const BODY_BYTES = 20 * 1024 * 1024

export function addWorkRoutes({ add, gateway }: Routes): void {
  const { engine, samples, workspace } = gateway

  add('POST /api/work', {
    scope: 'ask',
    summary: 'Request new work. Files are saved in the workspace and attached to the message.',
    body: schemas.postWork,
    bodyLimit: BODY_BYTES,
    answers: schemas.workAnswer,
    async handle({ caller, body }) {
      const { bodies, paths, ...message } = await writtenWork(gateway, caller.person, body)
      const reviewPlans = body.reviewPlans ? { reviewPlans: true as const } : {}
      const fromTemplate = body.template === null ? {} : { fromTemplate: asId<TemplateId>(body.template.id) }
      return { ...(await ask(caller, body, { ...message, ...fromTemplate, ...reviewPlans }, bodies)), saved: paths }
    },
  })

  add('POST /api/work/demo', {
    scope: 'ask',
    summary: 'Start the demo task on the documents that come with the program.',
    body: schemas.commandHead,
    answers: schemas.workAnswer,
    async handle({ caller, body }) {
      const { language } = engine.world().team
      const [folder] = await ensureSamples(samples, workspace, language)
      if (folder === undefined) throw new Fault('NOT_FOUND', { what: 'folder', id: 'samples' })
      const message = { text: sayInLanguage(language, 'demoWork', { folder }), said: said('demoWork', { folder }) }
      return { ...(await ask(caller, body, { ...message, attachments: [] })), saved: [] }
    },
  })

  add('POST /api/tasks/{id}/change', {
    scope: 'ask',
    summary: 'Request a change of the result of an ended task, as new work that begins with its files.',
    body: schemas.postChange,
    answers: schemas.commandAnswer,
    async handle({ caller, person, params, body }) {
      return ask(caller, body, await requestForChange(gateway, person, params.id, body))
    },
  })

  /** Send an Action, without waiting, in the base task to its manager. */
  async function ask(
    caller: SignedInCaller,
    head: CommandHead,
    message: Pick<
      CommandOf<'sendMessage'>,
      'text' | 'said' | 'attachments' | 'fromTemplate' | 'reviewPlans' | 'change'
    >,
    bodies: NewBody[] = [],
  ) {
    const task = baseTask()
    const command: CommandOf<'sendMessage'> = {
      type: 'sendMessage',
      task: task.id,
      sender: caller.person.id,
      receivers: managerIn(task),
      stage: null,
      kind: 'action',
      answers: null,
      replyTo: null,
      mention: false,
      ...message,
    }
    return commitAs(engine, caller, head, command, bodies)
  }

  function baseTask(): TaskRecord {
    const { baseTask: id, tasks } = engine.world()
    return mustFind(id === null ? undefined : tasks[id], 'task', 'base')
  }
}

type WrittenWork = { text: string; attachments: Attachment[]; bodies: NewBody[]; paths: string[] }

/** A request's text, with its files saved. Throws EMPTY_TEXT, TOO_LARGE, EXPIRED, NOT_FOUND (file, template), BAD_INPUT. */
export async function writtenWork(
  gateway: GatewayContext,
  person: AgentRecord,
  body: Omit<z.output<typeof schemas.postWork>, 'reviewPlans'>,
): Promise<WrittenWork> {
  const { engine, now, store, workspace } = gateway
  if (body.template === null) assertText(body.wish, 'The wish')
  else checkValues(engine.world(), body.template)
  const files = filesOf(body.wish, body.pasted, body.files)
  if (body.until <= now()) throw new Fault('EXPIRED')
  // After a lost answer the same request comes again: its files are not saved twice; the engine returns the first answer.
  const isRepeat = (await store.journal.outcome(body.id, person.id)) !== null
  const day = new Date(now()).toISOString().slice(0, 10)
  const saved = isRepeat ? [] : await savedAside(gateway, () => saveDropped(workspace, day, files))
  const pasted = files.length > body.files.length ? '' : body.pasted
  // These files are in the workspace since their upload.
  const taken = await attachmentsOf(store, person.id, body.taken)
  const paths = [...taken.flatMap(({ savedAs }) => savedAs ?? []), ...saved]
  const named = new Map([
    ...taken.map(({ name, savedAs }) => [name, savedAs ?? name] as const),
    ...files.map(({ name }, at) => [name, saved[at] ?? name] as const),
  ])
  const wish = body.template === null ? body.wish : filledTemplate(engine.world(), body.template, named)
  const fresh = attached(saved, files)
  return {
    text: workText(wish, pasted),
    attachments: [...taken, ...fresh.map(({ attachment }) => attachment)],
    bodies: fresh.map(({ body }) => body),
    paths,
  }
}

type Filled = { id: string; values: Record<string, string> }

function templateOf({ templates }: World, { id }: Filled): TemplateRecord {
  const found = own<TemplateRecord>(templates, id)
  return mustFind(found?.removed ? null : found, 'template', id)
}

function checkValues(world: World, filled: Filled): void {
  const unfit = unfitValue(templateOf(world, filled).fields, filled.values)
  if (unfit) throw new Fault('BAD_INPUT', { why: sayInLanguage(world.team.language, 'valueUnfit', unfit) })
}

/** The value of a file field is its name; the text gets its path. */
function filledTemplate(world: World, filled: Filled, paths: ReadonlyMap<string, string>): string {
  const { text, fields } = templateOf(world, filled)
  const values = fields.map(({ name, kind }) => {
    const value = filled.values[name] ?? ''
    return [name, kind === 'file' ? (paths.get(value) ?? value) : value] as const
  })
  return filledText(text, Object.fromEntries(values))
}

/** The files to save: the dropped ones, and the pasted text when it is too long for a message. Throws TOO_LARGE. */
function filesOf(wish: string, pasted: string, dropped: readonly NewTextFile[]): NewTextFile[] {
  for (const { name, text } of dropped) assertSize(text, name.slice(0, 100), FILE_BYTES)
  assertSize(pasted, 'The pasted text', FILE_BYTES)
  assertSize(dropped.map(({ text }) => text).join(''), 'All files together', ALL_FILES_BYTES)
  // The fence takes room too.
  const fits = Buffer.byteLength(wish) + Buffer.byteLength(pasted) + 8 * 1024 <= MESSAGE_BYTES
  return fits ? [...dropped] : [...dropped, { name: 'pasted.txt', text: pasted }]
}

type Attached = { attachment: Attachment; body: NewBody }

/** The saved files as attachments of the message, which keeps their content although the files may change later. */
const attached = (saved: readonly string[], files: readonly NewTextFile[]): Attached[] =>
  saved.flatMap((path, index) => {
    const file = files[index]
    if (!file) return []
    const { body, ref } = bodyOf(file.text)
    return [{ attachment: { name: basename(path), body: ref, savedAs: path }, body }]
  })

/** The text of the message: the request, and the pasted text in a fence longer than any in it. Agents read the paths of its attachments. */
export function workText(wish: string, pasted: string): string {
  if (pasted.trim() === '') return wish.trim()
  const longest = Math.max(2, ...[...pasted.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${wish.trim()}\n\n${fence}\n${pasted.replace(/\n$/, '')}\n${fence}`
}
