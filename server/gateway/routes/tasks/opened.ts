/** Archives of tasks from elsewhere, which operators open to read them. */

import { shownFileName } from '@/lib/format/fileName'
import type { OpenedArchive } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { ARCHIVE_MOST } from '@/server/engine/snapshots/opened/archiveFile'
import { assertSize } from '../../commands'
import { decoded } from '../../files/base64'
import { openTurns } from '../../files/quotas'
import type { Routes } from '../../route'

/** Of the request: base64 and the JSON around it. */
const BODY_BYTES = Math.ceil((ARCHIVE_MOST.bytes * 4) / 3) + 16 * 1024

export function addOpenedRoutes({ add, gateway }: Routes): void {
  const { opened } = gateway
  const inTurn = openTurns()

  add('GET /api/archives', {
    scope: 'read',
    access: 'operator',
    summary: 'Archives of tasks that were opened from files, newest first. They are kept until they are removed.',
    answers: schemas.openedArchives,
    handle: async () => ({ archives: await opened.list() }),
  })

  add('POST /api/archives', {
    scope: 'operate',
    access: 'operator',
    summary:
      'Opens the archive of an ended task, as /api/tasks/{id}/export writes it, to be read by operators: at most 32 MiB. It is checked as a whole; nothing of it enters the journal.',
    body: schemas.postArchive,
    bodyLimit: BODY_BYTES,
    answers: schemas.openedArchive,
    async handle({ person, body, log }): Promise<OpenedArchive> {
      const bytes = await decoded(body.base64)
      assertSize(bytes, body.name.slice(0, 100), ARCHIVE_MOST.bytes)
      // One after another: each is in memory as a whole.
      const archive = await inTurn('', () => opened.open(bytes, { file: shownFileName(body.name), by: person.name }))
      log({ id: archive.archive }, 'An operator opened an archive')
      return archive
    },
  })

  add('DELETE /api/archives/{id}', {
    scope: 'operate',
    access: 'operator',
    summary: 'Removes an opened archive, with all that was kept of it.',
    answers: schemas.removedArchive,
    async handle({ params, log }) {
      await opened.remove(params.id)
      log({ id: params.id }, 'An operator removed an opened archive')
      return { removed: params.id }
    },
  })
}
