/** What differs between two moments of a task, or between a moment and now. */
import { useTranslations } from 'use-intl'
import { useApiQuery } from '@/client/queries'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ErrorState, Skeleton } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { MomentCompare, MomentDifference, MomentState } from '@/lib/wire/http'

const KINDS = ['stages', 'steps', 'messages', 'requests'] as const

type MomentComparisonProps = {
  task: string
  from: number
  /** null: now */
  to: number | null
  title: string
  onClose: () => void
}

export default function MomentComparison({ task, from, to, title, onClose }: MomentComparisonProps) {
  const t = useTranslations('moment')
  const faultWords = useFaultWords()
  const path = `/api/tasks/${task}/moments/compare?from=${from}${to === null ? '' : `&to=${to}`}`
  const { data: found = null, error, refetch } = useApiQuery<MomentCompare>(path)
  const isSame = found !== null && KINDS.every((kind) => found[kind].count === 0)
  return (
    <Dialog isOpen onOpenChange={onClose} title={title}>
      {found === null && error === null ? <Skeleton lines={5} /> : null}
      {error ? (
        <ErrorState title={t('compareFailed')} onRetry={refetch}>
          {faultWords(error)}
        </ErrorState>
      ) : null}
      {isSame ? <p className="text-t2">{t('same')}</p> : null}
      {found === null
        ? null
        : KINDS.filter((kind) => found[kind].count > 0).map((kind) => (
            <section key={kind} aria-label={t(`differ.${kind}`)} className="mb-4">
              <h3 className="mb-1 font-medium">
                {t('count', { kind: t(`differ.${kind}`), count: found[kind].count })}
              </h3>
              <ul className="flex flex-col gap-1">
                {found[kind].newest.map((one) => (
                  <Difference key={one.id} one={one} isMessage={kind === 'messages'} />
                ))}
              </ul>
            </section>
          ))}
    </Dialog>
  )
}

function Difference({ one: { name, was, is }, isMessage }: { one: MomentDifference; isMessage: boolean }) {
  const t = useTranslations('moment')
  const wordOf = (state: MomentState | null): string => (state === null ? '' : t(`states.${state}`))
  const how = was === null ? 'came' : is === null ? 'gone' : 'other'
  return (
    <li className="flex min-w-0 flex-wrap gap-x-2">
      <span className="min-w-0 break-words">{name}</span>
      <span className="text-t3">
        {isMessage || how === 'gone'
          ? t(how === 'gone' ? 'gone' : 'came')
          : how === 'came'
            ? t('cameAs', { is: wordOf(is) })
            : t('other', { was: wordOf(was), is: wordOf(is) })}
      </span>
    </li>
  )
}
