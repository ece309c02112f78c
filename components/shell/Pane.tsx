/** One pane: fetches its screen's file, shows a skeleton meanwhile, keeps what breaks inside. */
import { type ComponentType, lazy, Suspense, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ErrorBoundary } from '@/components/ui/ErrorBoundary'
import type { LazyFile } from '@/components/ui/lazy'
import { Skeleton } from '@/components/ui/States'
import { useLazyPart } from '@/components/ui/useLazyPart'
import type { Load } from './screens'

// The file of a screen is asked for once per page; another try makes a new lazy part, for React keeps a failed one for ever.
const parts = new Map<unknown, ComponentType<never>>()

/** Fetch the file of a pane before it is drawn: one that is here by then stands there at once, and no skeleton before it. */
export async function fetchPart<Props>(load: Load<Props>): Promise<void> {
  const { default: part } = await load()
  if (!parts.has(load)) parts.set(load, part as ComponentType<never>)
}

function partOf<Props>(load: Load<Props>, isAnew: boolean): ComponentType<Props> {
  const known = parts.get(load)
  if (known && !isAnew) return known as ComponentType<Props>
  const part: ComponentType<Props> = lazy(load)
  parts.set(load, part as ComponentType<never>)
  return part
}

export function Pane<Props extends object>({
  load,
  paneProps,
  resetKey,
}: {
  load: Load<Props>
  paneProps: Props
  resetKey: string
}) {
  const [attempt, setAttempt] = useState(0)
  const Part = useMemo(() => partOf(load, attempt > 0), [load, attempt])
  return (
    <ErrorBoundary resetKey={resetKey} onRetry={() => setAttempt(attempt + 1)}>
      <Suspense fallback={<Loading />}>
        <Part {...paneProps} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** A part of every page: nothing is drawn until its file is there, and what breaks in it stays quiet. */
export function Everywhere<Props extends object>({
  file,
  partProps,
}: {
  file: LazyFile<{ default: ComponentType<Props> }>
  partProps: Props
}) {
  const Part = useLazyPart(file)
  return <ErrorBoundary isQuiet>{Part ? <Part {...partProps} /> : null}</ErrorBoundary>
}

function Loading() {
  const t = useTranslations('common')
  return (
    <div aria-busy="true">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton lines={5} />
    </div>
  )
}
