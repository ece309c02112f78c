/** Who did what when, and from where; for operators. */
import { Fault } from '@/lib/faults'
import { asId, type TaskId } from '@/lib/mas/ids'
import { bareId } from '@/lib/mas/team/agents'
import * as schemas from '@/lib/wire/http'
import { EXPORT_PAUSE_S } from '@/server/shared/oneAtATime'
import { listPieces, streamOfBytes } from '@/server/shared/pieces'
import { auditCsv, auditPageOf, auditRowsOf } from '../../records/audit'
import { mustFind, resolveAgentId } from '../../records/resolve'
import { encoded } from '../../records/taskExport'
import { Download, type Routes } from '../../route'

const FILES = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const

export function addAuditRoute({ add, gateway }: Routes): void {
  const { exporting, store } = gateway

  add('GET /api/audit', {
    scope: 'read',
    access: 'operator',
    isCostly: true,
    summary:
      'What people did, newest first, by page, with the session in which each did it: its address and browser are known until 90 days after its end. With `format` all rows as a file; one at a time.',
    query: schemas.auditQuery,
    answers: schemas.auditPage,
    async handle({ person, world, query, log }) {
      const { from = null, to = null, who, act: kind = null, task, after = null, limit, language, format } = query
      const of = who === undefined ? null : mustFind(resolveAgentId(world, who), 'person', who).id
      const asked = {
        ...{ world, store, language, from, to, kind },
        who: of,
        task: task === undefined ? null : asId<TaskId>(bareId(task)),
      }
      if (format === undefined) return auditPageOf(asked, after, limit)
      const end = exporting.begin(person.id)
      if (end === null) throw new Fault('TOO_MANY', { seconds: EXPORT_PAUSE_S })
      log({}, 'An operator downloaded the audit')
      const rows = auditRowsOf(asked)
      const pieces = format === 'csv' ? auditCsv(rows, language) : listPieces(rows)
      return new Download(`convene-audit.${format}`, streamOfBytes(encoded(pieces), end), null, FILES[format])
    },
  })
}
