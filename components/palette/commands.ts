/** The lines of the command palette and how a wish picks among them. Pure. */

export const GROUPS = ['needs', 'here', 'go', 'found', 'settings', 'search'] as const
export type CommandGroup = (typeof GROUPS)[number]

export type PaletteCommand = {
  /** Unique among all lines. */
  id: string
  group: CommandGroup
  label: string
  /** Beside the label: where it is, its key. */
  hint?: string
  /** Words that find it although they do not stand in the label. */
  words?: string
  run: () => void
  /** Where it leads; ⌘ or Ctrl with Enter opens that in a tab of its own. */
  href?: string
  /** The palette stays: the line turns its page or asks something. */
  isKept?: boolean
}

/** Lines of one group at most; what was found by the server is cut there. */
const PER_GROUP = 8

/**
 * in      wish: what was typed; every word of it must stand in the label or the words
 * out     the lines that fit, in the groups' order; those whose label begins with the wish come first in their group
 */
export function matchingCommands(
  all: readonly PaletteCommand[],
  wish: string,
): { group: CommandGroup; lines: PaletteCommand[] }[] {
  const typed = wish.trim().toLocaleLowerCase()
  const words = typed.split(/\s+/u).filter(Boolean)
  const fits = ({ group, label, words: more = '', hint = '' }: PaletteCommand): boolean => {
    // The server looked through more than the label.
    if (group === 'found' || group === 'search') return true
    const text = `${label} ${more} ${hint}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  }
  const begins = ({ label }: PaletteCommand): number => (label.toLocaleLowerCase().startsWith(typed) ? 0 : 1)
  return GROUPS.map((group) => {
    const lines = all.filter((line) => line.group === group && fits(line))
    const ordered = typed === '' ? lines : [...lines].sort((a, b) => begins(a) - begins(b))
    return { group, lines: ordered.slice(0, PER_GROUP) }
  }).filter(({ lines }) => lines.length > 0)
}
