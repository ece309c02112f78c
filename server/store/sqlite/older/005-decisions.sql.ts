/**
 * One row for each decision instead of one for each event: its events together, deflated, with the number of the last.
 * A decision with events is its command's first outcome too (id, until, reply); `outcome` keeps those without.
 * hash and place.hash are 48-bit hashes of the command's id and of each task and step that the events name.
 * Bodies are found by the first 48 bits of their sha; the row holds all of it, and `base`, the sha of a body that its own
 * bytes were deflated against.
 */
const hexDigit = (n: number): string => `(instr('0123456789abcdef', substr(sha, ${n}, 1)) - 1) * ${16 ** (12 - n)}`
const first48 = Array.from({ length: 12 }, (_, n) => hexDigit(n + 1)).join(' + ')

export const decisionsSql = `
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
