import { useTranslations } from 'use-intl'
import { Link, useSearchParam, withSearch } from '@/client/nav'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { Skeleton } from '@/components/ui/States'
import type { DirectoryPage, PeerShown } from '@/lib/wire'
import { Moment } from './cells'
import { useDirectoryPages } from './useDirectoryPages'

const ROW = 'flex min-h-row min-w-0 items-center gap-2 px-3 -outline-offset-2 touch:min-h-11'

export default function DirectoryList() {
  const t = useTranslations('directory')
  const chosen = useSearchParam('peer')
  const { data: page, error } = useDirectoryPages<DirectoryPage<PeerShown>>('/api/directory/peers')
  const goTo = (peer: string | null): string =>
    withSearch({ peer, conversation: null, envelope: null, checkpoint: null })
  if (page === undefined && error === null) return <Skeleton lines={4} />
  return (
    <nav aria-label={t('list.peers')} className="min-h-0 grow overflow-y-auto py-1">
      <Link
        href={goTo(null)}
        aria-current={chosen === null ? 'page' : undefined}
        className={cx(ROW, chosen === null ? 'bg-sel font-medium' : 'hover:bg-hover')}
      >
        {t('allPeers')}
      </Link>
      {(page?.rows ?? []).map((peer) => (
        <Link
          key={peer.id}
          href={goTo(peer.id)}
          aria-label={peer.uri}
          aria-current={chosen === peer.id ? 'page' : undefined}
          data-id={peer.id}
          data-kind="peer"
          data-state={peer.removed ? 'removed' : 'known'}
          className={cx(ROW, chosen === peer.id ? 'bg-sel font-medium' : 'hover:bg-hover')}
        >
          <Avatar who={{ id: peer.id, name: peer.uri, kind: 'outside' }} size={20} />
          <span data-literal className={cx('cut grow', peer.removed && 'text-t3')} title={peer.uri}>
            {peer.uri.replace('agent://', '')}
          </span>
          <span className="shrink-0 text-meta font-normal text-t3">
            {peer.removed ? t('removed') : <Moment at={peer.seenAt} />}
          </span>
        </Link>
      ))}
    </nav>
  )
}
