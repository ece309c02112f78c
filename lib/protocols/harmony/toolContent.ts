/** Content of a tool message: one JSON text for success, failure or a halt. A failing tool answers and never throws. */

import * as z from 'zod/mini'
import { jsonValueOf } from '../../json'

const HALT_REASON = 'human_confirmation_required'

const HarmonyToolContent = z.union([
  z.looseObject({ status: z.literal('error'), error_type: z.string(), message: z.string() }),
  z.looseObject({ status: z.literal('halted'), reason: z.string(), message: z.string() }),
  z.looseObject({ status: z.string() }),
])
type HarmonyToolContent = z.infer<typeof HarmonyToolContent>

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

/** The content of a tool message as one of the forms; null when a tool wrote something of its own. */
export function readToolContent(text: string): HarmonyToolContent | null {
  return HarmonyToolContent.safeParse(jsonValueOf(text)).data ?? null
}
