import { useTranslations } from 'use-intl'
import type { JsonProblem } from './jsonText'

/** out: what is wrong with a JSON text, as a sentence with the place */
export function useJsonWords(): (problem: JsonProblem) => string {
  const t = useTranslations()
  return ({ kind, line, column }) => {
    const why = t(`form.json.${kind}`)
    const isPlaced = line !== null && column !== null
    return t('request.badJson', { why: isPlaced ? t('form.json.at', { why, line, column }) : why })
  }
}
