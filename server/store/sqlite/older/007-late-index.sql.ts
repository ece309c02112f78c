/** `indexed`: decisions up to this number have their rows in `place` and `bundled`. */
export const lateIndexSql = `
alter table head add column indexed integer not null default 0;
update head set indexed = seq;
`
