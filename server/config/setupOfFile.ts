/** What the page can change of models and tool servers, as the file says it. Its secrets, and places on this machine, are not in it. */
import { MODEL_PRESETS } from '@/lib/mas/modelPresets'
import { KEY_VARIABLE } from '@/lib/mas/selectors/setup'
import type { KeyRef, ModelSetup, ToolSetup } from '@/lib/mas/setupRecords'
import type { ModelConfig } from './Config'
import type { ConfigFile } from './schema'

/** Operators may name it in the page. For which addresses is decided where it is named (lib/mas/selectors/setup). */
export const isKeyVariable = (name: string): boolean =>
  KEY_VARIABLE.test(name) || MODEL_PRESETS.some(({ variable }) => variable === name)

/** How the name of a key begins that was typed into the page and is in no variable. */
export const STORED_KEY = 'stored:'
/** The name under which a typed-in key is asked for. */
export const storedKeyName = (id: string): string => `${STORED_KEY}${id}`
const keyNamed = (name: string): KeyRef =>
  name.startsWith(STORED_KEY) ? { stored: name.slice(STORED_KEY.length) } : { env: name }

/** The key that is the whole of a header's value; null: the value is something else, which stays the file's. */
function keyIn(text: string): KeyRef | null {
  const [, kind, name] = /^\$\{(env|stored):([^}]+)\}$/.exec(text) ?? []
  if (name === undefined) return null
  return kind === 'env' ? { env: name } : { stored: name }
}
/** A key as a header's value in the file. */
export const keyInText = (key: KeyRef): string => ('env' in key ? `\${env:${key.env}}` : `\${stored:${key.stored}}`)

/** The models by name, as the page shows and changes them. */
export const modelSetups = (models: Record<string, ModelConfig>): Record<string, ModelSetup> =>
  Object.fromEntries(Object.entries(models).map(([name, model]) => [name, modelSetup(model)]))

const modelSetup = (model: ModelConfig): ModelSetup => ({
  provider: model.provider,
  baseUrl: model.baseUrl,
  model: model.model,
  key: model.keyEnv === null ? null : keyNamed(model.keyEnv),
  temperature: model.temperature,
  contextTokens: model.contextTokens,
  price: model.price,
  structured: model.structured,
  reasoningEffort: model.reasoningEffort,
  extra: model.extra,
  accepts: model.accepts,
  timeLimitMs: model.timeLimitMs,
  parallel: model.parallel,
})

/** The tool servers by name, as the page shows and changes them. */
export const toolSetups = ({ tools }: ConfigFile): Record<string, ToolSetup> =>
  Object.fromEntries(Object.entries(tools).map(([name, server]) => [name, toolSetup(server)]))

const toolSetup = (server: ConfigFile['tools'][string]): ToolSetup => ({
  address: server.baseurl ?? null,
  command: server.command ?? null,
  // As they are written: what ${env:…} stands for is not in them.
  args: server.args,
  headers: Object.entries(server.headers).map(([name, text]) => ({ name, key: keyIn(text) })),
  guide: server.guide,
  confirm: server.confirm,
  rules: Object.fromEntries(
    Object.entries(server.tools).flatMap(([tool, { confirm }]) => (confirm === undefined ? [] : [[tool, confirm]])),
  ),
})
