import { Wrench } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { useSearchParam } from '@/client/nav'
import { useToolServers } from '@/client/queries/useToolServers'
import { HelpLink } from '@/components/help/HelpLink'
import { AllToolRules } from '@/components/operate/ToolRules'
import { ToolServersList } from '@/components/setup/ToolServersList'
import { FilterBox } from '@/components/ui/fields/FilterBox'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, FaultState, Skeleton } from '@/components/ui/States'
import type { ToolOffer } from '@/lib/wire'
import { ToolLines } from './ToolLines'

export default function ToolsScreen() {
  const t = useTranslations('tools')
  const isOperator = useMe()?.person.access === 'operator'
  const { isLoading, fault, servers, refetch } = useToolServers(true)
  const text = useSearchParam('q') ?? ''
  const query = text.trim().toLocaleLowerCase()
  const fits = ({ name, description }: ToolOffer): boolean =>
    `${name} ${description}`.toLocaleLowerCase().includes(query)
  const shown =
    query === ''
      ? servers
      : servers
          .map((server) => ({ ...server, offers: server.offers?.filter(fits) ?? [] }))
          .filter(({ offers }) => offers.length > 0)
  return (
    <div data-scroll className="page-scroll pb-12">
      <div className="page-column">
        <PageHeading title={[t('title')]} className="pt-4">
          {t('title')}
        </PageHeading>
        <p className="max-w-[68ch] pb-3 text-t2">{t('about')}</p>
        <ToolServersList />
        {isOperator ? <StandingRules /> : null}
        {isLoading ? (
          <div aria-busy="true">
            <Skeleton lines={8} className="px-0!" />
          </div>
        ) : fault !== null ? (
          <FaultState title={t('broken')} fault={fault} onRetry={refetch} />
        ) : servers.length === 0 ? (
          <EmptyState title={t('none')} icon={<Wrench />} isInColumn action={<HelpLink part="docs" />}>
            {t('noneWhy')}
          </EmptyState>
        ) : (
          <>
            <search className="block w-70 max-w-full max-md:w-full">
              <FilterBox label={t('filter')} />
            </search>
            {shown.length === 0 ? <p className="py-6 text-t2">{t('noHits')}</p> : <ToolLines servers={shown} />}
          </>
        )}
      </div>
    </div>
  )
}

/** How operators want to be asked, in tasks and by agent, with what the configuration says. */
function StandingRules() {
  const t = useTranslations('operate.toolRule')
  return (
    <section aria-labelledby="tool-rules" className="pb-4">
      <h2 id="tool-rules" className="pb-2 font-bold">
        {t('list')}
      </h2>
      <AllToolRules />
    </section>
  )
}
