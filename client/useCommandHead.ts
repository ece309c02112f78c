import { useRef } from 'react'
import type { CommandHead } from '@/lib/wire'
import { commandDeadline, newId } from './api'
import { pageClock } from './clock'

/** Heads of a command that may be repeated: the same values again are the same command, until the server has answered. */
export function useCommandHead() {
  const last = useRef<{ key: string; head: CommandHead } | null>(null)
  return {
    /** in: key: the command with its values */
    headFor: (key: string): CommandHead => {
      if (last.current?.key !== key || last.current.head.until < pageClock.now())
        last.current = { key, head: { id: newId(), until: commandDeadline() } }
      return last.current.head
    },
    /** The server has answered: what is sent next is another command. */
    settle: (): void => {
      last.current = null
    },
  }
}
