/** Tables other than the journal and the search: snapshots, people, accounts, acts of people, envelopes, counters. */

/** Snapshots: states at a seq, for one reducer version. */
export const snapshotsSql = `
create table snapshot (
  key text not null,
  reducer integer not null,
  seq integer not null,
  at integer not null,
  packed integer not null,
  data blob not null,
  unique (key, reducer, seq)
);
`

/** Personal rows: drafts, read cursors, settings. value null = removed, the version stays. */
export const peopleSql = `
create table person_row (
  person text not null,
  key text not null,
  value text,
  version integer not null,
  other text,
  at integer not null,
  unique (person, key)
);
`

/** Password hashes (argon2id), sessions and one-time links (tokens as SHA-256); entered keys, encrypted. */
export const accountsSql = `
create table password (
  person text primary key,
  hash text not null,
  at integer not null
) without rowid;
create table session (
  token_hash text primary key,
  id text not null unique,
  person text not null,
  agent text,
  created_at integer not null,
  last_seen integer not null,
  expires_at integer not null
) without rowid;
create index session_person on session (person);
create table link (
  token_hash text primary key,
  person text not null,
  expires_at integer not null
) without rowid;
`

export const keysSql = `
create table sealed_key (
  id text primary key,
  sealed text not null,
  at integer not null
) without rowid;
`

/** Which decisions people made, in which session; from where sessions were begun. */
export const auditSql = `
create table act (
  last integer primary key,
  session text
);
create table session_origin (
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

/** Personal access tokens are sessions with a name and scopes. */
export const tokensSql = `
alter table session add column token_name text;
alter table session add column scopes text;
alter table session_origin add column token_name text;
`

/** Envelopes from and to other systems. reason: JSON; sha: of the envelope; body: of what was stored of it */
export const envelopesSql = `
create table envelope (
  number integer primary key autoincrement,
  id text not null unique,
  at integer not null,
  peer text not null,
  direction text not null,
  protocol text not null,
  conversation text,
  task text,
  outsider text,
  message text,
  theirs text not null,
  verdict text not null,
  status integer,
  why text,
  reason text,
  "by" text,
  bytes integer not null,
  sha text not null,
  content text,
  body text
);
create index envelope_peer on envelope (peer, number);
create index envelope_task on envelope (task) where task is not null;
create index envelope_message on envelope (message) where message is not null;
create index envelope_body on envelope (body) where body is not null;
`

/** Sums of what was counted, by hour, task, member and model; the last counted entry. */
export const countersSql = `
create table counter (
  hour integer not null,
  task text not null,
  agent text not null,
  model text not null,
  calls integer not null, failed_calls integer not null, repaired_calls integer not null,
  estimated_calls integer not null, unpriced_calls integer not null, prompt_tokens integer not null,
  cached_tokens integer not null, completion_tokens integer not null, reasoning_tokens integer not null,
  nano_usd integer not null, first0 integer not null, first1 integer not null, first2 integer not null,
  first3 integer not null, first4 integer not null, first5 integer not null, first6 integer not null,
  first7 integer not null, first8 integer not null, first9 integer not null, first10 integer not null,
  first11 integer not null, steps integer not null, failed_steps integer not null, waits integer not null,
  wait_ms integer not null, tasks_asked integer not null, tasks_finished integer not null,
  tasks_failed integer not null, longest_wait_ms integer not null,
  primary key (hour, task, agent, model)
) without rowid;
create table counter_cursor (
  one integer primary key check (one = 1),
  seq integer not null,
  version integer not null
);
insert into counter_cursor values (1, 0, 0);
`
