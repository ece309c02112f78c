/** A POST that becomes one command of its caller. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import type { Command } from '@/lib/mas/commands/command'
import type { AgentRecord, World } from '@/lib/mas/records'
import type { CommandHead } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { commitAs } from './commands'
import { addRoute, type Env, type GatewayContext } from './route'

export type CommandRoute<Body extends CommandHead> = {
  /** As in OpenAPI. */
  path: `/api/${string}`
  summary: string
  /** Left out: any signed-in person; the command itself says more. */
  access?: 'operator'
  body: z.ZodType<Body>
  /**
   * in      id: of the path; empty where it has none. body: without the head; most are the fields of the command as they are
   * throws  the Fault for what is wrong with the request itself
   */
  command: (call: CommandCall & { body: Omit<Body, keyof CommandHead> }) => Command | Promise<Command>
}

export type CommandCall = { world: World; person: AgentRecord; id: string }

/** The answer is the command's: its place in the journal and its reply, or the Fault with which it was refused. */
export function addCommandRoute<Body extends CommandHead>(
  app: OpenAPIHono<Env>,
  gateway: GatewayContext,
  { path, summary, access, body, command }: CommandRoute<Body>,
): void {
  const { engine } = gateway
  const hasId = path.includes('{id}')
  addRoute(app, gateway, `POST ${path}`, {
    summary,
    access,
    params: hasId ? schemas.idParams : undefined,
    body,
    answers: schemas.commandAnswer,
    async handle({ caller: { person }, params, body: { id, until, ...fields } }) {
      const call = { world: engine.world(), person, id: hasId ? params.id : '' }
      return commitAs(engine, person.id, { id, until }, await command({ ...call, body: fields }))
    },
  })
}
