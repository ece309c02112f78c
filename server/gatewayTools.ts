/** The tool servers as the gateway's routes use them: described, checked, signed in. */
import { asJson } from '@/lib/json'
import type { Json } from '@/lib/mas/records'
import { checkArguments, checkForm, type SignInFlow, type ToolPool } from './tools'

export function gatewayTools(pool: ToolPool & SignInFlow) {
  const infoOf = async (server: string, tool: string) => {
    const described = await pool.describe(server)
    return described.ok ? described.description.tools.find((info) => info.name === tool) : undefined
  }
  return {
    async describe(server: string) {
      const described = await pool.describe(server)
      return described.ok
        ? { ok: true as const, tools: described.description.tools }
        : { ok: false as const, message: described.message }
    },
    checkForm: (schema: Json, content: Json) => checkForm(schema, content),
    servers: () => pool.servers(),
    signIn: (server: string) => pool.signIn(server),
    finishSignIn: (answer: { state: string; code: string }) => pool.finishSignIn(answer),
    async schema(server: string, tool: string): Promise<Json | null> {
      const info = await infoOf(server, tool)
      return info ? asJson(info.inputSchema) : null
    },
    async check(server: string, tool: string, args: Json): Promise<string | null> {
      const info = await infoOf(server, tool)
      if (!info) return null
      const checked = await checkArguments(info, args)
      return checked.ok ? null : checked.message
    },
  }
}
