/** Another system, as the file and the page name it. */
import * as z from 'zod'
import { PEER_VARIABLE, PROTOCOLS } from '../../outside/peerProtocols'
import { webAddress } from './fields'

export const agentUri = z
  .string()
  .max(512)
  .regex(/^agent:\/\/[^\s/]+(\/\S*)?$/, 'must be a URI such as agent://example.org/planner')

export const peerLimits = z
  .object({
    tasks: z.number().int().min(1).max(1_000),
    tokensPerDay: z.number().int().min(1).max(1e12).nullable(),
    costPerDay: z.number().positive().max(1e9).nullable().describe('US dollars'),
  })
  .describe('how much work its agents may ask for: tasks at once, the rest in 24 hours; null: no limit')

const peerVariable = z
  .string()
  .regex(PEER_VARIABLE, 'must be the name of a variable that begins with CONVENE_PEER_, not the key itself')
  .nullable()

/**
 * The file gives each field a default, and names variables of its own.
 *
 * baseUrl       the address for our messages; null: callback addresses only
 * actions       that it may use, in protocols with actions
 * agents        ours that it may address, by a name or id
 * allowPrivate  its addresses may be in a private network
 */
export const peer = z.object({
  baseUrl: webAddress.nullable(),
  may: z.array(z.enum(PROTOCOLS)).max(PROTOCOLS.length),
  actions: z.array(z.string().min(1).max(200)).max(100),
  agents: z.array(z.string().max(200)).max(500),
  allowPrivate: z.boolean(),
  limits: peerLimits.optional().describe('left out: 5 tasks at once'),
  sendKeyEnv: peerVariable,
  signingKeyEnv: peerVariable,
})
