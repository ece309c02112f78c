/** The language of who reads an answer: the choice kept in the cookie, else the browser's first, as the page shows. */
import type { IncomingHttpHeaders } from 'node:http'
import { chooseLocale } from '@/lib/i18n/locale'
import type { Language } from '@/lib/mas/records'

/** in: the headers of the request. out: Chinese where it comes first of what the console has, else English */
export function readerLanguage({ cookie, 'accept-language': accepted }: IncomingHttpHeaders): Language {
  const tags = (accepted ?? '').split(',').map((range) => range.split(';')[0]?.trim() ?? '')
  return chooseLocale(cookie ?? '', tags) === 'zh' ? 'zh' : 'en'
}
