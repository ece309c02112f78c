import { editDistance } from '../../shared/editDistance'

/** Compared names, and letters of each: a foreign server may have 20,000 long ones. */
const MOST_NAMES = 2_000
const LONGEST_NAME = 100

/** The closest known names, best first, at most `count`; a name that contains the other counts as close. */
export function nearestNames(asked: string, names: readonly string[], count = 3): string[] {
  const shortened = (name: string): string => name.slice(0, LONGEST_NAME).toLowerCase()
  const wanted = shortened(asked)
  return names
    .slice(0, MOST_NAMES)
    .map((name) => ({ name, distance: distance(wanted, shortened(name)) }))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, count)
    .map((entry) => entry.name)
}

function distance(a: string, b: string): number {
  const edits = editDistance(a, b)
  // Counts as distance 1; among several such names the shorter one wins.
  return a.length > 2 && (b.includes(a) || a.includes(b)) ? Math.min(edits, 1 + edits / 100) : edits
}
