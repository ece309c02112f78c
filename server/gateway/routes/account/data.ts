/** What the system holds about the caller, for them to keep. */
import { Fault } from '@/lib/faults'
import * as schemas from '@/lib/wire/http'
import { EXPORT_PAUSE_S } from '@/server/shared/oneAtATime'
import { streamOfBytes } from '@/server/shared/pieces'
import { encoded } from '../../records/taskExport'
import { Download, type Routes } from '../../route'
import { personDataPieces } from './personData'

export function addDataRoute({ add, gateway }: Routes): void {
  const { exporting, notify, sessions, store } = gateway

  add('GET /api/me/data', {
    scope: 'read',
    isCostly: true,
    summary:
      'What the system holds about the caller: account, settings, drafts, sessions, channels, messages from and to them, requests to them with their answers. Files are named. One export at a time.',
    answers: schemas.myData,
    mime: 'application/json',
    async handle({ caller, person, world, log }) {
      const end = exporting.begin(person.id)
      if (end === null) throw new Fault('TOO_MANY', { seconds: EXPORT_PAUSE_S })
      log({}, 'A person downloaded their data')
      const reading = new AbortController()
      const asked = { world, person, session: caller.session.id, sessions, notify, store, signal: reading.signal }
      const content = streamOfBytes(encoded(personDataPieces(asked)), () => {
        reading.abort()
        end()
      })
      return new Download(`convene-${person.configId ?? person.id}.json`, content, null, 'application/json')
    },
  })
}
