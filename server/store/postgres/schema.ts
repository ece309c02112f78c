/** The schemas in order. A published text never changes; a change is a new one with the next number. */
import { postgresCountersSql } from './counters.sql'
import { erasingSql } from './erasing'
import { functionsSql, journalSql } from './journal.sql'
import { postgresSearchSql } from './search.sql'
import { postgresStepsSql } from './steps.sql'

export type PostgresSchema = { version: number; sql: string }

// Tables other than the journal: snapshots, people, accounts and acts of people, as in ../sqlite. Texts sort by their bytes.

const postgresSnapshotsSql = `
create table snapshot (
  key text collate "C" not null,
  reducer integer not null,
  seq bigint not null,
  at bigint not null,
  packed smallint not null,
  data bytea not null,
  primary key (key, reducer, seq)
);
alter table snapshot alter column data set storage external;
`

/** value null = removed, the version stays. */
const postgresPeopleSql = `
create table person_row (
  person text collate "C" not null,
  key text collate "C" not null,
  value text,
  version bigint not null,
  other text,
  at bigint not null,
  primary key (person, key)
);
`

/** Password hashes (argon2id), sessions and one-time links (tokens as SHA-256); entered keys, encrypted. */
const postgresAccountsSql = `
create table password (
  person text collate "C" primary key,
  hash text not null,
  at bigint not null
);
create table session (
  token_hash text collate "C" primary key,
  id text collate "C" not null unique,
  person text collate "C" not null,
  agent text,
  created_at bigint not null,
  last_seen bigint not null,
  expires_at bigint not null
);
create index session_person on session (person);
create table link (
  token_hash text collate "C" primary key,
  person text collate "C" not null,
  expires_at bigint not null
);
create table sealed_key (
  id text collate "C" primary key,
  sealed text not null,
  at bigint not null
);
`

/** Which decisions people made, in which session; from where sessions were begun. */
const postgresAuditSql = `
create table act (
  last bigint primary key,
  session text collate "C"
);
create table session_origin (
  id text collate "C" primary key,
  person text collate "C" not null,
  agent text,
  address text,
  created_at bigint not null,
  ended_at bigint
);
create index session_origin_ended on session_origin (ended_at);
create index session_origin_person on session_origin (person);
`

const FIRST = [
  journalSql,
  postgresSnapshotsSql,
  postgresPeopleSql,
  postgresAccountsSql,
  postgresAuditSql,
  postgresStepsSql,
  postgresSearchSql,
  postgresCountersSql,
  functionsSql,
  erasingSql,
]

export const POSTGRES_SCHEMAS: readonly PostgresSchema[] = [{ version: 1, sql: FIRST.join('\n') }]

export const NEWEST_SCHEMA = Math.max(...POSTGRES_SCHEMAS.map(({ version }) => version))

/** The table of the applied schemas. */
export const FORMS_TABLE = 'convene_form'
/** Its name in databases from before the forms began at 1. */
export const OLD_FORMS_TABLE = 'convene_schema'
