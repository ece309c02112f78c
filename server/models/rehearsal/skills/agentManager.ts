import { finishedItems, jobOf, tagged, taggedJson } from '../common'
import type { RehearsalPrompt } from '../readPrompt'

export function playAgentManager(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const listed = finishedItems(prompt, 'ask_info').at(-1)?.result ?? ''
  const configs = [...listed.matchAll(/^\s*[-*]?\s*config_id[:\s]+([^\s:]+):?(.*)$/gm)].map(
    ([, id = '', about = '']) => ({ id, about }),
  )
  const wanted =
    job !== null && job.where.length > 0 ? /tools:\s*(?!none)\S|file|read|文件|读/i : /analy|report|分析|报告/i
  const best = configs.find((config) => wanted.test(config.about)) ?? configs[0]
  return best === undefined
    ? tagged('skip', 'no configuration of an agent is there to be started')
    : taggedJson('agent_instruction', { action: 'init_new_agent', config_id: best.id })
}
