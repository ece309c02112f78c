/** What people call a task. */

import type { Language } from './records/values'

/** The base task has this name in every state and API, by the team's language. */
export const BASE_TASK_NAME: Readonly<Record<Language, string>> = { en: 'MAS base task', zh: 'MAS基础任务进程' }
const REQUESTS: Readonly<Record<Language, string>> = { en: 'Requests', zh: '请求' }

/** What people call a task: the base task is where they make requests. */
export const taskTitle = (language: Language, name: string): string =>
  Object.values(BASE_TASK_NAME).includes(name) ? REQUESTS[language] : name
