/** The schemas of older files: version n is what the first n texts make. Published texts never change. */
import { accountsSql, peopleSql, searchSql, snapshotsSql } from '../database/parts.sql'

/** head: where the journal ends and who may append. task and step are 48-bit hashes; queries compare the id itself. */
const journalSql = `
create table head (
  one integer primary key check (one = 1),
  journal text not null,
  seq integer not null,
  at integer not null,
  epoch integer not null,
  journal_bytes integer not null,
  body_bytes integer not null
);
create table journal (
  seq integer primary key,
  at integer not null,
  "by" text not null,
  cause text not null,
  task integer,
  step integer,
  event text not null
);
create index journal_task on journal (task) where task is not null;
create index journal_step on journal (step) where step is not null;
create table outcome (
  id text primary key,
  seq integer,
  at integer not null,
  until integer,
  fault text,
  reply text
) without rowid;
create index outcome_until on outcome (at) where until is not null;
create table body (
  sha text not null unique,
  mime text not null,
  bytes integer not null,
  touched integer not null,
  packed integer not null,
  stored integer not null,
  data blob
);
`

/**
 * One row for each decision instead of one for each event: its events together, deflated, with the number of the last.
 * A decision with events is its command's first outcome too (id, until, reply); `outcome` keeps those without.
 * hash and place.hash are 48-bit hashes of the command's id and of each task and step that the events name.
 * Bodies are found by the first 48 bits of their sha; the row holds all of it, and `base`, the sha of a body that its own
 * bytes were deflated against.
 */
const hexDigit = (n: number): string => `(instr('0123456789abcdef', substr(sha, ${n}, 1)) - 1) * ${16 ** (12 - n)}`
const first48 = Array.from({ length: 12 }, (_, n) => hexDigit(n + 1)).join(' + ')

const decisionsSql = `
create table decision (
  last integer primary key,
  at integer not null,
  "by" text not null,
  cause text not null,
  hash integer,
  until integer,
  reply text,
  events blob not null
);
create index decision_hash on decision (hash) where hash is not null;
create index decision_until on decision (at) where until is not null;
create table place (
  hash integer not null,
  last integer not null,
  primary key (hash, last)
) without rowid;
insert into decision (last, at, "by", cause, events) select seq, at, "by", cause, event from journal order by seq;
insert or ignore into place select task, seq from journal where task is not null;
insert or ignore into place select step, seq from journal where step is not null;
drop table journal;
alter table body rename to body_text;
create table body (
  hash integer not null,
  sha blob not null,
  mime text not null,
  bytes integer not null,
  touched integer not null,
  packed integer not null,
  stored integer not null,
  base blob,
  data blob
);
insert into body
  select ${first48}, unhex(sha), mime, bytes, touched, packed, stored, null, data from body_text order by rowid;
drop table body_text;
create index body_hash on body (hash);
`

/**
 * Small bodies lie in the row of the decision that brought them, since both repeat each other. `bundled`
 * says in which: by the first 48 bits of the body's sha; a look-up by it also compares the whole sha.
 * `touched`: when the body came again, epoch ms; null: never since its decision.
 */
const bundlesSql = `
create table bundled (
  hash integer not null,
  last integer not null,
  touched integer,
  primary key (hash, last)
) without rowid;
`

/** `indexed`: decisions up to this number have their rows in `place` and `bundled`. */
const lateIndexSql = `
alter table head add column indexed integer not null default 0;
update head set indexed = seq;
`

/** From here on a decision's row may be a piece of its group: the number keeps older programs from opening the folder. */
const decisionGroupsSql = 'select 1'

/** A command id counts for its author alone. `by` is null in rows that were written before. */
const outcomeAuthorSql = 'alter table outcome add column "by" text'

export const OLD_SCHEMAS: readonly string[] = [
  journalSql,
  snapshotsSql,
  peopleSql,
  accountsSql,
  decisionsSql,
  bundlesSql,
  lateIndexSql,
  searchSql,
  decisionGroupsSql,
  outcomeAuthorSql,
]
