/** Tables other than the journal: snapshots, people, accounts and search. */

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

/** Search index without texts; row numbers are those of entries. `about` has a row's kind and task as terms. */
export const searchSql = `
create virtual table search using fts5(words, about, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 0');
create table search_member (
  person text not null,
  task text not null,
  primary key (person, task)
) without rowid;
create table search_cursor (
  one integer primary key check (one = 1),
  seq integer not null,
  version integer not null
);
insert into search_cursor values (1, 0, 0);
`
