/** Several nodes: the holder of the lease takes the journal; the others read it without delaying an append. */
export const leaseSql = `
create function is_held(h head, p_lock bigint) returns boolean language sql volatile as
  $$ select coalesce(h.lock <> p_lock and h.until > clock_timestamp()
       and not pg_try_advisory_xact_lock_shared(h.lock), false) $$;

create or replace function hold(p_lock bigint, p_ms integer, p_holder jsonb) returns jsonb language plpgsql as $$
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

-- null: another process has the lease. p_lock null: it is taken from anybody.
create function take(p_node text, p_at bigint, p_lock bigint) returns jsonb language plpgsql as $$
begin
  perform 1 from head where p_lock is null or lock = p_lock for update;
  return case when found then take(p_node, p_at) end;
end $$;
`
