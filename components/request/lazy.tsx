import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog, lazyPart } from '@/components/ui/lazyPart'

/** Height of a file's line, in rem. */
const LINE_REM = 2

export const AttachedFileList = lazyPart(() => import('./AttachedFileList'), {
  fallback: ({ files }) => <div aria-busy="true" style={{ height: `${files.length * LINE_REM}rem` }} />,
})
export const CardDialogs = lazyDialog(() => import('./card/CardDialogs'))
/** A part that few cards have: it appears a moment after its card. */
export const LazyCardPart = lazyPart(
  withLaterWords(() => import('./card/LazyCardParts')),
  { fallback: () => <span aria-busy="true" /> },
)
export const DecisionBody = lazyPart(withLaterWords(() => import('./bodies/DecisionBody')))
