/** Counters in PostgreSQL: the table, and the functions that write it together with an append. */
export const postgresCountersSql = `
create table counter (
  hour bigint not null,
  task text collate "C" not null,
  agent text collate "C" not null,
  model text collate "C" not null,
  calls bigint not null, failed_calls bigint not null, repaired_calls bigint not null,
  estimated_calls bigint not null, unpriced_calls bigint not null, prompt_tokens bigint not null,
  cached_tokens bigint not null, completion_tokens bigint not null, reasoning_tokens bigint not null,
  nano_usd bigint not null, first0 bigint not null, first1 bigint not null, first2 bigint not null,
  first3 bigint not null, first4 bigint not null, first5 bigint not null, first6 bigint not null,
  first7 bigint not null, first8 bigint not null, first9 bigint not null, first10 bigint not null,
  first11 bigint not null, steps bigint not null, failed_steps bigint not null, waits bigint not null,
  wait_ms bigint not null, tasks_asked bigint not null, tasks_finished bigint not null,
  tasks_failed bigint not null, longest_wait_ms bigint not null,
  primary key (hour, task, agent, model)
);
create table counter_cursor (
  one smallint primary key check (one = 1),
  seq bigint not null,
  version integer not null
);
insert into counter_cursor values (1, 0, 0);

create function counters_keep(p_rows json) returns void language sql as $$
  insert into counter select * from json_populate_recordset(null::counter, p_rows)
    on conflict (hour, task, agent, model) do update set
      calls = counter.calls + excluded.calls, failed_calls = counter.failed_calls + excluded.failed_calls,
      repaired_calls = counter.repaired_calls + excluded.repaired_calls,
      estimated_calls = counter.estimated_calls + excluded.estimated_calls,
      unpriced_calls = counter.unpriced_calls + excluded.unpriced_calls,
      prompt_tokens = counter.prompt_tokens + excluded.prompt_tokens,
      cached_tokens = counter.cached_tokens + excluded.cached_tokens,
      completion_tokens = counter.completion_tokens + excluded.completion_tokens,
      reasoning_tokens = counter.reasoning_tokens + excluded.reasoning_tokens,
      nano_usd = counter.nano_usd + excluded.nano_usd, first0 = counter.first0 + excluded.first0,
      first1 = counter.first1 + excluded.first1, first2 = counter.first2 + excluded.first2,
      first3 = counter.first3 + excluded.first3, first4 = counter.first4 + excluded.first4,
      first5 = counter.first5 + excluded.first5, first6 = counter.first6 + excluded.first6,
      first7 = counter.first7 + excluded.first7, first8 = counter.first8 + excluded.first8,
      first9 = counter.first9 + excluded.first9, first10 = counter.first10 + excluded.first10,
      first11 = counter.first11 + excluded.first11, steps = counter.steps + excluded.steps,
      failed_steps = counter.failed_steps + excluded.failed_steps, waits = counter.waits + excluded.waits,
      wait_ms = counter.wait_ms + excluded.wait_ms, tasks_asked = counter.tasks_asked + excluded.tasks_asked,
      tasks_finished = counter.tasks_finished + excluded.tasks_finished,
      tasks_failed = counter.tasks_failed + excluded.tasks_failed,
      longest_wait_ms = greatest(counter.longest_wait_ms, excluded.longest_wait_ms)
$$;

-- Nothing is counted while the cursor is behind the journal: a recount reaches its end first.
create function counters_after(p_head bigint, p_last bigint, p_version integer, p_rows json) returns void language plpgsql as $$
begin
  update counter_cursor set seq = p_last where seq = p_head and version = p_version;
  if found and p_rows is not null then perform counters_keep(p_rows); end if;
end $$;

create function counters_add(p_after bigint, p_up_to bigint, p_version integer, p_rows json) returns boolean language plpgsql as $$
declare c counter_cursor;
begin
  -- An append counts its own entries: it waits, or has ended.
  perform 1 from head for update;
  select * into c from counter_cursor for update;
  if (case when c.version = p_version then c.seq else 0 end) <> p_after then return false; end if;
  if p_after = 0 then delete from counter; end if;
  perform counters_keep(p_rows);
  update counter_cursor set seq = p_up_to, version = p_version;
  return true;
end $$;

-- The hours of the oldest day that still has some become that day. out: how many rows went.
create function counters_to_day(p_before bigint) returns bigint language plpgsql as $$
declare r counter; v_day bigint; v_gone bigint := 0;
begin
  perform 1 from counter_cursor for update;
  select min(hour) / 24 * 24 into v_day from counter where hour < p_before and hour % 24 <> 0;
  for r in delete from counter where hour > v_day and hour < least(v_day + 24, p_before) returning * loop
    r.hour := v_day;
    perform counters_keep(json_build_array(r));
    v_gone := v_gone + 1;
  end loop;
  return v_gone;
end $$;
`
