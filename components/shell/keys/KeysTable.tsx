import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { useDisplay } from '@/client/theme'
import { Kbd } from '@/components/ui/marks/Badges'
import { useBindings } from './keyboard'
import { type Chord, KEY_LIST, ownChord } from './keyList'
import { isApple } from './platform'

const SIGNS: Record<string, string> = {
  Mod: 'Ctrl',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
}

export function KeyChord({ chord }: { chord: Chord }) {
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
  const own = useDisplay((display) => display.keys)
  const here = new Set(bindings.map(({ chord }) => chord))
  const rowOf = (chord: Chord, does: string, className?: string) =>
    ownChord(chord, own) === '' ? null : (
      <tr key={chord} className={className}>
        <td className="border-b border-line py-1.5 pr-3">
          <KeyChord chord={ownChord(chord, own)} />
        </td>
        <td className="border-b border-line py-1.5">{does}</td>
      </tr>
    )
  return (
    <table className="w-full border-collapse text-table">
      <thead>
        <tr className="text-left text-meta text-t3">
          <th className="w-36 border-b border-line py-1.5 pr-3 font-medium">{t('key')}</th>
          <th className="border-b border-line py-1.5 font-medium">{t('does')}</th>
        </tr>
      </thead>
      <tbody>
        {bindings.map(({ chord, name }) => rowOf(chord, name))}
        <tr>
          <td className="py-1.5 pr-3">
            <KeyChord chord="Alt+t" />
          </td>
          <td className="py-1.5">{t('toast')}</td>
        </tr>
        <tr>
          <th
            colSpan={2}
            scope="colgroup"
            className="border-b border-line pt-4 pb-1.5 text-left text-meta font-medium text-t3"
          >
            {t('elsewhere')}
          </th>
        </tr>
        {KEY_LIST.filter(({ chord }) => !here.has(chord)).map(({ chord, name }) =>
          rowOf(chord, t(`all.${name}`), 'text-t2'),
        )}
      </tbody>
    </table>
  )
}
