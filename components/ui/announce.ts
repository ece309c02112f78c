/**
 * Announcements to screen readers.
 *
 * Announcer.tsx draws the regions with the first paint, outside every dialog. Frequent callers throttle: one
 * sentence, not a stream.
 */
import { shownText } from '@/lib/format/hiddenSigns'

type Politeness = 'polite' | 'assertive'
export const REGION_IDS: Record<Politeness, string> = { polite: 'announce-polite', assertive: 'announce-assertive' }

const KEPT_MS = 8_000

/** Announce one sentence. Assertive is for an Urgent, a failed send, a sign-out. */
export function announce(text: string, politeness: Politeness = 'polite'): void {
  const region = document.getElementById(REGION_IDS[politeness])
  if (!region) return
  const line = document.createElement('p')
  line.textContent = shownText(text)
  region.append(line)
  setTimeout(() => line.remove(), KEPT_MS)
}
