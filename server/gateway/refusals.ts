/** Refusals as HTTP answers: {error, message, status_code, details?}. */
import { FAULTS, Fault, type FaultBody, faultBody } from '@/lib/faults'
import type { Language } from '@/lib/mas/records'
import { StoreBrokenError } from '@/server/store'

const HTTP_ONLY = {
  NOT_JSON: {
    status: 415,
    says: {
      en: 'The body must be JSON, with the header Content-Type: application/json.',
      zh: '正文必须是 JSON，并带有标头 Content-Type: application/json。',
    },
  },
  NOT_READY: {
    status: 503,
    says: {
      en: 'The server has just started and is not ready. Try again in a second.',
      zh: '服务器刚刚启动，还没有就绪。请稍后再试。',
    },
  },
} as const
type HttpOnlyCode = keyof typeof HTTP_ONLY

/** A refusal that only HTTP knows. */
export class HttpRefusal extends Error {
  constructor(readonly code: HttpOnlyCode) {
    super(HTTP_ONLY[code].says.en)
  }
}

export type RefusalBody = Omit<FaultBody, 'error'> & { error: FaultBody['error'] | HttpOnlyCode }
export type RefusalAnswer = { status: number; body: RefusalBody; headers: Record<string, string> }

/** The answer to what was thrown; a defect and a fault that is not public become INTERNAL. */
export function refusalAnswerOf(thrown: unknown, language: Language): RefusalAnswer {
  if (thrown instanceof HttpRefusal) {
    const { status, says } = HTTP_ONLY[thrown.code]
    return { status, headers: {}, body: { error: thrown.code, message: says[language], status_code: status } }
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
