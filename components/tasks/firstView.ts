/** Which view of a task opens first: a developer comes for its tree, everybody else for its chat. */
import { useMe } from '@/client/account/session'
import { pathTo } from '@/client/nav'

export function useTaskHref(): (taskId: string) => string {
  const screen = useMe()?.person.access === 'developer' ? 'tree' : 'task'
  return (taskId) => pathTo(screen, { taskId })
}
