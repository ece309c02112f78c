/** Tries what a configuration names, each model and each tool server, as a person would. */
import { own } from '@/lib/json'
import type { TriedAnswer } from '@/lib/wire/http'
import type { Config } from '../config'
import { ofVariables, type SecretOf, tryModel } from '../models'
import { channelTrials } from '../notify/tryChannels'
import { type ToolPoolOptions, tryServer } from '../tools'

/** Models and tool servers as they are now. */
type Live = {
  models(): Config['models']
  servers(): Config['tools']
  secret: SecretOf
}
const asConfigured = (config: Config): Live => ({
  models: () => config.models,
  servers: () => config.tools,
  secret: ofVariables(config.secret),
})

/** in: configuration, tool options, live: what is in effect. out: names that can be tried; a model is really called. */
export function openTrial(config: Config, tools: ToolPoolOptions, live: Live = asConfigured(config)) {
  const trials = channelTrials(config)
  return {
    get models() {
      return Object.keys(live.models())
    },
    get tools() {
      return live.servers().map(({ name }) => name)
    },
    /** How people are reached outside the page. */
    channels: [...trials.keys()],
    /** null: nothing of that name is configured. Never throws. */
    async tryOne(kind: 'model' | 'tool' | 'channel', name: string): Promise<TriedAnswer | null> {
      if (kind === 'channel') return (await trials.get(name)?.()) ?? null
      const { language } = config.team
      const model = kind === 'model' ? own(live.models(), name) : undefined
      const server = kind === 'tool' ? live.servers().find((one) => one.name === name) : undefined
      const tried = model
        ? tryModel(name, model, { secret: live.secret, language })
        : server && tryServer(server, tools, language)
      if (tried === undefined) return null
      const { ok, words, hint } = await tried
      return { ok, words, hint }
    },
  }
}
