/** No other system is configured: what that means, and the lines of the configuration that add one. */

import { Globe } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { EmptyState } from '@/components/ui/States'
import { Scrolled } from '@/components/ui/text/Scrolled'

const LINES = `peers:
  - uri: agent://south.example/*
    base_url: https://south.example
    key_env: NORTH_FROM_SOUTH
    send_key_env: SOUTH_FROM_NORTH
    may: [mamp]
`

export function NoPeers() {
  const t = useTranslations('directory')
  const said = useTranslations('common')
  return (
    <EmptyState
      title={t('noPeers')}
      icon={<Globe />}
      action={<Button onClick={() => copyText(LINES, said('copied'))}>{t('copyLines')}</Button>}
    >
      <p>{t('noPeersWhy')}</p>
      <Scrolled label={t('lines')} className="my-3 overflow-x-auto rounded-control bg-s3 px-3 py-2 text-meta text-t1">
        <pre className="font-mono">{LINES}</pre>
      </Scrolled>
      <p>{t('noPeersHow')}</p>
    </EmptyState>
  )
}
