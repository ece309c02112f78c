/** The displayed names of tasks and stages. */
import { shortName } from '@/lib/format/shortName'
import type { StageRecord } from '../records'
import type { Language } from '../records/values'

/** The base task has this name in every state and API, by the team's language. */
const BASE_TASK_NAME: Readonly<Record<Language, string>> = { en: 'MAS base task', zh: 'MAS基础任务进程' }
const REQUESTS: Readonly<Record<Language, string>> = { en: 'Requests', zh: '请求' }

/** The displayed name of a task: the base task is where people make requests. */
export const taskTitleIn = (language: Language, name: string): string =>
  Object.values(BASE_TASK_NAME).includes(name) ? REQUESTS[language] : name

/** Maximum number of words of a name that no person gave. */
const TASK_NAME_WORDS = 6
const STAGE_NAME_WORDS = 4

export const taskNameFrom = (text: string): string => shortName(text, TASK_NAME_WORDS) || text

/** The same, with a number within the limit where a task has the name already. */
export function taskNameApart(text: string, taken: ReadonlySet<string>): string {
  const name = taskNameFrom(text)
  if (!taken.has(name)) return name
  const base = shortName(text, TASK_NAME_WORDS - 1) || text
  let number = 2
  while (taken.has(`${base} ${number}`)) number += 1
  return `${base} ${number}`
}

/** A stage's name from the text of a model, or from its goal. Empty if the text is. */
export const stageNameFrom = (text: string): string => shortName(text, STAGE_NAME_WORDS)

/** The displayed name of a stage: its name, else the beginning of its goal. */
export const stageName = ({ name, intention }: Pick<StageRecord, 'name' | 'intention'>): string =>
  name ?? stageNameFrom(intention)
