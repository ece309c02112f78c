/** How an action is shown to this reader: what it is called, its icon, the key that they press for it. */
import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useDisplay } from '../theme'
import { type ActionId, type ActionPlace, actionRow, wordsOf } from './actionTable'
import type { Chord } from './chords'
import { ariaShortcuts } from './keySigns'
import { pressableKey } from './ownKeys'

export type ActionLook = {
  label: string
  icon: LucideIcon | undefined
  /** '' where no key does it. */
  key: Chord
  /** The key for `aria-keyshortcuts`. */
  shortcuts: string | undefined
}

/** at null: as in a list of all actions */
export type LookOf = (id: ActionId, at: ActionPlace | null) => ActionLook

export function useActionLook(): LookOf {
  const t = useTranslations()
  const display = useDisplay((all) => all)
  return (id, at) => {
    const key = pressableKey(id, display)
    return { label: t(wordsOf(id, at)), icon: actionRow(id).icon, key, shortcuts: ariaShortcuts(key) }
  }
}
