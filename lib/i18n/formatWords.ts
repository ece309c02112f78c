/**
 * Puts the values into a text of the interface: what use-intl calls for each text with values (next.config.ts names this file in its place).
 *
 * Owns: that a name in Chinese stands in a Chinese sentence without spaces. Not here: the texts (messages/), tags in them.
 */
import formatOnly from 'use-intl/format-message/format-only'
import { closeHanSpaces, markValues } from '../format/hanSpaces'

type Format = typeof formatOnly

const formatWords = (...[key, message, values, options]: Parameters<Format>): ReturnType<Format> => {
  if (options.locale === 'zh' && values) {
    const made = formatOnly(key, message, markValues(values), options)
    if (typeof made === 'string') return closeHanSpaces(made)
    // A sentence with tags is made of parts that its tags draw: its values stay as they are.
  }
  return formatOnly(key, message, values, options)
}
formatWords.raw = formatOnly.raw

export default formatWords
