/** The tools of each server, as links: with descriptions on the list page, names only in the pane. */
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Eye,
  KeyRound,
  LoaderCircle,
  Pencil,
  ShieldQuestionMark,
} from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { isAway, type ListedToolServer } from '@/client/queries/useToolServers'
import { cx } from '@/components/ui/cx'
import { Skeleton } from '@/components/ui/States'
import { useToolWords } from '@/components/ui/text/toolWords'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { firstSentence } from '@/lib/format/firstSentence'
import type { ToolOffer } from '@/lib/wire'

const STATES = {
  idle: { icon: CircleDashed, look: 'text-idle' },
  connecting: { icon: LoaderCircle, look: 'text-running' },
  connected: { icon: CircleCheck, look: 'text-done' },
  failed: { icon: CircleX, look: 'text-failed' },
  needs_sign_in: { icon: KeyRound, look: 'text-waiting' },
} as const

export function ServerStateChip({ state }: { state: ListedToolServer['state'] }) {
  const t = useTranslations('tools')
  const { icon: Icon, look } = STATES[state]
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1 text-meta', look)} data-state={state}>
      <Icon aria-hidden className="size-3.5" />
      {t(`state.${state}`)}
    </span>
  )
}

/** reads: changes nothing. asks: shows first what would run. changes: runs at once, as configured. */
const howOf = ({ reads, asks }: Pick<ToolOffer, 'reads' | 'asks'>): 'reads' | 'asks' | 'changes' =>
  asks ? 'asks' : reads ? 'reads' : 'changes'
const HOW_ICONS = { reads: Eye, asks: ShieldQuestionMark, changes: Pencil } as const

export function How({ offer }: { offer: ToolOffer }) {
  const t = useTranslations('tools')
  const how = howOf(offer)
  const Icon = HOW_ICONS[how]
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-meta text-t3">
      <Icon aria-hidden className="size-3.5" />
      {t(`how.${how}`)}
    </span>
  )
}

/** Why a server that is away has no tools. */
export function useAwayWords(): (server: ListedToolServer) => string {
  const t = useTranslations('tools')
  const faultWords = useFaultWords()
  return ({ fault, error }) => (fault === null ? (error ?? t('askOperator')) : faultWords(fault))
}

type ToolLinesProps = {
  servers: readonly ListedToolServer[]
  /** `<server>/<tool>` of the open one. */
  current?: string
  isShort?: boolean
}

export function ToolLines({ servers, current, isShort = false }: ToolLinesProps) {
  const t = useTranslations('tools')
  const awayWords = useAwayWords()
  return servers.map((server) => (
    <section key={server.name} aria-label={t('server', { name: server.name })} data-id={server.name} data-kind="server">
      <div className={cx('flex min-w-0 items-center gap-2', isShort ? 'px-3 pt-3 pb-1' : 'pt-5 pb-1')}>
        <h2 data-literal className={cx('cut font-mono font-medium', isShort ? 'text-table' : 'text-body')}>
          {server.name}
        </h2>
        <ServerStateChip state={server.state} />
      </div>
      {isShort || server.guide === '' ? null : <p className="max-w-[68ch] pb-1 text-table text-t2">{server.guide}</p>}
      {server.offers === null ? <Skeleton lines={3} className={isShort ? '' : 'px-0!'} /> : null}
      {server.offers?.length === 0 ? (
        <p className={cx('text-table break-words', isAway(server) ? 'text-failed' : 'text-t3', isShort && 'px-3')}>
          {isAway(server) ? awayWords(server) : t('noTools')}
        </p>
      ) : null}
      {server.unread.length > 0 ? <NotRead sentences={server.unread} isShort={isShort} /> : null}
      <ul className={isShort ? '' : 'border-t border-line'}>
        {(server.offers ?? []).map((offer) => (
          <li key={offer.name} className={isShort ? '' : 'border-b border-line'}>
            <ToolLink
              server={server.name}
              offer={offer}
              isCurrent={current === `${server.name}/${offer.name}`}
              isShort={isShort}
            />
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** What of a server's lists could not be read: not every fault hides a tool, so the details are folded. */
function NotRead({ sentences, isShort }: { sentences: readonly string[]; isShort: boolean }) {
  const t = useTranslations('tools')
  return (
    <details className={cx('py-1 text-table text-waiting', isShort && 'px-3')}>
      <summary>{t('notRead', { count: sentences.length })}</summary>
      <ul className="list-disc pl-5 break-words">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  )
}

type ToolLinkProps = { server: string; offer: ToolOffer; isCurrent: boolean; isShort: boolean }

function ToolLink({ server, offer, isCurrent, isShort }: ToolLinkProps) {
  const t = useTranslations('tools')
  const toReader = useToolWords()
  return (
    <Link
      href={pathTo('tool', { server, tool: offer.name })}
      aria-label={t('toolNamed', { name: offer.name, how: t(`how.${howOf(offer)}`) })}
      aria-current={isCurrent ? 'page' : undefined}
      data-id={`${server}/${offer.name}`}
      data-kind="tool"
      className={cx(
        'flex min-h-row min-w-0 items-center gap-2 -outline-offset-2 touch:min-h-11',
        isShort ? 'px-3' : 'py-1.5 max-md:flex-wrap max-md:gap-y-0',
        isCurrent ? 'bg-sel font-medium' : 'hover:bg-hover',
      )}
    >
      <span
        data-literal
        className={cx('cut font-mono text-table', isShort ? 'grow' : 'w-64 shrink-0 max-md:w-auto max-md:grow')}
      >
        {offer.name}
      </span>
      {isShort ? null : (
        <span className="cut min-w-0 grow text-table text-t2 max-md:order-3 max-md:basis-full">
          {firstSentence(toReader(offer.description))}
        </span>
      )}
      <How offer={offer} />
    </Link>
  )
}
