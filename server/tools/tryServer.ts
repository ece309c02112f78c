import type { Language } from '@/lib/mas/records'
import { openToolPool } from './pool'
import { sayAnswers, sayTrouble } from './tryWords'
import type { ToolPoolOptions, ToolServerConfig } from './types'

/** words: one sentence with the result; hint: what to do, null: nothing; tools: what it offers, [] when unreachable. */
export type TriedServer = { ok: boolean; words: string; hint: string | null; tools: string[] }

/** Connects on a connection of its own, asks what the server offers, and leaves. Always answers within the time limit. */
export async function tryServer(
  config: ToolServerConfig,
  deps: ToolPoolOptions,
  language: Language = 'en',
): Promise<TriedServer> {
  const pool = openToolPool([config], deps)
  try {
    const answer = await pool.describe(config.name)
    if (!answer.ok) return { ok: false, ...sayTrouble(language, config, answer.message), tools: [] }
    const { tools, resources, prompts } = answer.description
    const asked = tools.filter(({ confirm }) => confirm).length
    const counts = { tools: tools.length, resources: resources.length, prompts: prompts.length, asked }
    const words = sayAnswers(language, config.name, counts)
    return { ok: true, words, hint: null, tools: tools.map(({ name }) => name) }
  } finally {
    await pool.close()
  }
}
