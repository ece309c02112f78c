/** The index of steps in PostgreSQL: the tables of ../sqlite/database/steps.sql.ts, and the functions that write them. */
import { STEP_SQL } from '@/server/store/shared/stepRows'

type Statement = keyof typeof STEP_SQL

/** A function of a statement. out: how many rows it changed */
const changing = (name: Statement, values: string): string =>
  `create function step_${name}(${values}) returns bigint language sql as
    $$ with changed as (${STEP_SQL[name]} returning 1) select count(*) from changed $$;`

export const postgresStepsSql = `
create table step_index (
  created bigint primary key,
  step text collate "C" not null unique,
  task text collate "C" not null,
  stage text collate "C" not null,
  agent text collate "C" not null,
  type text collate "C" not null,
  executor text collate "C" not null,
  call text collate "C" not null,
  retry_of text collate "C",
  began bigint,
  place bigint,
  started smallint not null default 0,
  outcome smallint,
  failed smallint not null default 0
);
create index step_place on step_index (task, stage, agent, place) where place is not null;
create index step_of_task on step_index (task, created);
create index step_of_agent on step_index (task, agent, created);
create index step_failed on step_index (task, stage, agent, place, type) where failed = 1;
create index step_failed_call on step_index (task, stage, agent, call) where failed = 1;
create index step_failed_of_task on step_index (task, created) where failed = 1;
create index step_failed_of_agent on step_index (task, agent, created) where failed = 1;
create index step_retry on step_index (retry_of) where retry_of is not null;
create table step_lane (
  task text collate "C" not null,
  stage text collate "C" not null,
  agent text collate "C" not null,
  ran bigint not null,
  failed bigint not null,
  primary key (task, stage, agent)
);

${changing('add', 'bigint, text, text, text, text, text, text, text')}
${changing('instruct', 'bigint, text')}
${changing('start', 'bigint')}
${changing('end', 'bigint, integer')}
${changing('laneRan', 'bigint')}
${changing('place', 'bigint, bigint')}
${changing('laneLeft', 'bigint, text')}
${changing('laneEmpty', 'bigint, text')}
${changing('closeGap', 'bigint, text, bigint')}
${changing('move', 'bigint, text')}
${changing('openGap', 'bigint, bigint')}
${changing('placeAt', 'bigint, bigint')}
${changing('fail', 'bigint')}
${changing('retry', 'bigint')}
${changing('call', 'bigint')}
${changing('untry', 'bigint, text, text')}
${changing('laneFailed', 'bigint, text, bigint')}
create function step_rank(bigint) returns bigint language sql as $$ ${STEP_SQL.rank} $$;

create function step_placed(x step_index, p_seq bigint) returns void language plpgsql as $$
begin
  if x.place is not null then return; end if;
  perform step_laneRan(x.created);
  perform step_place(x.created, p_seq);
end $$;

create function step_moved(x step_index, p_stage text) returns void language plpgsql as $$
declare v_place bigint;
begin
  if x.stage = p_stage then return; end if;
  if x.place is not null then
    perform step_laneFailed(x.created, x.stage, -x.failed);
    perform step_laneLeft(x.created, x.stage);
    perform step_closeGap(x.created, x.stage, x.place);
    perform step_laneEmpty(x.created, x.stage);
  end if;
  perform step_move(x.created, p_stage);
  if x.place is not null then
    perform step_laneRan(x.created);
    v_place := step_rank(x.created);
    perform step_openGap(x.created, v_place);
    perform step_placeAt(x.created, v_place);
  end if;
  perform step_laneFailed(x.created, x.stage, step_untry(x.created, x.stage, x.call));
  perform step_laneFailed(x.created, p_stage, step_fail(x.created) - step_call(x.created) - step_retry(x.created));
end $$;

create function steps_change(p_steps json) returns void language plpgsql as $$
declare c record; x step_index;
begin
  for c in select * from json_to_recordset(p_steps) as s(kind text, seq bigint, step text, task text, stage text, agent text,
    type text, executor text, "retryOf" text, name text, "isFailure" boolean)
  loop
    if c.kind = 'added' then
      if step_add(c.seq, c.step, c.task, c.stage, c.agent, c.type, c.executor, c."retryOf") > 0 and c."retryOf" is not null then
        perform step_laneFailed(c.seq, c.stage, -step_retry(c.seq));
      end if;
      continue;
    end if;
    select * into x from step_index where step = c.step;
    if not found then continue; end if;
    if c.kind = 'moved' then
      perform step_moved(x, c.stage);
    elsif x.outcome is not null then
      -- An ended step does not change.
      continue;
    elsif c.kind = 'instructed' then
      perform step_instruct(x.created, c.name);
      if x.started = 1 then
        perform step_laneFailed(x.created, x.stage, step_untry(x.created, x.stage, x.call) - step_call(x.created));
      end if;
    elsif c.kind = 'began' and x.started = 0 then
      perform step_placed(x, c.seq);
      perform step_start(x.created);
      perform step_laneFailed(x.created, x.stage, -step_call(x.created));
    elsif c.kind = 'ended' then
      perform step_placed(x, c.seq);
      perform step_end(x.created, c."isFailure"::integer);
      perform step_laneFailed(x.created, x.stage, step_fail(x.created));
    end if;
  end loop;
end $$;
`
