/** How a person is reached outside the page: push, e-mail, webhook. */
import * as z from 'zod'
import { requestCommands } from '../../mas/asks/commands/schemas'
import { CONFIGURED_CHANNELS, type ConfiguredChannel, OWN_CHANNELS } from '../../mas/records'
import { commandFields, when } from './common'

const configuredChannel = z.object({ state: z.enum(['none', 'notReady', 'ready']), to: z.string().nullable() })
const configured = Object.fromEntries(CONFIGURED_CHANNELS.map((channel) => [channel, configuredChannel])) as Record<
  ConfiguredChannel,
  typeof configuredChannel
>

/**
 * GET /api/me/channels
 *
 * state     none: not configured; notReady: configured, but its variable is not set where the program runs
 * pushKey   what a browser subscribes with (VAPID)
 * times     ms after something began to alert me
 */
export const myChannels = z
  .object({
    pushKey: z.string(),
    browsers: z.array(z.object({ id: z.string(), name: z.string(), at: when, endpoint: z.string() })),
    ...configured,
    times: z.looseObject({
      ownMs: z.number(),
      noPageMs: z.number(),
      againMs: z.number(),
      untilMs: z.number(),
      raiseAgainMs: z.number(),
    }),
  })
  .meta({ id: 'MyChannels' })
export type MyChannels = z.infer<typeof myChannels>

/** POST /api/me/browsers: this browser receives pushes. name: as it is listed. */
export const pushSubscription = z.object({
  endpoint: z.string().url().max(2_000),
  keys: z.object({ p256dh: z.string().min(1).max(200), auth: z.string().min(1).max(100) }),
  name: z.string().min(1).max(100),
})
export type PushSubscription = z.input<typeof pushSubscription>

/** POST /api/me/channels/test */
export const postChannelTest = z.object({
  channel: z.enum(OWN_CHANNELS),
  browser: z.string().min(1).max(100).optional(),
})
export type PostChannelTest = z.input<typeof postChannelTest>

/** POST /api/me/told: the leading page notified me of these, by a sound or on the desktop. */
export const postTold = z.object({ ...commandFields, ...requestCommands.noteTold.shape })
export type PostTold = z.input<typeof postTold>
