import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import type { Chord } from '@/client/actions/chords'
import { signsOf } from '@/client/actions/keySigns'
import { Kbd } from './Badges'

/** A chord as keys side by side; those pressed one after the other with “then” between them. */
export function KeyChord({ chord }: { chord: Chord }) {
  const t = useTranslations('keys')
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {signsOf(chord).map((signs, at) => (
        <Fragment key={signs.join('+')}>
          {at > 0 ? <span className="text-meta text-t3">{t('then')}</span> : null}
          {signs.map((sign) => (
            <Kbd key={sign}>{sign}</Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
