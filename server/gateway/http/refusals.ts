/** Refusals as HTTP answers: {error, message, status_code, details?}. */
import { FAULT_STATUS, Fault, type FaultBody, faultBody, INNER_FAULTS } from '@/lib/faults'
import type { Language } from '@/lib/mas/records'
import { StoreBrokenError } from '@/server/store'

type RefusalAnswer = { status: number; body: FaultBody; headers: Record<string, string> }

/** The answer to what was thrown; a defect and a fault that is not public become INTERNAL. */
export function refusalAnswerOf(thrown: unknown, language: Language): RefusalAnswer {
  const fault = refusalIn(thrown) ?? new Fault('INTERNAL')
  return { status: FAULT_STATUS[fault.code], headers: headersOf(fault), body: faultBody(fault, language) }
}

/** Not an expected refusal: it is logged with its stack. */
export const isDefect = (thrown: unknown): boolean => refusalIn(thrown) === null

function refusalIn(thrown: unknown): Fault | null {
  if (thrown instanceof StoreBrokenError) return new Fault('STORE_BROKEN')
  return isFault(thrown) && !INNER_FAULTS.has(thrown.code) ? thrown : null
}

/** `instanceof` alone leaves the code's type open. */
const isFault = (thrown: unknown): thrown is Fault => thrown instanceof Fault

function headersOf(fault: Fault): Record<string, string> {
  const { data } = fault
  if (fault.code !== 'TOO_MANY' || typeof data !== 'object' || !('seconds' in data)) return {}
  return { 'Retry-After': String(data.seconds) }
}
