/**
 * Messages that come with the first screen that needs them (LATER in messages/forPages.mjs), not with the first page.
 *
 *   laterFile(() => import('./Screen')) (lazyFile.ts)   asks for them ──► IntlRoot loads and adds them ──► the screen is drawn
 */
import { createStore } from 'zustand/vanilla'

type Later = { isWanted: boolean; isHere: boolean }
export const laterWords = createStore<Later>()(() => ({ isWanted: false, isHere: false }))

/** Resolves once the messages are part of the page. */
export const askForLaterWords = (): Promise<void> =>
  new Promise((resolve) => {
    laterWords.setState({ isWanted: true })
    if (laterWords.getState().isHere) return resolve()
    const stop = laterWords.subscribe(({ isHere }) => {
      if (!isHere) return
      stop()
      resolve()
    })
  })
