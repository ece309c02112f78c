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
