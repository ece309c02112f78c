/** The MAMP card: an agent's identity, accepted content and allowed senders. */
import * as z from 'zod/mini'
import { AgentUri, MAMP_VERSION } from './message'

const Text = z.string().check(z.maxLength(4_096))

/** The operator of the agent's system. */
export const CardOwner = z.looseObject({
  user_id: z.optional(Text),
  user_name: z.optional(Text),
  organization: z.optional(Text),
})
export type CardOwner = z.infer<typeof CardOwner>

/** The device of the agent's system. */
export const CardDevice = z.looseObject({
  device_id: z.optional(Text),
  device_name: z.optional(Text),
  location: z.optional(Text),
  platform: z.optional(Text),
})
export type CardDevice = z.infer<typeof CardDevice>

export const MampCard = z.looseObject({
  protocol: z.literal(MAMP_VERSION),
  agent_id: AgentUri,
  name: Text,
  description: Text,
  owner: CardOwner,
  device: CardDevice,
  capabilities: z.looseObject({
    content_types: z.array(Text),
    max_message_size: z.number(),
    streaming: z.boolean(),
    async: z.boolean(),
    tools: z.array(Text),
  }),
  access: z.looseObject({ public: z.boolean(), allowed_agents: z.array(Text), require_auth: z.boolean() }),
})
export type MampCard = z.infer<typeof MampCard>
