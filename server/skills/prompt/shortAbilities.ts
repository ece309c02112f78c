/** Shortens the abilities of a tool server to a token limit. */
import { estimateTokens } from '@/lib/mas/formats'
import type { Language } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import { countFitting } from './countFitting'

/** Without descriptions, else names alone, with a line about what is missing. */
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
