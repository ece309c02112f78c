import { useTranslations } from 'use-intl'
import { useFetchedBytes } from '@/client/useFetched'
import { ErrorState, Loading } from '@/components/ui/States'
import { Diff } from '@/components/ui/text/Diff'
import { formatBytes } from '@/lib/format'
import type { FileVersionShown } from '@/lib/wire'
import { useText } from './FileContent'
import { nameOf } from './fileKinds'
import { contentHref } from './places'

/** Larger texts are not compared: it takes too long. */
const MOST_BYTES = 1024 * 1024

type Side = FileVersionShown['now']

export function FileChanges({ path, version }: { path: string; version: FileVersionShown }) {
  const t = useTranslations('files')
  const { seq, before, now, change } = version
  const sides: readonly Side[] = [before, now]
  const isKept = sides.every((side) => side === null || side.kept)
  const largest = Math.max(...sides.map((side) => side?.bytes ?? 0))
  const isCompared = isKept && largest <= MOST_BYTES
  const was = useSide(isCompared && before !== null ? contentHref(path, seq, true) : null)
  const is = useSide(isCompared && now !== null ? contentHref(path, seq) : null)
  if (!isKept) return <p className="py-6 text-t2">{t('noComparison')}</p>
  if (!isCompared) {
    return (
      <p className="py-6 text-t2">{t('tooLarge', { size: formatBytes(largest), most: formatBytes(MOST_BYTES) })}</p>
    )
  }
  for (const { answer, reload } of [was, is]) {
    if (answer?.ok === false) {
      return (
        <ErrorState title={t('broken')} onRetry={reload} details={answer.fault.message}>
          {t('brokenWhy')}
        </ErrorState>
      )
    }
  }
  const texts = [before === null ? '' : was.text, now === null ? '' : is.text]
  if (texts.includes(undefined)) return <Loading lines={10} className="px-0!" />
  const [left, right] = texts
  if (typeof left !== 'string' || typeof right !== 'string') return <p className="py-6 text-t2">{t('notText')}</p>
  return (
    <>
      <p className="pb-2 text-table text-t2">{t(`change.${change}`)}</p>
      <Diff before={left} after={right} name={nameOf(path)} />
    </>
  )
}

function useSide(href: string | null) {
  const fetched = useFetchedBytes(href)
  return { ...fetched, text: useText(fetched.answer?.ok ? fetched.answer.value : null) }
}
