import { withLaterWords } from '@/components/ui/laterWords'
import { lazyPart } from '@/components/ui/lazyPart'
import { Loading } from '@/components/ui/States'

const READER = { fallback: () => <Loading lines={10} className="px-0!" /> }

export const CsvTable = lazyPart(
  withLaterWords(() => import('./CsvTable')),
  READER,
)
export const DocumentContent = lazyPart(
  withLaterWords(() => import('./DocumentContent')),
  READER,
)
export const PdfPages = lazyPart(
  withLaterWords(() => import('./PdfPages')),
  READER,
)
