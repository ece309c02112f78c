import type { DndSettings, Settings } from '@/lib/wire'
import { type DndNow, dndAt, NO_DND } from '@/lib/wire/dnd'
import { useMe } from '../account/session'
import { useNow } from '../clock'

/** Minutes after local midnight. */
const minutesHere = (at: number): number => {
  const time = new Date(at)
  return time.getHours() * 60 + time.getMinutes()
}

export function useDnd(): DndNow & { settings: DndSettings } {
  const settings = useMe()?.settings.rest ?? NO_DND
  const now = useNow(settings.isOn || settings.daily !== null ? 'minutes' : null)
  return { ...dndAt(settings, now, minutesHere(now)), settings }
}

/** A change of some of them, for `saveSettings`. */
export const dndWith =
  (change: Partial<DndSettings>) =>
  ({ rest = NO_DND }: Settings): Settings => ({ rest: { ...rest, ...change } })
