/** The icon of each kind of what a search finds. */
import { Bot, CircleHelp, Layers, type LucideIcon, MessageCircle, Milestone, SquareCheck } from 'lucide-react'
import type { SearchKind } from '@/lib/wire/search'

export const HIT_ICONS: Record<SearchKind, LucideIcon> = {
  task: Layers,
  stage: Milestone,
  step: SquareCheck,
  message: MessageCircle,
  request: CircleHelp,
  agent: Bot,
}
