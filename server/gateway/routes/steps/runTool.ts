/** Running tools by hand: the tools of a server, and running one as a person. */
import { Fault } from '@/lib/faults'
import { asJson } from '@/lib/json'
import { bodyOf } from '@/lib/mas/bodies'
import type { AgentRecord } from '@/lib/mas/records'
import type { ToolOffer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { type ServerStatus, type ToolInfo, unreadInWords } from '@/server/tools'
import { assertSize } from '../../commands'
import { readerLanguage } from '../../http/readerLanguage'
import { mustFind, resolveStageId, resolveTaskId } from '../../records/resolve'
import { ARGUMENT_BYTES, mustFitTool, neededTool, whyFor } from '../../records/toolArguments'
import type { Routes } from '../../route'

export function addRunToolRoutes({ add, addCommand, gateway }: Routes): void {
  const { tools } = gateway

  function serverOf(id: string): ServerStatus {
    const server = tools.servers().find(({ name }) => name === id)
    return mustFind(server, 'tool server', id)
  }

  add('GET /api/tools/{id}', {
    scope: 'read',
    summary: 'The tools of a server, for those who may use it and operators. Connects to it when needed.',
    answers: schemas.toolServerAnswer,
    async handle({ person, params, request }) {
      serverOf(params.id)
      if (!mayLook(person, params.id)) throw new Fault('NOT_YOUR_TOOL', { server: params.id })
      const described = await tools.describe(params.id)
      const { name, guide, state } = serverOf(params.id)
      const language = readerLanguage(request.headers)
      return {
        name,
        guide,
        state,
        mayRun: mayRun(person, name),
        error: described.ok ? null : whyFor(person, described.message),
        tools: described.ok ? described.description.tools.map(offerOf) : [],
        unread: described.ok ? described.description.unread.map((one) => unreadInWords(language, one)) : [],
      }
    },
  })

  addCommand({
    path: '/api/tools/{id}/run',
    scope: 'operate',
    summary: 'Run a tool by hand, as a step of the caller. A tool that may change something needs `confirmed`.',
    body: schemas.postRunTool,
    async command({ world, person, id, body }) {
      const { name: server } = serverOf(id)
      if (!mayRun(person, server)) throw new Fault('NOT_YOUR_TOOL', { server })
      const task = resolveTaskId(world, body.task, person).id
      const stage = resolveStageId(world, task, body.stage)
      const text = JSON.stringify(body.arguments)
      assertSize(text, 'The arguments', ARGUMENT_BYTES)
      const info = await neededTool(tools, person, { server, tool: body.tool })
      await mustFitTool(info, body.arguments)
      if (info.confirmByHand && !body.confirmed) throw new Fault('CONFIRM_FIRST', { call: `${server}.${info.name}` })
      const written = bodyOf(text, 'application/json')
      const confirmed = info.confirmByHand ? { reason: body.reason } : null
      return {
        command: { type: 'runTool', task, stage, server, tool: info.name, arguments: written.ref, confirmed },
        bodies: [written.body],
      }
    },
  })
}

const mayRun = (person: AgentRecord, server: string): boolean => person.tools.includes(server)
const mayLook = (person: AgentRecord, server: string): boolean => person.access === 'operator' || mayRun(person, server)

const offerOf = ({ name, title, description, inputSchema, readOnly, confirmByHand }: ToolInfo): ToolOffer => ({
  name,
  title: title ?? null,
  description: description ?? '',
  schema: asJson(inputSchema),
  reads: readOnly,
  asks: confirmByHand,
})
