/** Which lines of a task this tab has open, kept over a reload. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { tabStorage } from '@/client/storage'

type Choices = Readonly<Record<string, boolean>>
const KEPT_TASKS = 30
const NONE: Choices = {}

/** name: of the place in the tab's storage */
export function openChoices(name: string) {
  const kept = tabStorage(name)
  const stored = (): Record<string, Choices> => {
    const read = kept.read()
    return typeof read === 'object' && read !== null ? (read as Record<string, Choices>) : {}
  }
  const store = createStore<Record<string, Choices>>()(stored)
  return {
    /** The reader's choices in this task, by line; a line without one is as at first. */
    useChoices: (taskId: string): Choices => useStore(store, (all) => all[taskId] ?? NONE),
    choose: (taskId: string, change: Choices): void => {
      const { [taskId]: before, ...others } = store.getState()
      const newest = Object.fromEntries(Object.entries(others).slice(1 - KEPT_TASKS))
      const next = { ...newest, [taskId]: { ...before, ...change } }
      store.setState(next, true)
      kept.write(next)
    },
  }
}
