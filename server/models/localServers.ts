import * as z from 'zod'
import type { ModelPreset } from '@/lib/mas/modelPresets'
import type { Outbound } from '../net'

/** name: of the preset; models: what the server offers now */
export type LocalServer = { preset: string; name: string; models: string[] }

const LIMIT_MS = 1_500
const ANSWER_BYTES = 256 * 1024
/** Ollama, LM Studio and vLLM all answer it. */
const LIST_PATH = '/v1/models'
const listing = z.object({ data: z.array(z.object({ id: z.string().min(1) })) })

/** Asks the local presets for their models. out: those that answered with one, in their order; never throws. */
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
