/** head: where the journal ends and who may append. task and step are 48-bit hashes; queries compare the id itself. */
export const journalSql = `
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
