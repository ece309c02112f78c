import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo, setSearch, withSearch } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { Fetched, NamedValue, NamedValues } from '@/components/inspector/parts'
import { JsonView } from '@/components/ui/lazy'
import { StateIcon } from '@/components/ui/marks/StatusChip'
import { TimeText } from '@/components/ui/marks/Time'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { LongText } from '@/components/ui/text/LongText'
import { formatBytes } from '@/lib/format'
import { jsonValueOf } from '@/lib/json'
import type { EnvelopeDetail, EnvelopeShown, ExchangePage } from '@/lib/wire'
import { Mono, TaskCell, WhoLink } from './cells'
import { chipOfVerdict, knownVerdict, verdictRefusalOf } from './pages'
import { type ListProps, RecordTable } from './RecordTable'

export function ExchangeRows(props: ListProps<EnvelopeShown> & { page: ExchangePage }) {
  return (
    <RecordTable
      {...props}
      list="exchange"
      kind="envelope"
      stateOf={({ verdict }) => verdict}
      columns={{
        envelope: { className: 'w-[22%]', cell: (one) => <Opener envelope={one} /> },
        verdict: { cell: (one) => <VerdictChip envelope={one} /> },
        outsider: {
          className: 'w-[18%] @max-[760px]/main:hidden',
          cell: (one) => (one.outsider === null ? <Mono>{one.peerUri}</Mono> : <WhoLink who={one.outsider} />),
        },
        task: { className: '@max-[1000px]/main:hidden', cell: (one) => <TaskCell task={one.task} /> },
        size: { className: 'w-20 @max-[900px]/main:hidden', cell: (one) => formatBytes(one.bytes) },
        at: { className: 'w-24', cell: (one) => <TimeText at={one.at} /> },
      }}
    />
  )
}

function Opener({ envelope }: { envelope: EnvelopeShown }) {
  const t = useTranslations('directory')
  const Icon = envelope.direction === 'in' ? ArrowDownLeft : ArrowUpRight
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-hidden className="size-4 shrink-0 text-t3" />
      <Link
        data-row
        href={withSearch({ envelope: String(envelope.seq) })}
        className="cut font-medium text-t1 hover:underline"
      >
        {t(envelope.direction === 'in' ? 'cameIn' : 'wentOut', { protocol: envelope.protocol, id: envelope.theirs })}
      </Link>
    </span>
  )
}

/** The verdict and its reason, in the reader's language where it has a code; else as it was stored. */
function useVerdict(): (envelope: EnvelopeShown) => string {
  const t = useTranslations('directory')
  const whyOf = ({ verdict, why, reason }: EnvelopeShown): string | null => {
    if (reason) return t(`unsent.${reason.code}`, { status: 0, says: '', host: '', seconds: 0, ...reason }).trim()
    if (why === null || knownVerdict(verdict) !== null) return why
    // The reason as it was sent back, in the language of the protocol.
    return t('wasTold', { why })
  }
  return (envelope) => {
    const known = knownVerdict(envelope.verdict)
    const refusal = verdictRefusalOf(envelope.verdict)
    const code = envelope.verdict
    const what =
      known !== null
        ? t(`verdict.${known}`)
        : refusal === null
          ? t('refusedWith', { code })
          : t('refusedFor', { code, why: t(`refusal.${refusal}`) })
    return [what, whyOf(envelope)].filter((part) => part).join(' · ')
  }
}

/** isWhole: it is shown alone and may take several lines. */
export function VerdictChip({ envelope, isWhole = false }: { envelope: EnvelopeShown; isWhole?: boolean }) {
  const said = useVerdict()(envelope)
  return (
    <span className="flex min-w-0 items-center gap-1.5 max-md:items-start" title={said}>
      <StateIcon state={chipOfVerdict(envelope.verdict)} className="size-[.8125rem] shrink-0 max-md:mt-1" />
      <span className={isWhole ? 'min-w-0 break-words' : 'cut max-md:whitespace-normal'}>{said}</span>
    </span>
  )
}

/** Envelopes whose sender is unknown are counted, not recorded. */
export function CountedOnly({ refused }: Pick<ExchangePage, 'refused'>) {
  const t = useTranslations('directory')
  const all = refused.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  return (
    <p className="px-5 pb-3 text-table text-t2 max-md:px-4">
      {t('countedOnly', { count: all })}{' '}
      {refused.map(({ protocol, code, count }) => t('counted', { protocol, code, count })).join(' · ')}
    </p>
  )
}

export function EnvelopeDialog({ seq }: { seq: string }) {
  const t = useTranslations('directory')
  const query = useApiQuery<EnvelopeDetail>(`/api/directory/exchange/${encodeURIComponent(seq)}`)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => (isOpen ? undefined : setSearch({ envelope: null }, { replace: true }))}
      title={t('envelope', { seq })}
      className="w-[44rem]!"
    >
      <Fetched query={query} goneText={t('envelopeGone')}>
        {(detail) => <EnvelopeBody detail={detail} />}
      </Fetched>
    </Dialog>
  )
}

function EnvelopeBody({ detail: { envelope, text, isCut } }: { detail: EnvelopeDetail }) {
  const t = useTranslations('directory')
  const json = text === null || isCut ? undefined : jsonValueOf(text)
  return (
    <div className="flex flex-col gap-3">
      <NamedValues>
        <NamedValue name={t('column.verdict')}>
          <VerdictChip envelope={envelope} />
        </NamedValue>
        <NamedValue data-literal name={t('column.peer')}>
          {envelope.peerUri}
        </NamedValue>
        <NamedValue name={t('column.at')}>
          <TimeText at={envelope.at} isClock />
        </NamedValue>
        <NamedValue name={t('column.status')}>
          {[envelope.status ?? '—', envelope.by].filter((part) => part).join(' · ')}
        </NamedValue>
        <NamedValue name={t('column.size')}>{formatBytes(envelope.bytes)}</NamedValue>
        <NamedValue name="SHA-256">
          <span data-literal className="font-mono text-meta break-all">
            {envelope.sha}
          </span>
        </NamedValue>
        {envelope.task !== null && envelope.message !== null ? (
          <NamedValue name={t('column.message')}>
            <Link href={pathTo('message', { taskId: envelope.task.id, messageId: envelope.message })} className="link">
              {t('openMessage')}
            </Link>
          </NamedValue>
        ) : null}
      </NamedValues>
      {text === null ? (
        <p className="text-table text-t3">{t('notKept')}</p>
      ) : json === undefined ? (
        <div className="text-table break-words whitespace-pre-wrap">
          <LongText text={text} />
          {isCut ? <p className="mt-2 text-t3">{t('isCut')}</p> : null}
        </div>
      ) : (
        <JsonView text={text} name={t('envelope', { seq: String(envelope.seq) })} />
      )}
    </div>
  )
}
