/**
 * The wish that is being written: kept while the dialog is closed, the page reloaded, or the server away.
 *
 * Owns: the draft (text over reloads; files while the page lives), asking, and the one id that makes a repeat the same act.
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type Answer, command, newId, untilNow } from '@/client'
import { keepFor } from '@/client/keep'
import type { PostWork, WorkAnswer } from '@/lib/wire'
import type { WishFile } from './wishFiles'

export type Wish = { text: string; pasted: string; files: readonly WishFile[] }

type Held = Wish & {
  owner: string | null
  /** Of the last try that got no answer: whether it was done is not known, so it is repeated under the same id. */
  tried: { id: string; what: string } | null
}

const EMPTY: Wish = { text: '', pasted: '', files: [] }
const wishStore = createStore<Held>()(() => ({ ...EMPTY, owner: null, tried: null }))
const keep = (owner: string) => keepFor(typeof localStorage === 'undefined' ? null : localStorage, 'work', owner)

const isKept = (value: unknown): value is Pick<Wish, 'text' | 'pasted'> =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'pasted' in value &&
  typeof value.pasted === 'string'

/** The draft of this member; another member's is not shown. */
export function openWish(owner: string): void {
  if (wishStore.getState().owner === owner) return
  const kept = keep(owner).read('wish')
  wishStore.setState({
    ...EMPTY,
    ...(isKept(kept) ? { text: kept.text, pasted: kept.pasted } : {}),
    owner,
    tried: null,
  })
}

export function changeWish(change: Partial<Wish>): void {
  wishStore.setState(change)
  const { owner, text, pasted } = wishStore.getState()
  if (owner === null) return
  if (text === '' && pasted === '') keep(owner).remove('wish')
  else keep(owner).write('wish', { text, pasted })
}

/** Put the wish to the server. It is forgotten once it was taken, and kept otherwise. */
export async function askForWork(): Promise<Answer<WorkAnswer>> {
  const { text, pasted, files, tried } = wishStore.getState()
  const body = { wish: text, pasted, files: files.map((file) => ({ name: file.name, text: file.text })) }
  const what = JSON.stringify(body)
  const id = tried?.what === what ? tried.id : newId()
  const answer = await command<WorkAnswer>('/api/work', body satisfies Omit<PostWork, 'id' | 'until'>, {
    id,
    until: untilNow(),
  })
  if (answer.ok) {
    wishStore.setState({ tried: null })
    changeWish(EMPTY)
  } else wishStore.setState({ tried: answer.fault.error === 'NO_ANSWER' ? { id, what } : null })
  return answer
}

/** Begin the demo task of the rehearsal. */
export const startDemo = (): Promise<Answer<WorkAnswer>> => command<WorkAnswer>('/api/work/demo')

export const useWish = (): Wish => useStore(wishStore)
