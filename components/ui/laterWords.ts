/**
 * Messages that come with the first screen that needs them (LATER in messages/forPages.mjs), not with the first page.
 *
 *   withLaterWords(() => import('./Screen'))   asks for them ──► IntlRoot loads and adds them ──► the screen is drawn
 */
import { createStore } from 'zustand/vanilla'

type Later = { isWanted: boolean; isHere: boolean }
export const laterWords = createStore<Later>()(() => ({ isWanted: false, isHere: false }))

/** Resolves once the messages are part of the page. */
const askForLaterWords = (): Promise<void> =>
  new Promise((resolve) => {
    laterWords.setState({ isWanted: true })
    if (laterWords.getState().isHere) return resolve()
    const stop = laterWords.subscribe(({ isHere }) => {
      if (!isHere) return
      stop()
      resolve()
    })
  })

/** in: fetch: of a file that says words of LATER. out: the file, once they are part of the page */
export const withLaterWords =
  <File>(fetch: () => Promise<File>) =>
  async (): Promise<File> => {
    const [file] = await Promise.all([fetch(), askForLaterWords()])
    return file
  }
