/**
 * Context sizes and prices of models, as the vendors' pages give them. What a configuration says counts instead. Where a longer
 * prompt costs more, the context is the longest at the price here; a model with a price for a limited time has no row.
 */
import { DEFAULT_CONTEXT_TOKENS, type Provider } from '@/lib/mas/setup/providers'

/** When the rows were written. */
export const KNOWN_MODELS_WRITTEN = '2026-11-30'

type ModelPrice = { input: number; output: number; cached: number | null; cacheWrite?: number }
export type KnownModel = { contextTokens: number; price: ModelPrice }

/** US dollars per million tokens: input, output, from the cache, written to it. */
type Row = readonly [
  id: string,
  contextTokens: number,
  input: number,
  output: number,
  cached?: number,
  cacheWrite?: number,
]

const KNOWN: Readonly<Partial<Record<Provider, { page: string; rows: readonly Row[] }>>> = {
  openai: {
    page: 'https://developers.openai.com/api/docs/pricing',
    rows: [
      ['gpt-4.1', 1_047_576, 2, 8, 0.5],
      ['gpt-4.1-mini', 1_047_576, 0.4, 1.6, 0.1],
      ['gpt-4.1-nano', 1_047_576, 0.1, 0.4, 0.025],
      ['gpt-4o', 128_000, 2.5, 10, 1.25],
      ['gpt-4o-mini', 128_000, 0.15, 0.6, 0.075],
      ['gpt-5', 400_000, 1.25, 10, 0.125],
      ['gpt-5-mini', 400_000, 0.25, 2, 0.025],
      ['gpt-5-nano', 400_000, 0.05, 0.4, 0.005],
      ['gpt-5.1', 400_000, 1.25, 10, 0.125],
      ['gpt-5.2', 400_000, 1.75, 14, 0.175],
      ['gpt-5.4', 272_000, 2.5, 15, 0.25],
      ['gpt-5.4-mini', 400_000, 0.75, 4.5, 0.075],
      ['gpt-5.4-nano', 400_000, 0.2, 1.25, 0.02],
      ['gpt-5.5', 272_000, 5, 30, 0.5],
      ['gpt-5.6-luna', 272_000, 0.2, 1.2, 0.02, 0.25],
      ['gpt-5.6-sol', 272_000, 5, 30, 0.5, 6.25],
      ['o3', 200_000, 2, 8, 0.5],
      ['o4-mini', 200_000, 1.1, 4.4, 0.275],
    ],
  },
  anthropic: {
    page: 'https://platform.claude.com/docs/en/about-claude/pricing',
    rows: [
      ['claude-fable-5', 1_000_000, 10, 50, 1, 12.5],
      ['claude-fable-5-1', 1_000_000, 10, 50, 0.25, 12.5],
      ['claude-haiku-4-5', 200_000, 1, 5, 0.1, 1.25],
      ['claude-haiku-5-5', 100_000, 0.1, 0.5, 0.01, 0.125],
      ['claude-opus-4-5', 200_000, 5, 25, 0.5, 6.25],
      ['claude-opus-4-6', 1_000_000, 5, 25, 0.5, 6.25],
      ['claude-opus-4-7', 1_000_000, 5, 25, 0.5, 6.25],
      ['claude-opus-4-8', 1_000_000, 5, 25, 0.5, 6.25],
      ['claude-opus-5', 1_000_000, 5, 25, 0.5, 6.25],
      ['claude-opus-5-5', 1_000_000, 4, 20, 0.2, 5],
      ['claude-sonnet-4-5', 200_000, 3, 15, 0.3, 3.75],
      ['claude-sonnet-4-6', 200_000, 3, 15, 0.3, 3.75],
      ['claude-sonnet-5', 1_000_000, 2, 10, 0.2, 2.5],
      ['claude-sonnet-5-5', 1_000_000, 2, 10, 0.1, 2.5],
    ],
  },
  google: {
    page: 'https://ai.google.dev/gemini-api/docs/pricing',
    rows: [
      ['gemini-2.5-flash', 1_048_576, 0.3, 2.5, 0.03],
      ['gemini-2.5-flash-lite', 1_048_576, 0.1, 0.4, 0.01],
      ['gemini-2.5-pro', 200_000, 1.25, 10, 0.125],
      ['gemini-3-flash-preview', 1_048_576, 0.5, 3, 0.05],
      ['gemini-3.1-flash-lite', 1_048_576, 0.25, 1.5, 0.025],
      ['gemini-3.1-pro-preview', 200_000, 2, 12, 0.2],
      ['gemini-3.5-flash', 1_048_576, 1.5, 9, 0.15],
      ['gemini-3.5-flash-lite', 1_048_576, 0.3, 2.5, 0.03],
    ],
  },
}

/** The pages of which the rows are, one per provider that has rows. */
export const KNOWN_MODEL_PAGES: readonly string[] = Object.values(KNOWN).map(({ page }) => page)

/** What may follow the name of a model and names the same: a date, a number, `latest`. Another word is another model. */
const SAME_MODEL = /^(?:[-@](?:\d+(?:-\d+)*|latest))?$/

/** The row whose name the model's begins with; null: none. */
export function knownModel(provider: Provider, model: string): KnownModel | null {
  const rows = KNOWN[provider]?.rows ?? []
  const fits = rows.filter(([id]) => model.startsWith(id) && SAME_MODEL.test(model.slice(id.length)))
  const longest = fits.sort(([one], [other]) => other.length - one.length)[0]
  if (longest === undefined) return null
  const [, contextTokens, input, output, cached = null, cacheWrite] = longest
  return { contextTokens, price: { input, output, cached, ...(cacheWrite === undefined ? {} : { cacheWrite }) } }
}

/** Tokens of prompt and answer together: as configured, as known of the model, or the default. */
export const contextOf = (of: { provider: Provider; model: string | null; contextTokens: number | null }): number =>
  of.contextTokens ?? knownModel(of.provider, of.model ?? '')?.contextTokens ?? DEFAULT_CONTEXT_TOKENS
