/** Private conversations: with each member one, which the two alone read. */
import { MessageCircle } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { ScreenProps } from '@/client/nav/screenProps'
import { HelpLink } from '@/components/help/HelpLink'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState } from '@/components/ui/States'
import type { AgentId } from '@/lib/mas/ids'
import { Members } from './DirectList'
import { TalkPage } from './TalkPage'

export default function Direct({ params, person }: ScreenProps) {
  const t = useTranslations('direct')
  const agent = params.agentId ?? null
  if (agent !== null) {
    return (
      <TalkPage key={agent} other={agent as AgentId} me={person.agent_id} isOperator={person.access === 'operator'} />
    )
  }
  return (
    <>
      <div className="shrink-0 px-5 pt-5 pb-2 max-md:px-4 max-md:pt-4">
        <PageHeading title={[t('title')]}>{t('title')}</PageHeading>
      </div>
      <div className="flex min-h-0 grow flex-col lg:hidden">
        <Members current={null} />
      </div>
      <div className="max-lg:hidden">
        <EmptyState title={t('choose')} icon={<MessageCircle />} action={<HelpLink part="words" />}>
          {t('chooseWhy')}
        </EmptyState>
      </div>
    </>
  )
}
