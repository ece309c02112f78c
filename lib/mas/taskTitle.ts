/** What people call a task and a stage. */
import { shortName } from '@/lib/format/shortName'
import type { StageRecord } from './records'
import type { Language } from './records/values'

/** The base task has this name in every state and API, by the team's language. */
const BASE_TASK_NAME: Readonly<Record<Language, string>> = { en: 'MAS base task', zh: 'MAS基础任务进程' }
const REQUESTS: Readonly<Record<Language, string>> = { en: 'Requests', zh: '请求' }

/** What people call a task: the base task is where they make requests. */
export const taskTitleIn = (language: Language, name: string): string =>
  Object.values(BASE_TASK_NAME).includes(name) ? REQUESTS[language] : name

/** So many words a name has at most that no person gave. */
const TASK_NAME_WORDS = 6
const STAGE_NAME_WORDS = 4

export const taskNameFrom = (text: string): string => shortName(text, TASK_NAME_WORDS) || text

/** A stage's name from the text that a model gave for it, or from its goal. Empty when the text is. */
export const stageNameFrom = (text: string): string => shortName(text, STAGE_NAME_WORDS)

/** What a stage is called: the name that it was given, else the beginning of its goal. */
export const stageName = ({ name, intention }: Pick<StageRecord, 'name' | 'intention'>): string =>
  name ?? stageNameFrom(intention)
