/** The ids of the world, each with its own type so that a step's id cannot be used as a task's id. */

type Branded<Kind extends string> = string & { readonly __id: Kind }

export type TaskId = Branded<'task'>
export type StageId = Branded<'stage'>
export type AgentId = Branded<'agent'>
export type StepId = Branded<'step'>
export type MessageId = Branded<'message'>
export type RequestId = Branded<'request'>
export type WaitingId = Branded<'waiting'>
export type HandOverId = Branded<'handOver'>
export type PeerId = Branded<'peer'>
export type ConversationId = Branded<'conversation'>
export type TemplateId = Branded<'template'>
export type ScheduleId = Branded<'schedule'>
/** One attempt to reach a person. */
export type AttemptId = Branded<'attempt'>
/** A thread of the base task: the id of its first message. */
export type ThreadId = MessageId

/** A sender besides agents: the task itself, which needs no membership and gets no replies. */
export const SYSTEM_TASK = 'system:task' as const
type SystemSender = typeof SYSTEM_TASK
export type SenderId = AgentId | SystemSender

/** Type a plain string as an id; the edges (schemas, configuration) are the only callers that start from strings. */
export const asId = <Id extends string>(text: string): Id => text as Id

export type MakeId = <Id extends string>() => Id

/**
 * Makes uuids as a pure function of the seed and of the number of earlier ones.
 *
 * in      seed: the command's own id, unique by its sender
 * out     a function; its n-th call gives the same uuid for the same seed, on every node and in every replay
 * source  docs/rules R1
 */
export function makeIds(seed: string): MakeId {
  let [a, b, c, d] = hash128(seed)
  const next = (): number => {
    // sfc32: small and fast; with 128 bits of state two commands never share a sequence of ids.
    const t = (a + b + d) >>> 0
    d = (d + 1) >>> 0
    a = (b ^ (b >>> 9)) >>> 0
    b = (c + (c << 3)) >>> 0
    c = ((c << 21) | (c >>> 11)) >>> 0
    c = (c + t) >>> 0
    return t
  }
  for (let i = 0; i < 12; i++) next()
  return <Id extends string>() => {
    const hex = [next(), next(), next(), next()].map((word) => word.toString(16).padStart(8, '0')).join('')
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
    return asId<Id>(
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`,
    )
  }
}

/** The same text, the same 16 digits; the text cannot be read from them. */
export const shortHash = (text: string): string =>
  hash128(text)
    .slice(0, 2)
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('')

function hash128(text: string): [number, number, number, number] {
  let [h1, h2, h3, h4] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i)
    h1 = h2 ^ Math.imul(h1 ^ k, 597399067)
    h2 = h3 ^ Math.imul(h2 ^ k, 2869860233)
    h3 = h4 ^ Math.imul(h3 ^ k, 951274213)
    h4 = h1 ^ Math.imul(h4 ^ k, 2716044179)
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067)
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233)
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213)
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179)
  return [(h1 ^ h2 ^ h3 ^ h4) >>> 0, (h2 ^ h1) >>> 0, (h3 ^ h1) >>> 0, (h4 ^ h1) >>> 0]
}
