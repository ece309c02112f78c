import { expect, it } from 'vitest'
import { taskListView } from './taskListView'

const SCREENS = ['task', 'message', 'tree', 'stage', 'step', 'taskWaits']
const treeIsInPage = (screen: string, isWide: boolean): boolean =>
  screen !== 'taskWaits' && (isWide || (screen !== 'task' && screen !== 'message'))

it.each(SCREENS.flatMap((screen) => [false, true].map((isWide) => ({ screen, isWide }))))(
  '[R434] the tree of a task is never on the page twice, whatever was chosen before ($screen, wide: $isWide)',
  ({ screen, isWide }) => {
    for (const chosen of [null, 'tasks', 'tree'] as const) {
      const { views, shown } = taskListView({ screen, isWide, isGone: false }, chosen)
      expect(views.includes('tree')).toBe(!treeIsInPage(screen, isWide))
      expect(views).toContain(shown)
      if (views.length > 1 && chosen !== null) expect(shown).toBe(chosen)
    }
  },
)

it('beside the chat of a narrower window the list begins with the tree, and beside waits or nothing with the tasks', () => {
  expect(taskListView({ screen: 'task', isWide: false, isGone: false }, null).shown).toBe('tree')
  expect(taskListView({ screen: 'taskWaits', isWide: true, isGone: false }, null).shown).toBe('tasks')
  expect(taskListView({ screen: 'task', isWide: false, isGone: true }, 'tree')).toEqual({
    views: ['tasks'],
    shown: 'tasks',
  })
})
