/** A model, as the file and the page name it, and as it is in effect. */
import * as z from 'zod'
import { SKILLS } from '../../team/abilities'
import { ANSWER_FORMS, MEDIA, PLAIN_MODEL, PROVIDER_NAMES } from '../providers'
import { CONTEXT_TOKENS } from '../setupFields'
import { json, keylessAddress, keyRef, orNone, shortText } from './fields'

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** US dollars per million tokens. */
const amount = z.number().min(0).max(1_000_000)
const tokens = z.number().int().positive()
const time = z.number().int().min(1_000).max(3_600_000)

export const model = z.strictObject({
  provider: z.enum(PROVIDER_NAMES),
  baseUrl: keylessAddress.nullable(),
  /** Its name at the server. */
  model: shortText.nullable(),
  key: orNone(keyRef),
  temperature: orNone(z.number().min(0).max(2)),
  /** Of prompt and answer together; null: as known of the model (server/shared/knownModels.ts), else DEFAULT_CONTEXT_TOKENS. */
  contextTokens: orNone(z.number().int().min(CONTEXT_TOKENS.least).max(CONTEXT_TOKENS.most)),
  /** Token limit of answers: a number for all, or by skill; `default`: all others. null: the server's own. */
  maxTokens: orNone(
    z.union([tokens.transform((all) => ({ default: all })), z.partialRecord(z.enum(['default', ...SKILLS]), tokens)], {
      error: 'must be a positive number, or such numbers by skill (and default)',
    }),
  ),
  /** null: as known of the model, else unknown. */
  price: orNone(
    z.strictObject({ input: amount, output: amount, cached: orNone(amount), cacheWrite: amount.optional() }),
  ),
  /** How it answers: by calls of functions, an object whose keys are the tags, or tags. auto: as suits its server. */
  form: z.enum(ANSWER_FORMS).default(PLAIN_MODEL.form),
  reasoningEffort: orNone(z.enum(REASONING_EFFORTS)),
  /** Additional fields of the request. */
  extra: z.record(z.string(), json).default({}),
  /** Accepted media besides text. */
  accepts: z.array(z.enum(MEDIA)).default([]),
  timeLimitMs: time.default(PLAIN_MODEL.timeLimitMs),
  /** Until the first text or reasoning of an answer; null: timeLimitMs. */
  firstTokenLimitMs: orNone(z.number().positive()),
  connectLimitMs: z.number().positive().default(10_000),
  /** Concurrent calls, for all models at one address together. */
  parallel: z.number().int().min(1).max(1_000).default(PLAIN_MODEL.parallel),
  /** Folders relative to the configuration file: answers are recorded there, or played from there. */
  record: orNone(z.string().min(1)),
  play: orNone(z.string().min(1)),
})

/** The values of a model that the page can change; the others are from the file only. */
export const modelSetup = model.omit({
  maxTokens: true,
  firstTokenLimitMs: true,
  connectLimitMs: true,
  record: true,
  play: true,
})
export type ModelSetup = z.infer<typeof modelSetup>
