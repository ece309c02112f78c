/** A gateway whose setup can be changed, with keys in memory and trials that are counted. */
import { asId } from '@/lib/mas/ids'
import type { SetupPort } from '../ports'
import { openDouble } from './gatewayDouble'

/** in: more: parts of the port that differ */
export async function openSetupDouble(more: Partial<SetupPort> = {}) {
  const keys = new Map<string, string>()
  const tried: string[] = []
  const file = { canWrite: true, written: 0 }
  const setup: SetupPort = {
    agentId: (id) => asId(`00000000-0000-4000-8000-0000000${id.length.toString().padStart(5, '0')}`),
    keepKey: async (_, address) => {
      keys.set(`k${keys.size}`, new URL(address).origin)
      return `k${keys.size - 1}`
    },
    hasKey: (id, address) => keys.get(id) === new URL(address).origin,
    mayReach: async (address) => !address.includes('10.0.0.1'),
    localServers: async () => [{ preset: 'ollama', name: 'Ollama', models: ['llama3.1'] }],
    isSet: (variable) => variable === 'OPENAI_API_KEY',
    listModels: async ({ provider }) => ({ ok: true, models: [{ name: `${provider}-large`, known: null }] }),
    tryModel: async (name) => {
      tried.push(name)
      return { ok: true, words: `${name} works`, hint: null, tools: [] }
    },
    tryServer: async (name) => {
      tried.push(name)
      return { ok: false, words: 'Nothing answers', hint: 'Look at it', tools: [] }
    },
    file: async () => ({
      name: 'convene.yaml',
      canWrite: file.canWrite,
      isSame: false,
      text: 'team: {}',
      write: async () => void file.written++,
    }),
    ...more,
  }
  return { ...(await openDouble({ setup })), keys, tried, file }
}

let commands = 0
/** The head of a command, with an id of its own. */
export const commandHead = () => {
  commands += 1
  return { id: `setup-test-${commands}`, until: Date.UTC(2027, 0) }
}
