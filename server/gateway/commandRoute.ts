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
  /** id: of the path; empty where it has none. Throws the Fault for what is wrong with the request itself. */
  command: (call: { world: World; person: AgentRecord; id: string; body: Body }) => Command | Promise<Command>
}

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
    async handle({ caller: { person }, params, body: given }) {
      const id = hasId ? params.id : ''
      return commitAs(engine, person.id, given, await command({ world: engine.world(), person, id, body: given }))
    },
  })
}
