/** Saves a task's conversation as a file in the format of docs/harmony.md. */
import { callAdapter } from '@/client/api'
import { saveFile } from '@/components/ui/saveFile'
import type { TaskId } from '@/lib/mas/ids'

/** out: null when it was saved; else why not, '' without an answer */
export async function saveConversation(task: TaskId, name: string): Promise<string | null> {
  const answer = await callAdapter('GET', `/api/harmony/export?task_id=${encodeURIComponent(task)}`)
  if (!answer.ok) return answer.why ?? ''
  saveFile(`${fileNameOf(name)}.harmony.json`, JSON.stringify(answer.value, null, 2))
  return null
}

/** A name that is valid in every file system. */
const fileNameOf = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80) || 'conversation'
