import * as z from 'zod'
import type { ModelPreset } from '@/lib/mas/modelPresets'
import type { Outbound } from '../net'

/** in  name: of the preset; models: those that the server offers now */
export type LocalServer = { preset: string; name: string; models: string[] }

const LIMIT_MS = 1_500
const ANSWER_BYTES = 256 * 1024
/** The path that Ollama, LM Studio and vLLM all answer. */
const LIST_PATH = '/v1/models'
const listing = z.object({ data: z.array(z.object({ id: z.string().min(1) })) })

/** Asks each local preset for its models. out: the servers that answered with at least one, in order; never throws */
export async function findLocalServers(presets: readonly ModelPreset[], call: Outbound): Promise<LocalServer[]> {
  const asked = presets
    .filter(({ isLocal }) => isLocal)
    .map(async ({ id, name, setup }): Promise<LocalServer> => {
      const address = new URL(LIST_PATH, setup.baseUrl).href
      const answer = await call(address, { method: 'GET', limitMs: LIMIT_MS, answerBytes: ANSWER_BYTES })
      const { data } = listing.parse(JSON.parse(Buffer.from(answer.bytes).toString('utf8')))
      return { preset: id, name, models: data.map((model) => model.id) }
    })
  const found = await Promise.allSettled(asked)
  return found.flatMap((one) => (one.status === 'fulfilled' && one.value.models.length > 0 ? [one.value] : []))
}
