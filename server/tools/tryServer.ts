import type { Language } from '@/lib/mas/records'
import { openToolPool } from './pool'
import { sayAnswers, sayTrouble } from './tryWords'
import type { ToolPoolOptions, ToolServerConfig } from './types'

/**
 * words  one sentence of how it is
 * hint   what a person can do about it; null when nothing need be done
 * tools  the names of what it offers; [] when it could not be reached
 */
export type TriedServer = { ok: boolean; words: string; hint: string | null; tools: string[] }

/**
 * Connect to a server on a connection of its own, ask what it offers, and leave it. Nothing of it is called.
 *
 * in      one server as configured; where log lines go, how to sign in (as for the pool); the language of the words
 * out     always an answer, within the time limit for connecting
 */
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
