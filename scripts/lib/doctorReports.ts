/** The reports of `npm run doctor` about a data folder. */
import { sayerOf } from '@/lib/i18n/sentences'
import type { Language } from '@/lib/mas/records'
import { DOCTOR_EN } from '@/messages/reports.en'
import { DOCTOR_ZH } from '@/messages/reports.zh'
import { damageText, type Verified } from '@/server/store'

/** Most places listed at once. */
const MOST_NAMED = 20

export const sayDoctor = sayerOf(DOCTOR_EN, DOCTOR_ZH)

/** Is everything that was written in the data folder? */
export function verifyReport(found: Verified, folder: string, language: Language): string[] {
  const { damage } = found
  if (damage.length === 0) return [sayDoctor(language, 'whole', { folder, ...found })]
  const more = damage.length - MOST_NAMED
  return [
    sayDoctor(language, 'damaged', { folder, places: damage.length }),
    ...damage.slice(0, MOST_NAMED).map((one) => `  ${damageText(one)}`),
    ...(more > 0 ? [sayDoctor(language, 'more', { places: more })] : []),
    sayDoctor(language, 'restoreNext'),
  ]
}
