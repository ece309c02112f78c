/**
 * The table of keys that work now, opened by `?`.
 *
 * Owns: the table, as a dialog and as a part (settings shows it too). Not here: the registry (keyboard.ts).
 */
import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { Kbd } from '@/components/ui/Badges'
import { Dialog } from '@/components/ui/Dialog'
import { type Chord, useBindings } from './keyboard'

const SIGNS: Record<string, string> = {
  Mod: 'Ctrl',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
}
const isApple = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** A chord as keys to press: "g then i", "Shift + n". */
function Keys({ chord }: { chord: Chord }) {
  const t = useTranslations('keys')
  const sign = (key: string): string => (key === 'Mod' && isApple() ? '⌘' : (SIGNS[key] ?? key))
  const parts = chord === ' ' ? [chord] : chord.split(' ')
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {parts.map((part, at) => (
        <Fragment key={part}>
          {at > 0 ? <span className="text-meta text-t3">{t('then')}</span> : null}
          {part.split('+').map((key) => (
            <Kbd key={key}>{sign(key)}</Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}

export function KeysTable() {
  const t = useTranslations('keys')
  const bindings = useBindings()
  return (
    <table className="w-full border-collapse text-table">
      <thead>
        <tr className="text-left text-meta text-t3">
          <th className="w-36 border-b border-line py-1.5 pr-3 font-medium">{t('key')}</th>
          <th className="border-b border-line py-1.5 font-medium">{t('does')}</th>
        </tr>
      </thead>
      <tbody>
        {bindings.map(({ chord, name }) => (
          <tr key={chord}>
            <td className="border-b border-line py-1.5 pr-3">
              <Keys chord={chord} />
            </td>
            <td className="border-b border-line py-1.5">{name}</td>
          </tr>
        ))}
        <tr>
          <td className="py-1.5 pr-3">
            <Keys chord="Alt+t" />
          </td>
          <td className="py-1.5">{t('toast')}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** Fetched when it is opened first. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('keys')
  return (
    <Dialog isOpen onOpenChange={onClose} title={t('title')}>
      <KeysTable />
    </Dialog>
  )
}
