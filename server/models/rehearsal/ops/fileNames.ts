/** Does a sentence name a file, by its name or stem as a whole word? "leave out b" means b.csv, not lemb.csv. */

const ESCAPED = /[.*+?^${}()|[\]\\]/g

export function namesFile(sentence: string, path: string): boolean {
  const name = path.split('/').at(-1) ?? path
  const stem = name.replace(/\.[^.]+$/, '')
  return [name, stem].some(
    (one) =>
      one !== '' &&
      new RegExp(`(?<![A-Za-z0-9_.-])${one.replace(ESCAPED, '\\$&')}(?![A-Za-z0-9_-])`, 'i').test(sentence),
  )
}
