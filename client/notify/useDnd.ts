import { minutesOfDay } from '@/lib/format'
import type { DndSettings, Settings } from '@/lib/wire'
import { type DndNow, dndAt, NO_DND } from '@/lib/wire/dnd'
import { useMe } from '../account/session'
import { useNow } from '../clock'
import { useDisplay } from '../theme'

export function useDnd(): DndNow & { settings: DndSettings } {
  const settings = useMe()?.settings.rest ?? NO_DND
  const now = useNow(settings.isOn || settings.daily !== null ? 'minutes' : null)
  const zone = useDisplay((display) => display.zone)
  return { ...dndAt(settings, now, minutesOfDay(now, zone)), settings }
}

/** A change of some of them, for `saveSettings`. */
export const dndWith =
  (change: Partial<DndSettings>) =>
  ({ rest = NO_DND }: Settings): Settings => ({ rest: { ...rest, ...change } })
