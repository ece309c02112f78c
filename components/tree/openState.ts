/** What the reader opened and folded in each task's tree; kept while this tab lives. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

type Choices = Readonly<Record<string, boolean>>
const KEY = 'convene_tree_open'
const KEPT_TASKS = 30
const NONE: Choices = {}

function stored(): Record<string, Choices> {
  if (typeof sessionStorage === 'undefined') return {}
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return typeof read === 'object' && read !== null ? (read as Record<string, Choices>) : {}
  } catch {
    return {}
  }
}

const openStore = createStore<Record<string, Choices>>()(() => stored())

/** Open or fold lines of a task's tree. */
export function setOpen(taskId: string, change: Choices): void {
  const all = openStore.getState()
  const { [taskId]: before, ...others } = all
  const kept = Object.fromEntries(Object.entries(others).slice(1 - KEPT_TASKS))
  const next = { ...kept, [taskId]: { ...before, ...change } }
  openStore.setState(next, true)
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // A browser that forbids storage forgets it with the page.
  }
}

/** What was chosen in this task; what is not in it is as at first. */
export const useChoices = (taskId: string): Choices => useStore(openStore, (all) => all[taskId] ?? NONE)
