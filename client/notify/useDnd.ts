/** Do not disturb, as it holds for the member who is signed in: kept in their settings, read by the clock of the page. */

import type { DndSettings, Settings } from '@/lib/wire'
import { type DndNow, dndAt, NO_DND } from '@/lib/wire/dnd'
import type { AccountResult } from '../account/api'
import { keepSettings, useMe } from '../account/session'
import { useNow } from '../clock'

/** Minutes after midnight where the member is. */
const minutesHere = (at: number): number => {
  const time = new Date(at)
  return time.getHours() * 60 + time.getMinutes()
}

export function useDnd(): DndNow & { settings: DndSettings } {
  const settings = useMe()?.settings.rest ?? NO_DND
  const now = useNow(settings.isOn || settings.daily !== null ? 'minutes' : null)
  return { ...dndAt(settings, now, minutesHere(now)), settings }
}

/** Change it for this member, wherever they look. */
export const saveDnd = (rest: DndSettings): Promise<AccountResult<Settings>> => keepSettings({ rest })
