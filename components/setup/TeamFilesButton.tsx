import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { Button } from '@/components/ui/Button'
import { TeamFiles } from './lazy'

/** For operators; nothing for others. */
export function TeamFilesButton() {
  const t = useTranslations('agents')
  const isOperator = useMe()?.person.access === 'operator'
  const [isOpen, setOpen] = useState(false)
  if (!isOperator) return null
  return (
    <>
      <Button icon={<UsersRound />} onClick={() => setOpen(true)}>
        {t('teamFiles')}
      </Button>
      {isOpen ? <TeamFiles onClose={() => setOpen(false)} /> : null}
    </>
  )
}
