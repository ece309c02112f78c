/** The result of a finished task, and its export. */
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { taskAccessOf } from '@/lib/mas/access/access'
import { selectVersions } from '@/lib/mas/files/files'
import { selectDecisions } from '@/lib/mas/tasks/decisions'
import { mayRate } from '@/lib/mas/tasks/ratings'
import { selectName } from '@/lib/mas/team/agents'
import * as schemas from '@/lib/wire/http'
import { EXPORT_PAUSE_S } from '@/server/shared/oneAtATime'
import { streamOfBytes } from '@/server/shared/pieces'
import { zipPieces } from '@/server/shared/zip'
import { seenFiles } from '../../files/seenFiles'
import { readerLanguage } from '../../http/readerLanguage'
import { readResult } from '../../records/readResult'
import { resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import { archiveOf, encoded, markdownOf, resultTextOf } from '../../records/taskExport'
import { Download, type Routes } from '../../route'

export function addResultRoutes({ add, gateway }: Routes): void {
  const { engine, exporting, past, store, now } = gateway

  add('GET /api/tasks/{id}/export', {
    scope: 'read',
    isCostly: true,
    summary:
      'A task to take along, as far as the caller may read it: as Markdown, its result alone, or as an archive (ZIP). One at a time.',
    query: schemas.exportQuery,
    answers: z.string().meta({ format: 'binary' }),
    mime: 'application/octet-stream',
    async handle({ person, params, query }) {
      const world = await worldWithRestored(engine.world(), past, params.id)
      const task = resolveTaskId(world, params.id, person)
      const reach = taskAccessOf(world, person, task.id)
      // Its entries are in the file that it was opened from.
      if (task.opened !== undefined && query.as !== 'result') throw new Fault('ONLY_READ')
      // Of the base task a participant reads their own threads only.
      if (reach === null || reach.threads !== null) throw new Fault('NOT_ALLOWED', { what: 'export this task' })
      const files = await seenFiles(gateway, person)
      const end = exporting.begin(person.id)
      if (end === null) throw new Fault('TOO_MANY', { seconds: EXPORT_PAUSE_S })
      const asked = { world, task, person, upTo: reach.upTo, isSeenFile: files.isSeen, store, now: now() }
      const [pieces, ending] =
        query.as === 'archive'
          ? [zipPieces(archiveOf(asked, query.language), asked.now), 'zip']
          : [
              encoded(query.as === 'result' ? resultTextOf(asked, query.language) : markdownOf(asked, query.language)),
              'md',
            ]
      return new Download(`${fileNameOf(task.name)}.${ending}`, streamOfBytes(pieces, end), null)
    },
  })

  add('GET /api/tasks/{id}/result', {
    scope: 'read',
    summary:
      'What a finished task came to: headline, facts, summary, what was left out, what people decided, the files that it left as far as the caller may see them, figures, what was not done.',
    answers: schemas.taskResult,
    async handle({ person, params, request }) {
      const { world, task, result, files: left } = await readResult(gateway, person, params.id)
      const { id, name, ratings = [] } = task
      return {
        ...result,
        task: id,
        name,
        decisions: selectDecisions(world, id, readerLanguage(request.headers)).map(({ by, ...decided }) => ({
          ...decided,
          name: selectName(world, by),
        })),
        ratings: ratings.map(({ by, ...rated }) => ({
          ...rated,
          agent: by,
          name: selectName(world, by),
        })),
        ...(task.opened === undefined ? {} : { opened: true as const }),
        // An archived task is only read.
        mayRate: mayRate(engine.world(), person.id, id),
        files: left.map(({ path, change, now, seq }) => ({
          path,
          change,
          bytes: now?.bytes ?? null,
          seq,
          isKept: now?.kept ?? false,
          isChanged: selectVersions(world, path).at(-1)?.seq !== seq,
        })),
        failure: result.failure && { ...result.failure, name: selectName(world, result.failure.agent) },
        notDone: result.notDone.map(({ agent, ...what }) => ({
          ...what,
          name: agent === null ? null : selectName(world, agent),
        })),
      }
    },
  })
}

/** A name that is valid in every file system. */
const fileNameOf = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80) || 'task'
