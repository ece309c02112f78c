/**
 * The schema of the journal and the bodies. An entry is a row whose event is canonical JSON; what is found by the ids that it names
 * is found by ordinary indexes over them. A decision says which entries are its own.
 *
 * head.hash      of the last decision, in hex; the journal's id before the first
 * entry.last     the decision that it belongs to, by the number of its last entry
 * entry.texts    how many texts lie in the decision's content, with marks in their places
 * decision.hash  SHA-256 over the decision before, its own header and its entries (chain.ts)
 * decision.known 1: it is the first outcome of its command; 0: written by a take, or forgotten after its time
 * decision.seal  over what may change in the row (chain.ts)
 * content.data   the texts of the decision's entries as JSON, then a line feed and its small bodies, squeezed when `packed` is 1
 * body           found by the first bytes of its sha, which keep the index small; where its bytes are: data; or, from `start` on, the content of `decision`; or, with neither, a file
 */
export const entriesSql = `
create table head (
  one integer primary key check (one = 1),
  journal text not null,
  seq integer not null,
  at integer not null,
  epoch integer not null,
  hash text not null,
  journal_bytes integer not null,
  body_bytes integer not null
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
  texts integer not null,
  event text not null,
  task text as (event ->> '$.task') virtual,
  step text as (event ->> '$.step') virtual,
  request text as (event ->> '$.request') virtual,
  thread text as (event ->> '$.thread') virtual
);
create index entry_task on entry (task) where task is not null;
create index entry_step on entry (step) where step is not null;
create index entry_request on entry (request) where request is not null;
create index entry_thread on entry (thread) where thread is not null;
create table content (
  last integer primary key,
  packed integer not null,
  data not null,
  seal integer not null
);
create table outcome (
  id text primary key,
  "by" text,
  seq integer,
  at integer not null,
  until integer,
  fault text,
  reply text
) without rowid;
create index outcome_until on outcome (at) where until is not null;
create table body (
  id integer primary key,
  sha blob not null,
  mime text not null,
  bytes integer not null,
  touched integer not null,
  packed integer not null,
  stored integer not null,
  decision integer,
  start integer,
  data blob,
  seal integer not null
);
create index body_sha on body (substr(sha, 1, 8));
`
