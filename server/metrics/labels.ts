/** Keeps label values bounded: what is configured or named by people may come and go without end. */

/** Different values of one label at most; later ones are counted together as `other`. */
export const MOST_VALUES = 100
export const OTHER = 'other'

/** out: a function that gives each name back until there are too many, then `other` for every new one. */
export function boundedNames(): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return name
    if (known.size >= MOST_VALUES) return OTHER
    known.add(name)
    return name
  }
}
