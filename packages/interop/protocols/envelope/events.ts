/** Names of our events: from the document where it has one (智能体在线, 任务完成), else in its style. */

export const EVENT_NAMES = {
  agent_online: '智能体在线',
  agent_offline: '智能体离线',
  task_started: '任务开始',
  task_finished: '任务完成',
  task_failed: '任务失败',
} as const
/** In `event_data.event`, for programs. */
export type EventKind = keyof typeof EVENT_NAMES

/** A task event reports on work in its conversation; its data is that of a message. */
export const isTaskEvent = (name: string): boolean =>
  name === EVENT_NAMES.task_started || name === EVENT_NAMES.task_finished || name === EVENT_NAMES.task_failed
