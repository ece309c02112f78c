import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog } from '@/components/ui/lazyPart'
import { PaletteBox } from './PaletteBox'

export const CommandPalette = lazyDialog(
  withLaterWords(() => import('./CommandPalette')),
  { fallback: PaletteBox },
)
