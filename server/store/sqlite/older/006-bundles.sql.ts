/**
 * Small bodies lie in the row of the decision that brought them, since both repeat each other. `bundled`
 * says in which: by the first 48 bits of the body's sha; whoever looks up by it compares the bytes' own sha.
 * `touched`: when the body came again, epoch ms; null: never since its decision.
 */
export const bundlesSql = `
create table bundled (
  hash integer not null,
  last integer not null,
  touched integer,
  primary key (hash, last)
) without rowid;
`
