/** The commands of the palette, and which of them a query matches. Pure. */
import type { LucideIcon } from 'lucide-react'
import { fitsWords } from '@/lib/format/fitsWords'

const GROUPS = ['needs', 'here', 'go', 'found', 'settings', 'search'] as const
type CommandGroup = (typeof GROUPS)[number]

export type PaletteCommand = {
  id: string
  group: CommandGroup
  label: string
  /** Beside the label: where it is, its key. */
  hint?: string
  icon: LucideIcon
  /** It is drawn as an item of the inbox or of the search; the label is what finds it, and what is read out. */
  item?: { name: string; place: string; text: string }
  /** Further words that find it. */
  words?: string
  /** The palette stays open: the command turns its page or asks something. */
  isKept?: boolean
} & (
  | { run: () => void; href?: undefined }
  /** An address: ⌘ or Ctrl with Enter opens it in a tab of its own. */
  | { run?: undefined; href: string }
)

const PER_GROUP = 8

/**
 * in      query: each of its words must occur in the label, the hint or the further words
 * out     the matches by group; labels that begin with the query come first in their group; what the server found too is there once
 */
export function matchingCommands(
  all: readonly PaletteCommand[],
  query: string,
): { group: CommandGroup; commands: PaletteCommand[] }[] {
  const typed = query.trim().toLocaleLowerCase()
  const has = fitsWords(query)
  // The server has matched more than the label.
  const fits = ({ group, label, words, hint }: PaletteCommand): boolean =>
    group === 'found' || group === 'search' || has(label, words, hint)
  const begins = ({ label }: PaletteCommand): number => (label.toLocaleLowerCase().startsWith(typed) ? 0 : 1)
  const known = new Set(
    all.flatMap((command) => (command.group !== 'found' && fits(command) ? (command.href ?? []) : [])),
  )
  const isRepeated = ({ group, href }: PaletteCommand): boolean =>
    group === 'found' && href !== undefined && known.has(href)
  return GROUPS.map((group) => {
    const fitting = all.filter((command) => command.group === group && fits(command) && !isRepeated(command))
    if (typed !== '') fitting.sort((a, b) => begins(a) - begins(b))
    return { group, commands: fitting.slice(0, PER_GROUP) }
  }).filter(({ commands }) => commands.length > 0)
}
