/** Content of tool messages: one JSON text for success, failure or halt. Tools report failures as content and never throw. */

const HALT_REASON = 'human_confirmation_required'

/** results: the tool's result as JSON text. */
export function toolSuccess(results: unknown): string {
  return JSON.stringify({ status: 'success', results })
}

/** errorType: a CamelCase name for programs; message: what to do differently. */
export function toolError(errorType: string, message: string): string {
  return JSON.stringify({ status: 'error', error_type: errorType, message })
}

/** The tool has not run yet: a person decides first. */
export function toolHalted(message: string): string {
  return JSON.stringify({ status: 'halted', reason: HALT_REASON, message })
}
