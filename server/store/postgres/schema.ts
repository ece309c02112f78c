/** The schemas in order. A published text never changes; a change is a new one with the next number. */
import { postgresAuditSql } from './audit.sql'
import { postgresCountersSql } from './counters.sql'
import { functionsSql, journalSql } from './journal.sql'
import { postgresStepsSql } from './steps.sql'

export type PostgresSchema = { version: number; sql: string }

// Tables other than the journal: snapshots, people, accounts and search, as in ../sqlite. Texts sort by their bytes.

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

/** words: the terms of lib/format/searchWords.ts with their positions, never parsed by PostgreSQL. */
const postgresSearchSql = `
create table search (
  seq bigint primary key,
  kind text collate "C" not null,
  task text collate "C" not null,
  pairs text[] not null,
  words tsvector not null
);
create index search_words on search using gin (words) with (fastupdate = off);
create index search_pairs on search using gin (pairs) with (fastupdate = off);
create table search_member (
  person text collate "C" not null,
  task text collate "C" not null,
  primary key (person, task)
);
create table search_cursor (
  one smallint primary key check (one = 1),
  seq bigint not null,
  version integer not null
);
insert into search_cursor values (1, 0, 0);

create function search_clear(p_version integer) returns void language plpgsql as $$
begin
  perform 1 from search_cursor for update;
  delete from search;
  delete from search_member;
  update search_cursor set seq = 0, version = p_version;
end $$;

create function search_add(p_after bigint, p_up_to bigint, p_version integer, p_lines json, p_members json)
returns boolean language plpgsql as $$
declare c search_cursor;
begin
  select * into c from search_cursor for update;
  if (case when c.version = p_version then c.seq else 0 end) <> p_after then return false; end if;
  if p_after = 0 then perform search_clear(p_version); end if;
  insert into search select seq, kind, task, pairs, words::tsvector
    from json_to_recordset(p_lines) as l(seq bigint, kind text, task text, pairs text[], words text);
  insert into search_member select person, task from json_to_recordset(p_members) as m(person text, task text)
    on conflict do nothing;
  update search_cursor set seq = p_up_to, version = p_version;
  return true;
end $$;
`

/** Several nodes: the holder of the lease takes the journal; the others read it without delaying an append. */
const leaseSql = `
create function is_held(h head, p_lock bigint) returns boolean language sql volatile as
  $$ select coalesce(h.lock <> p_lock and h.until > clock_timestamp()
       and not pg_try_advisory_xact_lock_shared(h.lock), false) $$;

create or replace function hold(p_lock bigint, p_ms integer, p_holder jsonb) returns jsonb language plpgsql as $$
declare h head;
begin
  -- Most who ask do not get it: they wait for no append.
  select * into h from head;
  if not is_held(h, p_lock) then
    select * into h from head for update;
    if not is_held(h, p_lock) then
      update head set lock = p_lock, holder = p_holder, until = clock_timestamp() + p_ms * interval '1 ms';
      return jsonb_build_object('won', true);
    end if;
  end if;
  return jsonb_build_object('won', false, 'holder', h.holder, 'seq', h.seq);
end $$;

create function release(p_lock bigint) returns void language plpgsql as $$
declare h head;
begin
  update head set lock = null, holder = null, until = null where lock = p_lock returning * into h;
  if found then perform pg_notify('convene', h.journal || ' ' || h.seq); end if;
end $$;

-- null: another process has the lease. p_lock null: it is taken from anybody.
create function take(p_node text, p_at bigint, p_lock bigint) returns jsonb language plpgsql as $$
begin
  perform 1 from head where p_lock is null or lock = p_lock for update;
  return case when found then take(p_node, p_at) end;
end $$;
`

export const POSTGRES_SCHEMAS: readonly PostgresSchema[] = [
  {
    version: 1,
    sql: [
      journalSql,
      functionsSql,
      postgresSnapshotsSql,
      postgresPeopleSql,
      postgresAccountsSql,
      postgresSearchSql,
    ].join('\n'),
  },
  { version: 2, sql: leaseSql },
  { version: 3, sql: [postgresAuditSql, postgresCountersSql].join('\n') },
  { version: 4, sql: postgresStepsSql },
]

export const NEWEST_SCHEMA = Math.max(...POSTGRES_SCHEMAS.map(({ version }) => version))
