/** People at the protocol adapters: the same session, Origin and rights as in the console. */
import type { IncomingMessage } from 'node:http'
import { canReadMessage, canReadStep, taskAccessOf } from '@/lib/mas/access/access'
import type { TaskId } from '@/lib/mas/ids'
import type { MessageRecord, StepRecord, World } from '@/lib/mas/records'
import { showedWhoItIs } from '../../net'
import { isOwnOrigin } from '../http/origin'
import type { Sessions } from './sessions'

/** null: not signed in, no access to the console, or a cross-site request. sightOf: null: nothing of the task may be read */
export async function visitorOf(
  sessions: Pick<Sessions, 'callerOf'>,
  publicUrl: string | null,
  request: IncomingMessage,
) {
  const { origin, host } = request.headers
  if (!isOwnOrigin(origin, host, publicUrl)) return null
  const person = (await sessions.callerOf(request.headers))?.person
  if (person === undefined || person.access === 'none') return null
  showedWhoItIs(request)
  return {
    person: person.id,
    sightOf(world: World, task: TaskId) {
      const reach = taskAccessOf(world, person, task)
      return (
        reach && {
          message: (message: MessageRecord) => canReadMessage(reach, message),
          step: (step: StepRecord) => canReadStep(reach, step),
        }
      )
    },
  }
}
