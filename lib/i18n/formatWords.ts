/**
 * Puts the values into a text of the interface: what use-intl calls for each text with values (next.config.ts names
 * this file in its place).
 */
import formatOnly from 'use-intl/format-message/format-only'
import { closeHanSpaces, markValues } from '../format/hanSpaces'
import { plainFormatters } from './plainFormatters'

type Format = typeof formatOnly

const formatWords = (...[key, message, values, given]: Parameters<Format>): ReturnType<Format> => {
  const options = { ...given, formatters: plainFormatters(given.formatters) }
  if (options.locale === 'zh' && values) {
    const made = formatOnly(key, message, markValues(values), options)
    if (typeof made === 'string') return closeHanSpaces(made)
    // A sentence with tags is made of parts that its tags draw: its values stay as they are.
  }
  return formatOnly(key, message, values, options)
}
formatWords.raw = formatOnly.raw

export default formatWords
