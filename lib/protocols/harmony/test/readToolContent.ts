import * as z from 'zod/mini'
import { jsonValueOf } from '@/lib/json'

const HarmonyToolContent = z.union([
  z.looseObject({ status: z.literal('error'), error_type: z.string(), message: z.string() }),
  z.looseObject({ status: z.literal('halted'), reason: z.string(), message: z.string() }),
  z.looseObject({ status: z.string() }),
])
type HarmonyToolContent = z.infer<typeof HarmonyToolContent>

/** The content of a tool message as one of the forms; null when a tool wrote something of its own. */
export const readToolContent = (text: string): HarmonyToolContent | null =>
  HarmonyToolContent.safeParse(jsonValueOf(text)).data ?? null
