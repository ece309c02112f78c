/** MAP beside trajectories: connecting, authentication, agents, subscriptions. */
import * as z from 'zod/mini'
import { Name } from '@/lib/protocols/fields'
import { CheckpointFilter } from './trajectory'

export const PROTOCOL_VERSION = 1

/** MAP's own codes that are used here. */
export const MAP_ERRORS = { authRequired: 1000, authFailed: 1001, tooMany: 4003 } as const

const Credential = z.string().check(z.maxLength(4_096))

/** Clients send credential, agents token. */
export const AuthParams = z.looseObject({
  method: z.optional(z.string()),
  credential: z.optional(Credential),
  token: z.optional(Credential),
})

export const ConnectParams = z.looseObject({
  protocolVersion: z._default(z.number(), PROTOCOL_VERSION),
  participantType: z._default(z.enum(['client', 'agent', 'gateway']), 'client'),
  participantId: z.optional(Name),
  name: z.optional(Name),
  auth: z.optional(AuthParams),
})
export type ParticipantType = z.infer<typeof ConnectParams>['participantType']

/** Also for updates, where agentId selects the agent. */
export const RegisterParams = z.looseObject({
  agentId: z.optional(Name),
  name: z.optional(Name),
  role: z.optional(z.nullable(Name)),
})
export const AgentParams = z.looseObject({ agentId: z.optional(Name) })

export const SubscriptionFilter = z.looseObject({
  /** Left out: all types. */
  eventTypes: z.optional(z.array(z.string())),
  trajectory: z.optional(CheckpointFilter),
})
export type SubscriptionFilter = z.infer<typeof SubscriptionFilter>
export const SubscribeParams = z.looseObject({ filter: z.optional(SubscriptionFilter) })
export const UnsubscribeParams = z.looseObject({ subscriptionId: Name })
