/**
 * The journal and the bodies in PostgreSQL.
 *
 * head            one row: the end of the journal, who may append (epoch), and which process holds the database (lock, until)
 * head.hash       of the last decision, in hex; the journal's id before the first
 * entry.last      its decision, identified by the number of its last entry
 * entry.event     the JSON text that was written; `json` is the same for queries, without what jsonb cannot store
 * entry.hash      SHA-256 over nonce and event (../shared/entryRows.ts)
 * decision.hash   SHA-256 over the previous hash, its own header and the hashes of its entries (../shared/chain.ts)
 * decision.known  1: it is the first outcome of its command; 0: written by a take, or expired
 * seal            checksum of columns that may change and so are not in the chain (../shared/chain.ts)
 */
export const journalSql = String.raw`
create table head (
  one smallint primary key check (one = 1),
  journal text not null,
  seq bigint not null,
  at bigint not null,
  epoch bigint not null,
  hash text not null,
  seal bigint not null,
  lock bigint,
  until timestamptz,
  holder jsonb
) with (fillfactor = 50);
create table decision (
  last bigint primary key,
  first bigint not null,
  command text collate "C" not null,
  "by" text not null,
  at bigint not null,
  known smallint not null,
  until bigint,
  reply text,
  hash bytea not null,
  seal bigint not null
);
create index decision_command on decision (command) where known = 1;
create index decision_until on decision (at) where until is not null;
create table entry (
  seq bigint primary key,
  last bigint not null,
  nonce bytea not null,
  hash bytea not null,
  event text not null,
  json jsonb generated always as (
    regexp_replace(event, '(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1\\\\u\2', 'g')::jsonb
  ) stored
);
create index entry_task on entry ((json->>'task'), seq) where json->>'task' is not null;
create index entry_step on entry ((json->>'step'), seq) where json->>'step' is not null;
create index entry_request on entry ((json->>'request'), seq) where json->>'request' is not null;
create index entry_thread on entry ((json->>'thread'), seq) where json->>'thread' is not null;
create table outcome (
  id text collate "C" primary key,
  "by" text not null,
  seq bigint,
  at bigint not null,
  until bigint,
  fault text,
  reply text,
  seal bigint not null
);
create index outcome_until on outcome (at) where until is not null;
create table body (
  sha bytea primary key,
  mime text not null,
  bytes bigint not null,
  touched bigint not null,
  packed smallint not null,
  data bytea not null,
  seal bigint not null
);
alter table body alter column data set storage external;
create table probe (room bytea not null);

create function seal_of(p_text text) returns bigint language sql immutable as
  $$ select ('x' || left(encode(sha256(convert_to(p_text, 'UTF8')), 'hex'), 12))::bit(48)::bigint $$;
create function head_seal(h head) returns bigint language sql immutable as
  $$ select seal_of('["' || h.journal || '",' || h.seq || ',' || h.at || ',' || h.epoch || ',"' || h.hash || '"]') $$;
`

