/** What the list beside a task shows. Pure. */

export type TaskListView = 'tasks' | 'tree'

/**
 * The tree is offered only where the page itself does not show it, so that it is never there twice.
 *
 * in      isWide: chat and tree stand side by side in the page; chosen: by the reader, null: nothing yet
 * out     the views to choose from, and the one that is shown
 */
export function taskListView(
  { screen, isWide, isGone }: { screen: string; isWide: boolean; isGone: boolean },
  chosen: TaskListView | null,
): { views: readonly TaskListView[]; shown: TaskListView } {
  const isChat = screen === 'task' || screen === 'message'
  const isTreeInMain = screen !== 'taskWaits' && (isWide || !isChat)
  if (isGone || isTreeInMain) return { views: ['tasks'], shown: 'tasks' }
  return { views: ['tasks', 'tree'], shown: chosen ?? (isChat ? 'tree' : 'tasks') }
}
