/** Actions that every agent answers, by each of their names. */

export type BuiltInAction = 'get_status' | 'ask' | 'start_task'

export const BUILT_IN_ACTIONS: Readonly<Record<string, BuiltInAction>> = {
  get_status: 'get_status',
  获取状态: 'get_status',
  ask: 'ask',
  start_task: 'start_task',
  执行任务: 'start_task',
}
