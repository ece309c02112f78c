/** Acts that the server does only with a password typed just now: they wait here for it, and are sent again. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** end: whether the password was typed. */
type Asked = { hasPassword: boolean; end: (isConfirmed: boolean) => void }

const store = createStore<{ asked: Asked | null; answer: Promise<boolean> | null }>()(() => ({
  asked: null,
  answer: null,
}))

/** out: whether the person typed it. Acts that ask meanwhile wait for the same answer. */
export function askPassword(hasPassword: boolean): Promise<boolean> {
  const { answer: awaited } = store.getState()
  if (awaited !== null) return awaited
  const answer = new Promise<boolean>((resolve) => {
    const end = (isConfirmed: boolean): void => {
      store.setState({ asked: null, answer: null })
      resolve(isConfirmed)
    }
    store.setState({ asked: { hasPassword, end } })
  })
  store.setState({ answer })
  return answer
}

export const usePasswordAsked = (): Asked | null => useStore(store, ({ asked }) => asked)
export const passwordAsked = (): Asked | null => store.getState().asked
