/** Sign-ins, sign-outs and refused rights in the log: who, and from where. A flood is counted, not written. */
import type { IncomingMessage } from 'node:http'
import { FAULT_STATUS, Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import { LIMITS, openRateLimit } from '../../shared/limits'
import { requestIdOf } from '../../shared/requestId'
import type { GatewayParts } from '../ports'

type SignInWay = 'password' | 'link' | 'company' | 'confirm'
const SHOWN = 100

export function openAccessLog({ log, clients, now }: Pick<GatewayParts, 'log' | 'clients' | 'now'>) {
  const perAddress = openRateLimit(LIMITS.accessLinesOfAddress, now)
  const inAll = openRateLimit(LIMITS.accessLines, now)
  let leftOut = 0

  /** How often one client, and all together, may write; the next line says how many were left out. in: about: to be added to the line */
  async function write(request: IncomingMessage, line: (about: object) => void): Promise<void> {
    if ((await perAddress.take(clients.keyOf(request))) > 0 || (await inAll.take('all')) > 0) {
      leftOut += 1
      return
    }
    const from = clients.addressOf(request)
    line({ from, request: requestIdOf(request), ...(leftOut > 0 ? { leftOut } : {}) })
    leftOut = 0
  }

  return {
    signedIn(request: IncomingMessage, way: SignInWay, by: AgentId): void {
      void write(request, (about) => log.info({ by, way, ...about }, 'A person signed in'))
    },
    /** person: null: nobody of that name, which is not written: a password may have been typed for it */
    signInRefused(request: IncomingMessage, way: SignInWay, person: AgentId | null, why: unknown): void {
      void write(request, (about) => log.warn({ person, way, code: codeOf(why), ...about }, 'A sign-in was refused'))
    },
    signedOut(request: IncomingMessage, by: AgentId): void {
      void write(request, (about) => log.info({ by, ...about }, 'A person signed out'))
    },
    /** by: null: nobody is signed in. Only what is refused for want of a right is written. */
    refused(request: IncomingMessage, by: AgentId | null, path: string, why: unknown): void {
      const code = codeOf(why)
      if (FAULT_STATUS[code] !== 403 || NO_RIGHT_WANTED.has(code)) return
      const { method } = request
      void write(request, (about) =>
        log.warn({ by, path: shown(path), method, code, ...about }, 'A request was refused for want of a right'),
      )
    },
  }
}

/** The person may do it, with their password. */
const NO_RIGHT_WANTED: ReadonlySet<string> = new Set(['CONFIRM_PASSWORD', 'WRONG_PASSWORD'])

export type AccessLog = ReturnType<typeof openAccessLog>

const codeOf = (why: unknown): Fault['code'] => (why instanceof Fault ? (why as Fault).code : 'INTERNAL')

/** Text of a stranger: its control and format characters could forge lines. */
const shown = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}').slice(0, SHOWN)
