/** Reports messages that were read on screen to the server, in batches. */

import { useEffect } from 'react'
import { isPageActive } from '@/client/connection/activity'
import { useFixtures } from '@/client/fixtures'
import { useMoment } from '@/client/moment'
import { useSight } from '@/client/onScreen'
import type { MessageId } from '@/lib/mas/ids'
import { sendShown } from './commands'

const SHOWN_AFTER_MS = 1_000
const CHECK_EVERY_MS = 250
const BATCH_MS = 2_000

let waiting: MessageId[] = []
let timer: ReturnType<typeof setTimeout> | null = null

function flush(): void {
  timer = null
  const batch = waiting
  waiting = []
  if (batch.length === 0) return
  void sendShown(batch).then((came) => {
    if (!came.ok && came.fault.error === 'NO_ANSWER') for (const id of batch) queue(id)
  })
}

function queue(message: MessageId): void {
  if (!waiting.includes(message)) waiting.push(message)
  if (timer === null) timer = setTimeout(flush, BATCH_MS)
}

/** Reports these messages once, after what shows this item was in view for SHOWN_AFTER_MS of a focused window. */
export function useReportShown(item: string, messages: readonly MessageId[]): void {
  // Fixtures are never reported, nor what is shown as it was.
  const isThen = useMoment() !== null
  const key = useFixtures() === null && !isThen ? messages.join(' ') : ''
  const isSeen = useSight(key === '' ? null : item, (sight) => sight?.isMost === true)
  useEffect(() => {
    // Joins the focus of the window, and the clock.
    if (!isSeen) return
    let since: number | null = null
    const check = (): void => {
      since = isPageActive() ? (since ?? Date.now()) : null
      if (since === null || Date.now() - since < SHOWN_AFTER_MS) return
      clearInterval(timer)
      for (const id of key.split(' ')) queue(id as MessageId)
    }
    const timer = setInterval(check, CHECK_EVERY_MS)
    check()
    return () => clearInterval(timer)
  }, [isSeen, key])
}
