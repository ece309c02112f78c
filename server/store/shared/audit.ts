/** The tables of who decided what in which session, and from where: see `session` of BatchItem, and SessionOrigin. */
import type { Table } from './tables'

/** For decisions that were made before sessions were recorded. Commands of people have no colon in their id. */
export const ACTS_FROM_DECISIONS = `insert into act (last, session)
  select last, null from decision where "by" not like 'system:%' and command not like 'take:%'`

const ORIGINS_FROM_SESSIONS = `insert into session_origin (id, person, agent, address, created_at, ended_at)
  select id, person, agent, null, created_at, null from session`

/** What fills a table from others of the same store, where a store of an older form did not have it. */
export const FILLED_FROM_OTHERS: Partial<Record<Table, string>> = {
  session_origin: ORIGINS_FROM_SESSIONS,
  act: ACTS_FROM_DECISIONS,
}

/** in: address: the SQL of the address in `value`, a row of a person in JSON that earlier versions wrote */
export const originsWithAddress = (address: string): string => `insert into session_origin
    (id, person, agent, address, created_at, ended_at)
  select s.id, s.person, s.agent,
    (select ${address} from person_row p where p.person = s.person and p.key = 'session/' || s.id and p.value is not null),
    s.created_at, null
  from session s`
