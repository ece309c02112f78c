/** Open sessions of providers: each is confirmed again and again, so that a person who is disabled there loses theirs. */
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import type { GatewayParts } from '../../ports'
import type { CompanySession } from '../sessionNotes'
import type { Sessions } from '../sessions'
import type { openAdmission } from './admission'
import type { CompanyParts } from './companyAccess'
import type { Identities } from './identities'

/** With one round a minute a disabled person is found within 12 minutes. */
const CHECK_MS = 10 * 60_000
const EVERY_MS = 60_000
/** A session that nothing can confirm: the provider gave no secret to ask it again with. */
const UNASKED_MS = 14 * 60_000
/** A provider that cannot be reached ends no session before. */
const UNREACHABLE_MS = 60 * 60_000
/** So many sessions are checked at once. */
const AT_ONCE = 8

type Needs = Pick<CompanyParts, 'signIn' | 'seal' | 'unseal' | 'schedule'> &
  Pick<GatewayParts, 'engine' | 'now' | 'log'> & {
    sessions: Pick<Sessions, 'companySessions' | 'noteCompany' | 'endOne'>
    identities: Pick<Identities, 'find'>
    admission: Pick<ReturnType<typeof openAdmission>, 'confirmed'>
  }

export function openCompanyChecks({ signIn, seal, unseal, schedule, engine, now, log, ...needs }: Needs) {
  const { sessions, identities, admission } = needs
  let stopTimer = (): void => {}
  let isStopped = false

  const humans = (): AgentRecord[] =>
    Object.values<AgentRecord>(engine.world().agents).filter(({ kind, removed }) => kind === 'human' && !removed)

  async function endOne(person: AgentId, session: string, why: string): Promise<void> {
    log.info({ person, session, why }, 'A session ended: its provider does not confirm it')
    await sessions.endOne(person, session).catch((error: unknown) => {
      // It has ended meanwhile.
      if (!(error instanceof Fault && error.code === 'NOT_FOUND')) throw error
    })
  }

  async function confirmAgain(person: AgentId, session: string, known: CompanySession, refresh: string): Promise<void> {
    const found = await signIn.confirm(known.provider, { subject: known.subject, refresh })
    switch (found.is) {
      case 'refused':
        return endOne(person, session, found.why)
      case 'unreachable':
        log.warn({ provider: known.provider, why: found.why }, 'A provider could not be asked about a session')
        if (now() - known.checkedAt >= UNREACHABLE_MS)
          await endOne(person, session, 'the provider could not be reached for an hour')
        return
      case 'confirmed': {
        await sessions.noteCompany(person, session, {
          ...known,
          refresh: seal(session, found.refresh),
          checkedAt: now(),
        })
        const identity = await identities.find(known)
        if (identity !== null) await admission.confirmed(identity, found.admission)
      }
    }
  }

  async function checkOne(person: AgentId, session: string, known: CompanySession): Promise<void> {
    const ageMs = now() - known.checkedAt
    const refresh = known.refresh === null ? null : unseal(session, known.refresh)
    if (refresh !== null && ageMs >= CHECK_MS) await confirmAgain(person, session, known, refresh)
    if (refresh === null && ageMs >= UNASKED_MS)
      await endOne(person, session, 'the provider gave nothing to ask it again with')
  }

  /** Each open session whose time has come. */
  async function checkAll(): Promise<void> {
    const due: (() => Promise<void>)[] = []
    for (const { id: person } of humans()) {
      const open = await sessions.companySessions(person)
      const unreported = open.filter(({ company }) => !signIn.reports(company.provider))
      due.push(
        ...unreported.map(
          ({ id, company }) =>
            () =>
              checkOne(person, id, company),
        ),
      )
    }
    const failed = (error: unknown): void => log.error({ err: error }, 'unexpected error in the check of a session')
    const takeTurns = async (): Promise<void> => {
      for (let one = due.shift(); one !== undefined; one = due.shift()) await one().catch(failed)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, takeTurns))
  }

  function checkOften(): void {
    const again = (): void => {
      if (!isStopped) stopTimer = schedule(checkOften, EVERY_MS)
    }
    const failed = (error: unknown): void => log.warn({ err: error }, 'the sessions could not be checked')
    if (engine.leads()) void checkAll().catch(failed).finally(again)
    else again()
  }

  return {
    humans,
    endOne,
    /** Each open session whose time has come; a test calls it, the program does once a minute. */
    checkAll,
    start: checkOften,
    stop(): void {
      isStopped = true
      stopTimer()
    },
  }
}
