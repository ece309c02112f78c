/** The index of steps: one row per step, and one per lane in which a step has a place. */

/**
 * created: the entry that added it. stage: '' for none. call: `executor/name`, or the executor alone while no call is known.
 * began: the entry that gave it its place. outcome: null: open; 1: it ended as a failure; 0: otherwise.
 */
export const stepsSql = `
create table step_index (
  created integer primary key,
  step text not null unique,
  task text not null,
  stage text not null,
  agent text not null,
  type text not null,
  executor text not null,
  call text not null,
  retry_of text,
  began integer,
  place integer,
  started integer not null default 0,
  outcome integer,
  failed integer not null default 0
);
create index step_place on step_index (task, stage, agent, place) where place is not null;
create index step_of_task on step_index (task);
create index step_of_agent on step_index (task, agent);
create index step_failed on step_index (task, stage, agent, place, type) where failed = 1;
create index step_failed_call on step_index (task, stage, agent, call) where failed = 1;
create index step_failed_of_task on step_index (task) where failed = 1;
create index step_failed_of_agent on step_index (task, agent) where failed = 1;
create index step_retry on step_index (retry_of) where retry_of is not null;
create table step_lane (
  task text not null,
  stage text not null,
  agent text not null,
  ran integer not null,
  failed integer not null,
  primary key (task, stage, agent)
) without rowid;
`
