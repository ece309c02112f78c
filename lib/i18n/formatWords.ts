/** Replaces use-intl's formatter of messages with values (alias in next.config.ts). */
import formatOnly from 'use-intl/format-message/format-only'
import { closeHanSpaces, markValues } from '../format/hanSpaces'
import { plainFormatters } from './plainFormatters'

type Format = typeof formatOnly

const formatWords = (...[key, message, values, given]: Parameters<Format>): ReturnType<Format> => {
  const options = { ...given, formatters: plainFormatters(given.formatters) }
  if (options.locale === 'zh' && values) {
    const made = formatOnly(key, message, markValues(values), options)
    if (typeof made === 'string') return closeHanSpaces(made)
    // A message with tags gives no string: its values are formatted without marks.
  }
  return formatOnly(key, message, values, options)
}
formatWords.raw = formatOnly.raw

export default formatWords
