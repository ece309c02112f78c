/** The lines that the reader opened and closed in each task's tree, while this tab lives. */
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

export function setOpen(taskId: string, change: Choices): void {
  const all = openStore.getState()
  const { [taskId]: before, ...others } = all
  const kept = Object.fromEntries(Object.entries(others).slice(1 - KEPT_TASKS))
  const next = { ...kept, [taskId]: { ...before, ...change } }
  openStore.setState(next, true)
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** The reader's choices in this task, by node; a node without one is as at first. */
export const useChoices = (taskId: string): Choices => useStore(openStore, (all) => all[taskId] ?? NONE)
