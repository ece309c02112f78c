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
