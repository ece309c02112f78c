/** The program itself: health, what runs here, trying a model or a tool, answering for a model, load of benches. */
import * as z from 'zod'
import { count, promptRole } from './common'

/** GET /api/health. starting: it listens, and opens its store and engine; then journal is '' and seq 0. */
export const health = z.object({
  status: z.enum(['starting', 'ok', 'stopping', 'broken']),
  node: z.string(),
  journal: z.string(),
  seq: count,
  version: z.string(),
  rehearsal: z.boolean(),
})
export type Health = z.infer<typeof health>

/**
 * GET /api/ready: 200 when it can take commands, else 503, with every reason. With `clock` and `files` alone it is 200: commands are taken.
 *
 * starting  it is opening its store and engine
 * draining  it is stopping
 * disk      too little space is free
 * store     the store refuses to write
 * nodes     another node decides, and cannot be reached
 * clock     the time is not that of the machine's clock, which was ahead or jumped
 * files     within the last minute an answer failed because no descriptor was free, or a disk could not be read
 */
export const ready = z.object({
  ready: z.boolean(),
  reasons: z.array(z.enum(['starting', 'draining', 'disk', 'store', 'nodes', 'clock', 'files'])),
})
export type Ready = z.infer<typeof ready>

/** The keys of `limits` in the configuration that are no budgets. */
const LIMIT_NAMES = [
  'steps_per_part',
  'reflections_per_part',
  'talk_in_a_row',
  'commands_per_person',
  'reads_per_person',
  'sockets_per_person',
  'uploads_per_person',
  'uploads_per_person_mib',
  'drafts_per_person',
  'drafts_per_person_mib',
] as const

/** GET /api/system: what runs here, for operators. */
export const systemInfo = z.object({
  version: z.string(),
  models: z.array(z.string()),
  rehearsal: z.boolean(),
  limits: z.array(z.object({ name: z.enum(LIMIT_NAMES), value: z.number() })),
})
export type SystemInfo = z.infer<typeof systemInfo>

/** GET /api/system/try: what can be tried. POST tries one of it. */
export const triable = z.object({ models: z.array(z.string()), tools: z.array(z.string()) })
export type Triable = z.infer<typeof triable>
export const postTry = z.object({ kind: z.enum(['model', 'tool']), name: z.string().min(1).max(200) })
export type PostTry = z.input<typeof postTry>
/** words: one sentence with the result; hint: what to do about it, null: nothing */
export const triedAnswer = z.object({ ok: z.boolean(), words: z.string(), hint: z.string().nullable() })
export type TriedAnswer = z.infer<typeof triedAnswer>

/** A call of a model that is a person. task: null when the call belongs to no step that is in the world. */
const byHandCall = z.object({
  id: z.string(),
  model: z.string(),
  agent: z.string(),
  skill: z.string(),
  step: z.string().nullable(),
  task: z.object({ id: z.string(), name: z.string() }).nullable(),
  since: count,
  parts: z.array(z.object({ role: promptRole, name: z.string(), text: z.string() })),
})
export type ByHandCall = z.infer<typeof byHandCall>

/** GET /api/by_hand: the longest waiting first. */
export const byHandAnswer = z.object({ calls: z.array(byHandCall) })
export type ByHandAnswer = z.infer<typeof byHandAnswer>

/** POST /api/by_hand/<call> */
export const byHandParams = z.object({ call: z.string().min(1).max(200) })
export const postByHand = z.union([
  z.strictObject({ answer: z.string().max(1_000_000) }),
  z.strictObject({ refuse: z.string().trim().min(1).max(1000) }),
])
export type PostByHand = z.input<typeof postByHand>
export const takenAnswer = z.object({ taken: z.literal(true) })
