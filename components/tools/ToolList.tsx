import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { useToolServers } from '@/client/queries/useToolServers'
import { Skeleton } from '@/components/ui/States'
import { ToolLines } from './ToolLines'

export default function ToolList({ params }: ScreenProps) {
  const t = useTranslations('tools')
  const { isLoading, servers } = useToolServers(true)
  return (
    <>
      <div className="flex h-12 shrink-0 items-center border-b border-line px-3">
        <Link href={pathTo('tools')} className="link text-table">
          {t('all')}
        </Link>
      </div>
      {isLoading ? (
        <Skeleton lines={6} />
      ) : (
        <nav aria-label={t('title')} className="min-h-0 grow overflow-y-auto pb-3">
          <ToolLines servers={servers} current={`${params.server}/${params.tool}`} isShort />
        </nav>
      )}
    </>
  )
}
