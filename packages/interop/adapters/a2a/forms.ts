/** What a message must hold before anything reads it. */
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import * as z from 'zod'

const CONTENTS = ['text', 'raw', 'url', 'data'] as const
const MOST_PARTS = 100
const id = z.string().max(512)

const part = z
  .looseObject({
    text: z.string().optional(),
    raw: z.base64().optional(),
    url: z.string().max(8_000).optional(),
    filename: z.string().max(1_000).optional(),
    mediaType: z.string().max(200).optional(),
  })
  .refine((one) => CONTENTS.filter((name) => Object.hasOwn(one, name)).length === 1, {
    message: 'must hold exactly one of text, raw, url, data',
  })
const send = z.looseObject({
  message: z.looseObject({
    messageId: id.min(1),
    contextId: id.optional(),
    taskId: id.optional(),
    role: z.literal('ROLE_USER'),
    parts: z.array(part).min(1).max(MOST_PARTS),
  }),
  configuration: z
    .looseObject({ historyLength: z.number().int().min(0).optional(), returnImmediately: z.boolean().optional() })
    .optional(),
})

/** in: the parameters of SendMessage. Throws RequestMalformedError: the first place that does not fit, and why. */
export function mustBeSend(params: unknown): void {
  const read = send.safeParse(params)
  if (read.success) return
  const [issue] = read.error.issues
  throw new RequestMalformedError(`${issue?.path.join('.') || 'params'}: ${issue?.message ?? 'does not fit'}`)
}
