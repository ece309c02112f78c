/** The name under which a file of somebody else is shown and saved. */

const LONGEST = 200

/**
 * One name without folders, and without characters that nobody sees: `..\n/evil<U+202E>gpj.exe` → evilgpj.exe. The same again stays
 * the same.
 */
export function shownFileName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const clean = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .normalize('NFC')
    .trim()
  if (/^\.*$/.test(clean)) return 'file'
  const signs = [...clean]
  if (signs.length <= LONGEST) return clean
  // The ending says what it is.
  const ending = [...(/\.[^.\s]{1,10}$/u.exec(clean)?.[0] ?? '')]
  return [...signs.slice(0, LONGEST - ending.length), ...ending].join('').trim()
}
