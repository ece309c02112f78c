/** Refusals as HTTP answers: {error, message, status_code, details?}. */
import { FAULTS, Fault, type FaultBody, faultBody } from '@/lib/faults'
import type { Language } from '@/lib/mas/records'
import { HTTP_EN } from '@/messages/reports.en'
import { HTTP_ZH } from '@/messages/reports.zh'
import { StoreBrokenError } from '@/server/store'

type HttpOnlyCode = keyof typeof HTTP_EN
const STATUS: Record<HttpOnlyCode, number> = { NOT_JSON: 415, NOT_READY: 503 }

export class HttpRefusal extends Error {
  constructor(readonly code: HttpOnlyCode) {
    super(HTTP_EN[code])
  }
}

type RefusalBody = Omit<FaultBody, 'error'> & { error: FaultBody['error'] | HttpOnlyCode }
type RefusalAnswer = { status: number; body: RefusalBody; headers: Record<string, string> }

/** The answer to what was thrown; a defect and a fault that is not public become INTERNAL. */
export function refusalAnswerOf(thrown: unknown, language: Language): RefusalAnswer {
  if (thrown instanceof HttpRefusal) {
    const { code } = thrown
    const message = { en: HTTP_EN, zh: HTTP_ZH }[language][code]
    return { status: STATUS[code], headers: {}, body: { error: code, message, status_code: STATUS[code] } }
  }
  if (thrown instanceof StoreBrokenError) return refusalAnswerOf(new Fault('STORE_BROKEN'), language)
  const fault = isFault(thrown) && FAULTS[thrown.code].leaves ? thrown : new Fault('INTERNAL')
  return { status: FAULTS[fault.code].status, headers: headersOf(fault), body: faultBody(fault, language) }
}

/** Not an expected refusal: it is logged with its stack. */
export const isDefect = (thrown: unknown): boolean =>
  !(thrown instanceof HttpRefusal || thrown instanceof StoreBrokenError) &&
  !(isFault(thrown) && FAULTS[thrown.code].leaves)

/** `instanceof` alone leaves the code's type open. */
const isFault = (thrown: unknown): thrown is Fault => thrown instanceof Fault

function headersOf(fault: Fault): Record<string, string> {
  const { data } = fault
  if (fault.code !== 'TOO_MANY' || typeof data !== 'object' || !('seconds' in data)) return {}
  return { 'Retry-After': String(data.seconds) }
}
