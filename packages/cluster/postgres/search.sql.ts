/** The search index in PostgreSQL, rebuilt from the journal: the tables, and the functions that write them, with the index of steps. */

/** words: the terms of lib/format/searchWords.ts with their positions, never parsed by PostgreSQL. */
export const postgresSearchSql = `
create table search (
  seq bigint primary key,
  kind text collate "C" not null,
  task text collate "C" not null,
  pairs text[] not null,
  words tsvector not null
);
create index search_words on search using gin (words) with (fastupdate = off);
create index search_pairs on search using gin (pairs) with (fastupdate = off);
create table search_member (
  person text collate "C" not null,
  task text collate "C" not null,
  primary key (person, task)
);
create table search_cursor (
  one smallint primary key check (one = 1),
  seq bigint not null,
  version integer not null
);
insert into search_cursor values (1, 0, 0);

create function search_clear(p_version integer) returns void language plpgsql as $$
begin
  perform 1 from search_cursor for update;
  delete from search;
  delete from search_member;
  delete from step_index;
  delete from step_lane;
  update search_cursor set seq = 0, version = p_version;
end $$;

create function search_add(p_after bigint, p_up_to bigint, p_version integer, p_lines json, p_members json, p_steps json)
returns boolean language plpgsql as $$
declare c search_cursor;
begin
  select * into c from search_cursor for update;
  if (case when c.version = p_version then c.seq else 0 end) <> p_after then return false; end if;
  if p_after = 0 then perform search_clear(p_version); end if;
  insert into search select seq, kind, task, pairs, words::tsvector
    from json_to_recordset(p_lines) as l(seq bigint, kind text, task text, pairs text[], words text);
  insert into search_member select person, task from json_to_recordset(p_members) as m(person text, task text)
    on conflict do nothing;
  perform steps_change(p_steps);
  update search_cursor set seq = p_up_to, version = p_version;
  return true;
end $$;
`
