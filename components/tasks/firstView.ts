/** Which view of a task opens first: for a developer its tree, otherwise its chat. */
import { useMe } from '@/client/account/session'
import { pathTo } from '@/client/nav'

export function useTaskHref(): (taskId: string) => string {
  const screen = useMe()?.person.access === 'developer' ? 'tree' : 'task'
  return (taskId) => pathTo(screen, { taskId })
}
