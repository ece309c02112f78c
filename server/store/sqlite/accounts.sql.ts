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
