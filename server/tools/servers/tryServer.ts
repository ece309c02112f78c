import { sayerOf } from '@/lib/i18n/sentences'
import type { Language } from '@/lib/mas/records'
import { TOOL_TRIAL_EN } from '@/messages/reports.en'
import { TOOL_TRIAL_ZH } from '@/messages/reports.zh'
import { unreadInWords } from '../foreign/unread'
import type { ToolPoolOptions, ToolServerConfig } from '../types'
import { openToolPool } from './pool'
import { SIGN_IN_NEEDED } from './serverLink'

/** words: one sentence with the result; hint: what to do, null: nothing; tools: what it offers, [] when unreachable. */
type TriedServer = { ok: boolean; words: string; hint: string | null; tools: string[] }

/** Connects separately from the pool, reads the offer and closes. Always resolves within the time limit. */
export async function tryServer(
  config: ToolServerConfig,
  deps: ToolPoolOptions,
  language: Language = 'en',
): Promise<TriedServer> {
  const pool = openToolPool([config], deps)
  try {
    const answer = await pool.describe(config.name)
    if (!answer.ok) return { ok: false, ...troubleSaid(language, config, answer.message), tools: [] }
    const { tools, resources, prompts, unread } = answer.description
    const asked = tools.filter(({ confirm }) => confirm).length
    const counts = { tools: tools.length, resources: resources.length, prompts: prompts.length, asked }
    const works = say(language, 'works', { name: config.name, ...counts })
    const list = unread.map((one) => unreadInWords(language, one)).join('; ')
    const words = list === '' ? works : `${works} ${say(language, 'unread', { list })}`
    return { ok: true, words, hint: null, tools: tools.map(({ name }) => name) }
  } finally {
    await pool.close()
  }
}

const say = sayerOf(TOOL_TRIAL_EN, TOOL_TRIAL_ZH)

/** The problem and a remedy. message: of the fault. */
function troubleSaid(language: Language, config: ToolServerConfig, message: string): { words: string; hint: string } {
  const { name, command = '?', baseurl = '' } = config
  const values = { name, command, baseurl, message }
  const trouble = troubleOf(config, message)
  return { words: say(language, trouble, values), hint: say(language, `${trouble}Hint`, values) }
}

function troubleOf(config: ToolServerConfig, message: string) {
  if (message.includes(SIGN_IN_NEEDED)) return 'signIn'
  if (/asks for authorization|401|403/.test(message)) return 'noKey'
  if (config.baseurl !== undefined) return 'address'
  if (/was not found/.test(message)) return 'noCommand'
  return /within/.test(message) ? 'silent' : 'ended'
}
