/** Where toasts appear; drawn once by the frame. Fetches the list when the page is idle, or at the first toast. */
import { useEffect, useState } from 'react'
import { Lazy, lazyFile } from '../lazyFile'
import { onFirstToast } from './toast'

const list = lazyFile(() => import('./ToastList'))
const IDLE_AFTER_MS = 2_000

export function ToastHost() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    // Joins the toasts, and the network once it is quiet: offline, a toast must still appear.
    onFirstToast(() => setWanted(true))
    const timer = setTimeout(() => void list.load().catch(() => undefined), IDLE_AFTER_MS)
    return () => {
      onFirstToast(null)
      clearTimeout(timer)
    }
  }, [])
  return isWanted ? <Lazy file={list} partProps={{}} /> : null
}
