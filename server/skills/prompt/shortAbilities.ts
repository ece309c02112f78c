/** The abilities of a tool server, in as many tokens as there are. */

import { estimateTokens } from '@/lib/mas/formats'
import type { Language } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import { countFitting } from './countFitting'

/**
 * in      the list, a line for each ability: `name(arguments): what it does`; the tokens that it may take
 * out     the same when it fits; else without what each does, else the names alone, as many as fit; a line says what is left
 *         out. A call of kind get_description shows all of it
 */
export function shortAbilities(abilities: string, tokens: number, language: Language): string {
  if (estimateTokens(abilities) <= tokens) return abilities
  const lines = abilities.split('\n')
  const says = sayInLanguage(language, 'descriptionsLeftOut')
  const room = Math.max(0, tokens - estimateTokens(says))
  const calls = lines.map((line) => line.replace(/^((?:resource |prompt )?[^\s(]+\(.*?\))(?:: .*)?$/, '$1'))
  const names = lines.map((line) => line.replace(/^((?:resource |prompt )?[^\s(]+)\(.*$/, '$1'))
  for (const shown of [calls, names]) {
    if (estimateTokens(shown.join('\n')) <= room) return [...shown, says].join('\n')
  }
  const fitting = countFitting(names, room)
  return [...names.slice(0, fitting), sayInLanguage(language, 'abilitiesLeftOut', { n: names.length - fitting })].join(
    '\n',
  )
}
