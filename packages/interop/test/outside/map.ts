/** An observer that speaks MAP, by the protocol's own SDK: it lists the checkpoints of our agents, and reads them. */
import { ClientConnection, websocketStream } from '@multi-agent-protocol/sdk'
import { WebSocket } from 'ws'
import * as z from 'zod'
import type { Place } from './place'

/** task: its id; stage: 0 for the checkpoint of a whole task */
export type CheckpointSeen = {
  id: string
  agent: string
  task: string
  stage: number
  tokens: number
  filesTouched: string[]
}

const Listed = z.object({
  checkpoints: z.array(
    z.object({
      id: z.string(),
      agentId: z.string(),
      sessionId: z.string(),
      metadata: z.object({
        stage: z.number().default(0),
        tokenUsage: z.object({ totalTokens: z.number().default(0) }).default({ totalTokens: 0 }),
        filesTouched: z.array(z.string()).default([]),
      }),
    }),
  ),
  hasMore: z.boolean(),
})
const Content = z.object({ content: z.object({ artifacts: z.object({ transcript: z.string() }) }) })

export type Observer = {
  /** All checkpoints, newest first. */
  list(): Promise<CheckpointSeen[]>
  /** The executors of the steps that a checkpoint's transcript tells, in their order. */
  transcript(id: string): Promise<string[]>
}

/** Each question is asked on a connection of its own, so that no restart breaks one. */
export function openObserver(place: Place, key: string): Observer {
  // The SDK's own stream wants a browser's socket; ws has the same interface.
  Object.assign(globalThis, { WebSocket })
  async function ask(method: string, params: object): Promise<unknown> {
    const address = `${place.url().replace('http', 'ws')}/map`
    const socket = new globalThis.WebSocket(address)
    const client = new ClientConnection(await websocketStream(socket), { name: 'dashboard' })
    await client.connect({ auth: { method: 'bearer', credential: key } })
    const answer: unknown = await client.callExtension(method, params)
    await client.disconnect()
    return answer
  }
  return {
    async list() {
      const { checkpoints, hasMore } = Listed.parse(await ask('trajectory/list', { limit: 200 }))
      if (hasMore) throw new Error('more checkpoints than one page holds')
      return checkpoints.map(({ id, agentId, sessionId, metadata: { stage, tokenUsage, filesTouched } }) => ({
        id,
        agent: agentId,
        task: sessionId,
        stage,
        filesTouched,
        tokens: tokenUsage.totalTokens,
      }))
    },
    async transcript(id) {
      const { content } = Content.parse(await ask('trajectory/content', { checkpointId: id }))
      const lines = content.artifacts.transcript.trimEnd().split('\n')
      return lines.map((line) => z.object({ executor: z.string() }).parse(JSON.parse(line)).executor)
    },
  }
}
