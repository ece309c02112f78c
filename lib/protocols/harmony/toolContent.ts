/** Content of a tool message: one JSON text for success, failure or a halt. A failing tool answers and never throws. */

const HALT_REASON = 'human_confirmation_required'

/** results: what the tool gave, as JSON. */
export function toolSuccess(results: unknown): string {
  return JSON.stringify({ status: 'success', results })
}

/** errorType: a short name in CamelCase that a program can tell apart; message: what to do differently. */
export function toolError(errorType: string, message: string): string {
  return JSON.stringify({ status: 'error', error_type: errorType, message })
}

/** The tool has not run: a person decides first. */
export function toolHalted(message: string): string {
  return JSON.stringify({ status: 'halted', reason: HALT_REASON, message })
}
