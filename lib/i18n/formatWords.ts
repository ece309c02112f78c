/** Replaces use-intl's formatter of messages with values (alias in next.config.ts). */
import formatOnly from 'use-intl/format-message/format-only'
import { closeHanSpaces, markValues } from '../format/hanSpaces'
import { shownValues } from '../format/hiddenSigns'
import { plainFormatters } from './plainFormatters'

type Format = typeof formatOnly

const formatWords = (...[key, message, given, settings]: Parameters<Format>): ReturnType<Format> => {
  const values = given && shownValues(given)
  const options = { ...settings, formatters: plainFormatters(settings.formatters) }
  if (options.locale === 'zh' && values) {
    const made = formatOnly(key, message, markValues(values), options)
    if (typeof made === 'string') return closeHanSpaces(made)
    // A message with tags gives no string: its values are formatted without marks.
  }
  return formatOnly(key, message, values, options)
}
formatWords.raw = formatOnly.raw

export default formatWords
