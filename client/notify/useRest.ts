/** Do not disturb, as it holds for the member who is signed in: kept in their settings, read by the clock of the page. */

import type { RestSettings, Settings } from '@/lib/wire'
import { NO_REST, type RestNow, restAt } from '@/lib/wire/rest'
import type { Outcome } from '../account/api'
import { keepSettings, useMe } from '../account/session'
import { useNow } from '../clock'

/** Minutes after midnight where the member is. */
const minutesHere = (at: number): number => {
  const time = new Date(at)
  return time.getHours() * 60 + time.getMinutes()
}

export function useRest(): RestNow & { settings: RestSettings } {
  const settings = useMe()?.settings.rest ?? NO_REST
  const now = useNow(settings.isOn || settings.daily !== null ? 'minutes' : null)
  return { ...restAt(settings, now, minutesHere(now)), settings }
}

/** Change it for this member, wherever they look. */
export const keepRest = (rest: RestSettings): Promise<Outcome<Settings>> => keepSettings({ rest })
