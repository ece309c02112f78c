/** The bodies to which an entry refers: everything that could be a hash, and prompts based on other prompts. */
import type { PromptRef } from '@/lib/mas/records'

/** Everything that could be a hash: what only looks like one keeps a body too many, never one too few. */
export const shasIn = (text: string): string[] => text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? []

/** The prompts of the calls in an event, at any position. */
export function promptsIn(value: unknown): PromptRef[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(promptsIn)
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'prompt' && isPrompt(inner) ? [inner] : promptsIn(inner),
  )
}

const isPrompt = (value: unknown): value is PromptRef =>
  typeof value === 'object' && value !== null && 'sections' in value && Array.isArray(value.sections)
