/** Which decisions people made, in which session; from where sessions were begun. */
import { ACTS_FROM_DECISIONS, originsWithAddress } from '../../shared/audit'

/** The first form with these tables. */
export const AUDIT_FORM = 15

export const actSql = `create table act (
  last integer primary key,
  session text
);
`
export const originSql = `create table session_origin (
  id text primary key,
  person text not null,
  agent text,
  address text,
  created_at integer not null,
  ended_at integer
) without rowid;
create index session_origin_ended on session_origin (ended_at);
create index session_origin_person on session_origin (person);
`

export const auditSql = `${actSql}${originSql}
${ACTS_FROM_DECISIONS};
${originsWithAddress("p.value ->> '$.address'")};
`
