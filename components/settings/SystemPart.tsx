import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { HelpLink } from '@/components/help/HelpLink'
import { EmptyState } from '@/components/ui/States'
import { WhatRuns } from './WhatRuns'

export function SystemPart() {
  const t = useTranslations('settings')
  const access = useMe()?.person.access
  return access === 'operator' ? (
    <WhatRuns />
  ) : (
    <EmptyState title={t('system')} action={<HelpLink part="docs" />}>
      {t('systemOnly')}
    </EmptyState>
  )
}
