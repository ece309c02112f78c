/** The search index: numbers of entries and terms, no texts. It is rebuilt from the journal. */

/** Row numbers are those of entries. `about` has a row's kind and task as terms. */
export const searchSql = `
create virtual table search using fts5(words, about, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 0');
create table search_member (
  person text not null,
  task text not null,
  primary key (person, task)
) without rowid;
create table search_cursor (
  one integer primary key check (one = 1),
  seq integer not null,
  version integer not null
);
insert into search_cursor values (1, 0, 0);
`
