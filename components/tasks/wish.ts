/**
 * The wish that is being written: kept while the dialog is closed, the page reloaded, the server away, and on the member's
 * other devices.
 *
 * Owns: where its two texts are kept (drafts), its files while the page lives, asking, and the one id that makes a repeat
 * the same act.
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type Answer, command, type Draft, newId, untilNow, useDraft } from '@/client'
import type { PostWork, WorkAnswer } from '@/lib/wire'
import type { WishFile } from './wishFiles'

/** A wish belongs to no task yet: these stand where a task's id stands. */
const TEXT_PLACE = 'task:new-work'
const PASTED_PLACE = 'task:new-work-pasted'

type Held = {
  /** Whose files these are. */
  owner: string | null
  files: readonly WishFile[]
  /** Of the last try that got no answer: whether it was done is not known, so it is repeated under the same id. */
  tried: { id: string; what: string } | null
}

const wishStore = createStore<Held>()(() => ({ owner: null, files: [], tried: null }))

export type Wish = {
  text: Draft
  pasted: Draft
  files: readonly WishFile[]
  setFiles: (files: readonly WishFile[]) => void
  /** Put it to the server. It is forgotten once it was taken, and kept otherwise. */
  ask: () => Promise<Answer<WorkAnswer>>
}

/** The wish of whoever is signed in; another member's files are not shown. */
export function useWish(me: string): Wish {
  const text = useDraft(TEXT_PLACE)
  const pasted = useDraft(PASTED_PLACE)
  const held = useStore(wishStore)
  const files = held.owner === me ? held.files : []
  return {
    text,
    pasted,
    files,
    setFiles: (next) => wishStore.setState({ owner: me, files: next }),
    ask: async () => {
      const answer = await askForWork({ text: text.text, pasted: pasted.text, files })
      if (!answer.ok) return answer
      text.clear()
      pasted.clear()
      wishStore.setState({ files: [] })
      return answer
    },
  }
}

async function askForWork(wish: {
  text: string
  pasted: string
  files: readonly WishFile[]
}): Promise<Answer<WorkAnswer>> {
  const { tried } = wishStore.getState()
  const files = wish.files.map((file) => ({ name: file.name, text: file.text }))
  const body = { wish: wish.text, pasted: wish.pasted, files } satisfies Omit<PostWork, 'id' | 'until'>
  const what = JSON.stringify(body)
  const id = tried?.what === what ? tried.id : newId()
  const answer = await command<WorkAnswer>('/api/work', body, { id, until: untilNow() })
  const isUnsure = !answer.ok && answer.fault.error === 'NO_ANSWER'
  wishStore.setState({ tried: isUnsure ? { id, what } : null })
  return answer
}