/** Each is one statement for the caller, so that a transaction never waits for a hanging process. */
export const functionsSql = String.raw`
create function begin_journal(p_id text) returns text language plpgsql as $$
begin
  insert into head (one, journal, seq, at, epoch, hash, seal) values (1, p_id, 0, 0, 0, p_id, 0) on conflict do nothing;
  if found then update head set seal = head_seal(head); end if;
  return (select journal from head);
end $$;

-- Another process than p_lock has the lease: it has its lock on a session of its own, and renews until.
create function is_held(h head, p_lock bigint) returns boolean language sql volatile as
  $$ select coalesce(h.lock <> p_lock and h.until > clock_timestamp()
       and not pg_try_advisory_xact_lock_shared(h.lock), false) $$;

create function hold(p_lock bigint, p_ms integer, p_holder jsonb) returns jsonb language plpgsql as $$
declare h head;
begin
  -- Most who ask do not get it: they wait for no append.
  select * into h from head;
  if not is_held(h, p_lock) then
    select * into h from head for update;
    if not is_held(h, p_lock) then
      update head set lock = p_lock, holder = p_holder, until = clock_timestamp() + p_ms * interval '1 ms';
      return jsonb_build_object('won', true);
    end if;
  end if;
  return jsonb_build_object('won', false, 'holder', h.holder, 'seq', h.seq);
end $$;

create function release(p_lock bigint) returns void language plpgsql as $$
declare h head;
begin
  update head set lock = null, holder = null, until = null where lock = p_lock returning * into h;
  if found then perform pg_notify('convene', h.journal || ' ' || h.seq); end if;
end $$;

create function chain(p_before text, p_first bigint, p_last bigint, p_at bigint, p_by_command text, p_hashes text)
returns text language sql immutable as
  $$ select encode(sha256(convert_to(p_before || E'\n[' || p_first || ',' || p_last || ',' || p_at || ',' || p_by_command
       || E']\n' || p_hashes, 'UTF8')), 'hex') $$;

-- p_node: as JSON. null: another process has the lease. p_lock null: it is taken from anybody.
create function take(p_node text, p_at bigint, p_lock bigint, p_nonce bytea) returns jsonb language plpgsql as $$
declare h head; v_event text; v_hash bytea;
begin
  select * into h from head where p_lock is null or lock = p_lock for update;
  if not found then return null; end if;
  h.epoch := h.epoch + 1;
  h.seq := h.seq + 1;
  h.at := greatest(p_at, h.at);
  v_event := '{"type":"sequencer.took","v":1,"epoch":' || h.epoch || ',"node":' || p_node || '}';
  v_hash := sha256(p_nonce || convert_to(v_event, 'UTF8'));
  h.hash := chain(h.hash, h.seq, h.seq, h.at, p_node || ',"take:' || h.epoch || '"', encode(v_hash, 'hex'));
  insert into decision values (h.seq, h.seq, 'take:' || h.epoch, p_node::jsonb #>> '{}', h.at, 0, null, null,
    decode(h.hash, 'hex'), seal_of('[' || h.seq || ',0,null,null]'));
  insert into entry (seq, last, nonce, hash, event) values (h.seq, h.seq, p_nonce, v_hash, v_event);
  update head set seq = h.seq, at = h.at, epoch = h.epoch, hash = h.hash, seal = head_seal(h);
  update counter_cursor set seq = h.seq where seq = h.seq - 1;
  perform pg_notify('convene', h.journal || ' ' || h.seq);
  return jsonb_build_object('epoch', h.epoch, 'seq', h.seq);
end $$;

create function keep_bodies(p_bodies json, p_data bytea, p_at bigint) returns void language sql as $$
  insert into body (sha, mime, bytes, touched, packed, data, seal)
    select decode(sha, 'hex'), mime, bytes, p_at, packed, substring(p_data from start + 1 for length), seal
    from json_to_recordset(p_bodies)
      as b(sha text, mime text, bytes bigint, packed smallint, start integer, length integer, seal bigint) order by sha
    on conflict (sha) do update set touched = excluded.touched
$$;

-- The first outcome of each of these commands that has one, and those that are dead at p_at.
create function unfit(p_items json, p_at bigint) returns json language sql stable as $$
  with asked as (select * from json_to_recordset(p_items) as x(id text, "by" text, until bigint)),
  known as (
    select command as id, "by", last as seq, at, null::text as fault, reply from decision
      where known = 1 and command in (select id from asked)
    union all select id, "by", seq, at, fault, reply from outcome where id in (select id from asked)
  )
  select json_agg(json_build_object('id', a.id, 'seq', k.seq, 'at', k.at, 'fault', k.fault, 'reply', k.reply,
      'is', case when k.id is null then 'EXPIRED' when k."by" <> a."by" then 'FOREIGN' else 'KNOWN' end))
    from asked a left join known k on k.id = a.id where k.id is not null or a.until < p_at
$$;

-- p_items: [{id, by, until, fault, reply, names, tail, seal, events: [[event, nonce, hash]]}]; names: by and id as JSON,
-- tail: what ends the seal of an outcome. p_ms: for how long the append renews the hold of the database.
-- p_acts: [{last, session}] of the items of people. p_counters: what is counted of them by p_version, null: nothing.
-- p_envelopes: of other systems, null: none.
create function append(p_epoch bigint, p_head bigint, p_at bigint, p_items json, p_bodies json, p_data bytea, p_ms integer,
  p_acts json, p_version integer, p_counters json, p_envelopes json)
returns json language plpgsql as $$
declare h head; v_bad json; v_item json; v_events json; v_count integer; v_first bigint;
begin
  select * into h from head for update;
  if h.epoch <> p_epoch then return json_build_object('r', 'FENCED', 'epoch', h.epoch); end if;
  if h.seq <> p_head then return json_build_object('r', 'MOVED', 'seq', h.seq); end if;
  h.at := greatest(p_at, h.at);
  v_bad := unfit(p_items, h.at);
  if v_bad is not null then return json_build_object('r', 'SORT', 'bad', v_bad); end if;
  if p_bodies is not null then perform keep_bodies(p_bodies, p_data, h.at); end if;
  for v_item in select value from json_array_elements(p_items) loop
    v_events := v_item->'events';
    v_count := json_array_length(v_events);
    if v_count = 0 then
      insert into outcome values (v_item->>'id', v_item->>'by', case when v_item->>'fault' is null then h.seq end, h.at,
        (v_item->>'until')::bigint, v_item->>'fault', v_item->>'reply',
        seal_of('[' || (v_item->>'names') || ',' || case when v_item->>'fault' is null then h.seq::text else 'null' end || ','
          || h.at || ',' || (v_item->>'tail')));
    else
      v_first := h.seq + 1;
      h.seq := h.seq + v_count;
      insert into entry (seq, last, nonce, hash, event)
        select v_first + n - 1, h.seq, decode(e->>1, 'hex'), decode(e->>2, 'hex'), e->>0
          from json_array_elements(v_events) with ordinality x(e, n);
      h.hash := chain(h.hash, v_first, h.seq, h.at, (v_item->>'names'),
        (select string_agg(e->>2, E'\n' order by n) from json_array_elements(v_events) with ordinality x(e, n)));
      insert into decision values (h.seq, v_first, v_item->>'id', v_item->>'by', h.at, 1, (v_item->>'until')::bigint,
        v_item->>'reply', decode(h.hash, 'hex'), (v_item->>'seal')::bigint);
    end if;
  end loop;
  update head set seq = h.seq, at = h.at, hash = h.hash, seal = head_seal(h),
    until = case when lock is not null then greatest(until, clock_timestamp() + p_ms * interval '1 ms') end;
  insert into act select last, session from json_to_recordset(p_acts) as a(last bigint, session text);
  if p_envelopes is not null then perform envelopes_add(p_envelopes, h.at); end if;
  perform counters_after(p_head, h.seq, p_version, p_counters);
  perform pg_notify('convene', h.journal || ' ' || h.seq);
  return json_build_object('r', 'OK', 'first', p_head + 1, 'at', h.at, 'last', h.seq);
end $$;

create function forget_outcomes(p_now bigint) returns bigint language sql as $$
  with old as (
    update decision set known = 0, until = null, reply = null, seal = seal_of('[' || last || ',0,null,null]')
      where until is not null and at < p_now - 86400000 and until < p_now returning 1
  ), gone as (delete from outcome where until is not null and at < p_now - 86400000 and until < p_now returning 1)
  select (select count(*) from old) + (select count(*) from gone)
$$;

create function forget_bodies(p_shas text[], p_before bigint) returns bigint language sql as $$
  with gone as (
    delete from body where sha in (select decode(sha, 'hex') from unnest(p_shas) s(sha)) and touched < p_before returning 1
  ) select count(*) from gone
$$;

-- Writes as an append would, and leaves nothing.
create function prove() returns void language plpgsql as $$
begin
  insert into probe values (decode(repeat(md5(random()::text), 4096), 'hex'));
  delete from probe;
end $$;
`
