/** Owns: trying one configured server as a person would: does it start, what does it offer, and if not, what to do. Used by: doctor, the settings page. */
import { openToolPool } from './pool'
import { SIGN_IN_NEEDED } from './serverLink'
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
 * in      one server as configured; where log lines go, how to sign in (as for the pool)
 * out     always an answer, within the time limit for connecting
 */
export async function tryServer(config: ToolServerConfig, deps: ToolPoolOptions): Promise<TriedServer> {
  const pool = openToolPool([config], deps)
  try {
    const answer = await pool.describe(config.name)
    if (!answer.ok) return { ok: false, words: answer.message, hint: hintFor(config, answer.message), tools: [] }
    const { tools, resources, prompts } = answer.description
    const asked = tools.filter(({ confirm }) => confirm).length
    const parts = [
      counted(tools.length, 'tool'),
      ...(resources.length > 0 ? [counted(resources.length, 'resource')] : []),
      ...(prompts.length > 0 ? [counted(prompts.length, 'prompt')] : []),
    ]
    const words = `${config.name} answers: ${parts.join(', ')}; a person is asked before ${asked} of the tools.`
    return { ok: true, words, hint: null, tools: tools.map(({ name }) => name) }
  } finally {
    await pool.close()
  }
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

function hintFor(config: ToolServerConfig, message: string): string {
  if (message.includes(SIGN_IN_NEEDED)) return 'Sign in as an operator: Settings, Models and tools, Sign in.'
  if (/asks for authorization|401|403/.test(message)) {
    return `Give it a key (headers: { Authorization: "Bearer \${env:NAME}" }) or an oauth block under tools.${config.name}.`
  }
  if (config.baseurl !== undefined) {
    return `Is ${config.baseurl} its address, with the path, and does it run? Try it with curl from this machine.`
  }
  if (/was not found/.test(message)) return `Install ${config.command ?? 'the command'}, or write its whole path.`
  if (/within/.test(message)) return 'It started and said nothing. Does it speak MCP over its standard output?'
  return 'Start the same command in a terminal: what it says there is the reason.'
}
