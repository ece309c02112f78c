/**
 * Where notices appear; the frame draws it once. Fetches the drawing part when the page is idle, or at the first
 * notice.
 */
import { useEffect, useState } from 'react'
import { lazyFile } from './lazy'
import { onFirstToast } from './toast'
import { useLazyPart } from './useLazyPart'

const list = lazyFile(() => import('./ToastList'))
const IDLE_AFTER_MS = 2_000

export function ToastHost() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    // Joins the notices, and the network once it is quiet: offline, a notice must still appear.
    onFirstToast(() => setWanted(true))
    const timer = setTimeout(() => void list.load().catch(() => undefined), IDLE_AFTER_MS)
    return () => {
      onFirstToast(null)
      clearTimeout(timer)
    }
  }, [])
  const ToastList = useLazyPart(list, isWanted)
  return ToastList ? <ToastList /> : null
}
