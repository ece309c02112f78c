/** Number of characters of an id in an index. */
export const BEGINNING = 8

/** Indexes of entries by the ids in them. */
const placesSql = ['task', 'step', 'request', 'thread']
  .map((key) => `create index entry_${key} on entry (substr(${key}, 1, ${BEGINNING})) where ${key} is not null;`)
  .join('\n')

/**
 * The schema of the journal and the bodies. An entry is a row whose event is the JSON text that was written; its indexes have the
 * first characters of its ids, which keeps them small. A decision has the range of its entries.
 *
 * head.hash      of the last decision, in hex; the journal's id before the first
 * entry.last     its decision, identified by the number of its last entry
 * entry.hash     SHA-256 over nonce and event (../../shared/entryRows.ts)
 * decision.hash  SHA-256 over the previous hash, its own header and the hashes of its entries (../../shared/chain.ts)
 * decision.known 1: it is the first outcome of its command; 0: written by a take, or expired
 * seal           checksum of columns that may change and so are not in the chain (../../shared/chain.ts)
 * body           found by the first bytes of its sha; its bytes are in `data` (packed: 1: deflated), or, where that is null, in a file
 */
export const entriesSql = `
create table head (
  one integer primary key check (one = 1),
  journal text not null,
  seq integer not null,
  at integer not null,
  epoch integer not null,
  hash text not null,
  seal integer not null
);
create table decision (
  last integer primary key,
  first integer not null,
  command text not null,
  "by" text not null,
  at integer not null,
  known integer not null,
  until integer,
  reply text,
  hash blob not null,
  seal integer not null
);
create index decision_command on decision (command) where known = 1;
create index decision_until on decision (at) where until is not null;
create table entry (
  seq integer primary key,
  last integer not null,
  nonce blob not null,
  hash blob not null,
  event text not null,
  task text as (event ->> '$.task') virtual,
  step text as (event ->> '$.step') virtual,
  request text as (event ->> '$.request') virtual,
  thread text as (event ->> '$.thread') virtual
);
${placesSql}
create table outcome (
  id text primary key,
  "by" text not null,
  seq integer,
  at integer not null,
  until integer,
  fault text,
  reply text,
  seal integer not null
) without rowid;
create index outcome_until on outcome (at) where until is not null;
create table body (
  id integer primary key,
  sha blob not null,
  mime text not null,
  bytes integer not null,
  touched integer not null,
  packed integer not null,
  data blob,
  seal integer not null
);
create index body_sha on body (substr(sha, 1, 8));
`
