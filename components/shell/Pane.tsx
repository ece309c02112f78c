/** One pane: fetches its screen's file, shows a skeleton meanwhile, catches what it throws. */
import { type ComponentType, lazy, Suspense, useMemo, useState } from 'react'
import { ErrorBoundary } from '@/components/ui/ErrorBoundary'
import type { LazyPart } from '@/components/ui/lazyFile'
import { Loading } from '@/components/ui/States'

export function Pane<Props extends object>({
  file,
  paneProps,
  resetKey,
}: {
  file: LazyPart<Props>
  paneProps: Props
  resetKey: string
}) {
  const [attempt, setAttempt] = useState(0)
  // A file that is loaded is drawn at once, without a skeleton. React keeps a lazy part that failed, so each attempt has its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const Part = useMemo((): ComponentType<Props> => file.here()?.default ?? lazy(file.load), [file, attempt])
  return (
    <ErrorBoundary resetKey={resetKey} onRetry={() => setAttempt(attempt + 1)}>
      <Suspense fallback={<Loading lines={5} />}>
        <Part {...paneProps} />
      </Suspense>
    </ErrorBoundary>
  )
}
