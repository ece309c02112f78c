/** Requests for new work with pasted text and files; the demo; the list of the workspace. */

import { basename } from 'node:path'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import { bodyOf } from '@/lib/mas/bodies'
import type { CommandOf, NewBody } from '@/lib/mas/commands/command'
import type { Attachment, Language, MessageRecord, TaskRecord, World } from '@/lib/mas/records'
import type { CommandHead, WorkAnswer, WorkspaceEntries } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { assertSize, assertText, commitAs, MESSAGE_BYTES } from '../commands'
import { canSeeAll, canSeeFile } from '../rights'
import { addRoute, type Env, type GatewayContext } from '../route'
import type { SignedInCaller } from '../sessions'
import { ensureSamples, listWorkspace, type NewTextFile, saveDropped } from '../workspace'
import { attachmentsOf, uploadsOf } from './attachments'

const FILE_BYTES = 2 * 1024 * 1024
const ALL_FILES_BYTES = 8 * 1024 * 1024
/** JSON escapes make a body larger than its texts. */
const BODY_BYTES = 20 * 1024 * 1024

export function addWorkRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, now, samples, store, workspace } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/work',
    access: 'person',
    summary: 'Request new work. Files are saved in the workspace, and the message names them.',
    body: schemas.postWork,
    bodyLimit: BODY_BYTES,
    answers: schemas.workAnswer,
    async handle({ caller, body }): Promise<WorkAnswer> {
      assertText(body.wish, 'The wish')
      const files = filesOf(body.wish, body.pasted, body.files)
      if (body.until <= now()) throw new Fault('EXPIRED')
      // A repeat after a lost answer saves no file twice; the engine returns the first answer.
      const isRepeat = (await store.journal.outcome(body.id, caller.person.id)) !== null
      const saved = isRepeat ? [] : await saveDropped(workspace, new Date(now()).toISOString().slice(0, 10), files)
      const pasted = files.length > body.files.length ? '' : body.pasted
      // These were saved when they were uploaded.
      const taken = await attachmentsOf(store, caller.person.id, body.taken)
      const paths = [...taken.flatMap(({ savedAs }) => savedAs ?? []), ...saved]
      const text = workText(engine.world().team.language, body.wish, pasted, paths)
      const fresh = attached(saved, files)
      const attachments = [...taken, ...fresh.map(({ attachment }) => attachment)]
      const bodies = fresh.map(({ body }) => body)
      return { ...(await ask(caller, body, text, attachments, bodies)), saved: paths }
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/work/demo',
    access: 'person',
    summary: 'Start the demo task on the documents that come with the program.',
    body: schemas.commandHead,
    answers: schemas.workAnswer,
    async handle({ caller, body }): Promise<WorkAnswer> {
      const { language } = engine.world().team
      const [folder] = await ensureSamples(samples, workspace, language)
      if (folder === undefined) throw new Fault('NOT_FOUND', { what: 'folder', id: 'samples' })
      return { ...(await ask(caller, body, demoWork(language, folder))), saved: [] }
    },
  })

  /** Send an Action, without waiting, in the base task to its manager. */
  async function ask(
    caller: SignedInCaller,
    head: CommandHead,
    text: string,
    attachments: Attachment[] = [],
    bodies: NewBody[] = [],
  ) {
    const task = baseTask()
    const command: CommandOf<'sendMessage'> = {
      type: 'sendMessage',
      task: task.id,
      sender: caller.person.id,
      receivers: [task.manager],
      text,
      stage: null,
      needReply: true,
      waiting: false,
      answers: null,
      replyTo: null,
      attachments,
      mention: false,
    }
    return commitAs(engine, caller.person.id, head, command, bodies)
  }

  function baseTask(): TaskRecord {
    const { baseTask: id, tasks } = engine.world()
    const task = id === null ? undefined : tasks[id]
    if (!task) throw new Fault('NOT_FOUND', { what: 'task', id: 'base' })
    return task
  }
}

export function addWorkspaceRoute(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, store, workspace } = gateway
  addRoute(app, gateway, {
    method: 'get',
    path: '/api/workspace',
    isCostly: true,
    access: 'person',
    summary: 'The files of the workspace that the caller may see; of inbox/ their uploads and files of their messages.',
    answers: schemas.workspaceEntries,
    async handle({ caller }): Promise<WorkspaceEntries> {
      const { person } = caller
      const { carriers, uploaded } = {
        carriers: carriersOf(engine.world()),
        uploaded: await uploadsOf(store.people, person.id),
      }
      const isSeen = (path: string): boolean =>
        canSeeFile(
          engine.world(),
          person,
          { path, carriers: carriers.get(path) ?? [], uploader: uploaded.has(path) ? person.id : null },
          gateway.fileServers ?? [],
        )
      return listWorkspace(workspace, canSeeAll(person) ? workspace : basename(workspace), isSeen)
    },
  })
}

/** Messages by the path of the file that they carry. */
function carriersOf(world: World): Map<string, MessageRecord[]> {
  const carriers = new Map<string, MessageRecord[]>()
  for (const messages of Object.values(world.messages)) {
    for (const message of Object.values<MessageRecord>(messages)) {
      for (const { savedAs } of message.attachments) {
        if (savedAs !== null) carriers.set(savedAs, [...(carriers.get(savedAs) ?? []), message])
      }
    }
  }
  return carriers
}

/** The files to save: the dropped ones, and the pasted text when it is too long for a message. Throws TOO_LARGE. */
function filesOf(wish: string, pasted: string, dropped: readonly NewTextFile[]): NewTextFile[] {
  for (const { name, text } of dropped) assertSize(text, name.slice(0, 100), FILE_BYTES)
  assertSize(pasted, 'The pasted text', FILE_BYTES)
  assertSize(dropped.map(({ text }) => text).join(''), 'All files together', ALL_FILES_BYTES)
  // The message also holds the names of up to 21 saved files.
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

/** The text of the message: the wish, the pasted text in a fence longer than any in it, the saved paths. */
export function workText(language: Language, wish: string, pasted: string, saved: readonly string[]): string {
  const parts = [wish.trim()]
  if (pasted.trim() !== '') {
    const longest = Math.max(2, ...[...pasted.matchAll(/`+/g)].map(([run]) => run.length))
    const fence = '`'.repeat(longest + 1)
    parts.push(`${fence}\n${pasted.replace(/\n$/, '')}\n${fence}`)
  }
  if (saved.length > 0)
    parts.push([language === 'zh' ? '文件：' : 'Files:', ...saved.map((path) => `- \`${path}\``)].join('\n'))
  return parts.join('\n\n')
}

/** The text of the demo's request. */
export function demoWork(language: Language, folder: string): string {
  if (language === 'en') return `Compare the price lists in ${folder} and write a report`
  return /^[\w.-]+$/.test(folder) ? `比较 ${folder} 里的清单，写一份报告` : `比较“${folder}”文件夹里的清单，写一份报告`
}
