/** Which decisions people made, in which session; from where sessions were begun: as in ../sqlite/database/audit.sql.ts. */
import { ACTS_FROM_DECISIONS, originsWithAddress } from '../shared/audit'

export const postgresAuditSql = `
create table act (
  last bigint primary key,
  session text collate "C"
);
create table session_origin (
  id text collate "C" primary key,
  person text collate "C" not null,
  agent text,
  address text,
  created_at bigint not null,
  ended_at bigint
);
create index session_origin_ended on session_origin (ended_at);
create index session_origin_person on session_origin (person);
${ACTS_FROM_DECISIONS};
${originsWithAddress("p.value::json ->> 'address'")};

-- p_acts: [{last, session}] of the items of people.
create function append(p_epoch bigint, p_head bigint, p_at bigint, p_items json, p_bodies json, p_data bytea, p_ms integer,
  p_acts json)
returns json language plpgsql as $$
declare v_answer json;
begin
  v_answer := append(p_epoch, p_head, p_at, p_items, p_bodies, p_data, p_ms);
  if v_answer->>'r' = 'OK' then
    insert into act select last, session from json_to_recordset(p_acts) as a(last bigint, session text);
  end if;
  return v_answer;
end $$;
`
