/** Files of messages, sent only by their uploader and read only through a message, never by their hash. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type * as z from 'zod'
import { Fault } from '@/lib/faults'
import { shownFileName } from '@/lib/format/fileName'
import { canSeeFile } from '@/lib/mas/access/access'
import { previewOf } from '@/lib/mas/bodies'
import type { AgentId } from '@/lib/mas/ids'
import type { Attachment } from '@/lib/mas/records'
import type { AttachmentAnswer, AttachmentBody } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { bodyContent } from '@/server/shared/bodyText'
import type { JsonPieces } from '@/server/shared/pieces'
import { recentMap } from '@/server/shared/recentMap'
import { sha256 } from '@/server/shared/sha256'
import type { Store } from '@/server/store'
import { assertSize } from '../../commands'
import { decoded } from '../../files/base64'
import { assertQuota, openTurns } from '../../files/quotas'
import { readUpload, UPLOADS, unsentBytes } from '../../files/uploads'
import { type DropFolder, saveDropped, savedAside } from '../../files/workspace'
import { resolveMessageId, shown as shownId } from '../../records/resolve'
import { type Routes, Streamed } from '../../route'

const ATTACHMENT_BYTES = 25 * 1024 * 1024
/** Of the request: base64 and the JSON around it. */
const BODY_BYTES = Math.ceil((ATTACHMENT_BYTES * 4) / 3) + 16 * 1024

export function addAttachmentRoutes({ add, gateway }: Routes): void {
  const { engine, now, store, workspace } = gateway
  const folderOf = openDrops()
  const inTurn = openTurns()

  add('POST /api/attachments', {
    scope: 'ask',
    summary: 'Upload a file for a message, at most 25 MiB. It is stored, and saved in the workspace.',
    body: schemas.postAttachment,
    bodyLimit: BODY_BYTES,
    answers: schemas.attachmentAnswer,
    async handle({ person, body }) {
      const bytes = await decoded(body.base64)
      assertSize(bytes, body.name.slice(0, 100), ATTACHMENT_BYTES)
      await nextTurn()
      const sha = sha256(bytes)
      await nextTurn()
      const known = readUpload((await store.people.get(person.id, UPLOADS + sha))?.value)
      // The same file again, after a lost answer or under another name: it is not saved twice.
      if (known) return shown({ ...known, name: shownFileName(body.name) })
      return inTurn(person.id, async () => {
        assertQuota(
          'uploads',
          await unsentBytes(store.people, person.id, engine.world()),
          bytes.length,
          gateway.personLimits,
        )
        const attachment = await taken(person.id, body, bytes, sha)
        await store.people.put(person.id, UPLOADS + sha, attachment, null)
        return shown(attachment)
      })
    },
  })

  /** The file in the workspace and in the store. */
  async function taken(
    person: AgentId,
    { name, mime, drop: dropped }: z.output<typeof schemas.postAttachment>,
    bytes: Buffer,
    sha: string,
  ): Promise<Attachment> {
    const day = new Date(now()).toISOString().slice(0, 10)
    const drop = dropped === undefined ? undefined : folderOf(`${person} ${dropped}`)
    const [savedAs = null] = await savedAside(gateway, () => saveDropped(workspace, day, [{ name, bytes }], drop))
    await store.bodies.put(bytes, mime)
    const preview = mime.startsWith('text/') ? previewOf(bytes.subarray(0, 4_000).toString('utf8')) : ''
    return { name: shownFileName(name), body: { sha, bytes: bytes.length, preview, mime }, savedAs }
  }

  add('GET /api/messages/{id}/attachments/{at}', {
    scope: 'read',
    summary: 'A file of a message, whole, as base64.',
    params: schemas.attachmentParams,
    answers: schemas.attachmentBody,
    async handle({ person, world, params }) {
      const message = resolveMessageId(world, params.id)
      if (!canSeeFile(world, person, { path: null, carriers: [message], uploader: null }, [])) {
        throw new Fault('NOT_FOUND', { what: 'message', id: shownId(params.id) })
      }
      const file = message.attachments[params.at]
      const body = file === undefined ? null : await bodyContent(store.bodies, file.body)
      if (!file || !body) throw new Fault('NOT_FOUND', { what: 'attachment', id: String(params.at) })
      return new Streamed(filePieces({ name: file.name, mime: file.body.mime }, body.bytes))
    },
  })
}

/** Bytes of a file per piece of the answer; a multiple of 3, so that the base64 of the pieces can be joined. */
const FILE_PIECE_BYTES = 3 * 128 * 1024

/** An AttachmentBody, byte for byte as JSON.stringify writes it. */
async function* filePieces(head: Omit<AttachmentBody, 'base64'>, bytes: Uint8Array): JsonPieces {
  yield `${JSON.stringify(head).slice(0, -1)},"base64":"`
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < all.length; at += FILE_PIECE_BYTES) {
    yield all.subarray(at, at + FILE_PIECE_BYTES).toString('base64')
    await nextTurn()
  }
  yield '"}'
}

/** Drops that are remembered. The files of one drop arrive within seconds. */
const MOST_DROPS = 100

/** The folder of the files dropped together, by the drop's name. */
function openDrops(): (name: string) => DropFolder {
  const drops = recentMap<string, DropFolder>(MOST_DROPS)
  return (name) => drops.getOrMake(name, () => ({ made: null }))
}

const shown = ({ name, body }: Attachment): AttachmentAnswer => ({
  sha: body.sha,
  name,
  mime: body.mime,
  bytes: body.bytes,
})

/** The uploads of this person that a command names. Throws NOT_FOUND for any other file. */
export async function attachmentsOf(
  store: Pick<Store, 'people'>,
  person: string,
  named: readonly { sha: string; name?: string; alt?: string }[],
): Promise<Attachment[]> {
  return Promise.all(
    named.map(async ({ sha, name, alt }) => {
      const upload = readUpload((await store.people.get(person, UPLOADS + sha))?.value)
      if (!upload) throw new Fault('NOT_FOUND', { what: 'attachment', id: sha.slice(0, 12) })
      const own = name === undefined ? upload : { ...upload, name: shownFileName(name) }
      return alt ? { ...own, alt } : own
    }),
  )
}
