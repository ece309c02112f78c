/** Where toasts appear; drawn once by the frame. Fetches the list when the page is idle, or at the first toast. */
import { useEffect, useState } from 'react'
import { ToastList } from '../lazy'
import { onFirstToast } from './toast'

const IDLE_AFTER_MS = 2_000

export function ToastHost() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    // Joins the toasts, and the network once it is quiet: offline, a toast must still appear.
    onFirstToast(() => setWanted(true))
    const timer = setTimeout(() => void ToastList.load().catch(() => undefined), IDLE_AFTER_MS)
    return () => {
      onFirstToast(null)
      clearTimeout(timer)
    }
  }, [])
  return isWanted ? <ToastList /> : null
}
