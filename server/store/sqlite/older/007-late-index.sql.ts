/**
 * `indexed`: decisions up to this number have their rows in `place` and `bundled`; those of later ones are written for many
 * at once.
 */
export const lateIndexSql = `
alter table head add column indexed integer not null default 0;
update head set indexed = seq;
`
