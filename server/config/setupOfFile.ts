/** The part of models and tool servers that the page can change, as configured. Without secrets and local paths. */
import { MODEL_PRESETS } from '@/lib/mas/modelPresets'
import { KEY_VARIABLE } from '@/lib/mas/selectors/setup'
import type { KeyRef, ModelSetup, ToolSetup } from '@/lib/mas/setupRecords'
import type { ModelConfig } from './Config'
import type { ConfigFile } from './schema'

/** May operators name this variable in the page? Allowed addresses are checked where it is used (lib/mas/selectors/setup). */
export const isKeyVariable = (name: string): boolean =>
  KEY_VARIABLE.test(name) || MODEL_PRESETS.some(({ variable }) => variable === name)

/** Prefix of the names of keys that were typed into the page. */
const STORED_KEY = 'stored:'
/** The name by which a typed-in key is looked up. */
export const storedKeyName = (id: string): string => `${STORED_KEY}${id}`
const keyNamed = (name: string): KeyRef =>
  name.startsWith(STORED_KEY) ? { stored: name.slice(STORED_KEY.length) } : { env: name }

/** The key, when it is the whole value of a header; null: another value, which the page does not change. */
function keyIn(text: string): KeyRef | null {
  const [, kind, name] = /^\$\{(env|stored):([^}]+)\}$/.exec(text) ?? []
  if (name === undefined) return null
  return kind === 'env' ? { env: name } : { stored: name }
}
/** The header value in the file for a key. */
export const keyInText = (key: KeyRef): string => ('env' in key ? `\${env:${key.env}}` : `\${stored:${key.stored}}`)

/** Models by name, as the page shows and changes them. */
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

/** Tool servers by name, as the page shows and changes them. */
export const toolSetups = ({ tools }: ConfigFile): Record<string, ToolSetup> =>
  Object.fromEntries(Object.entries(tools).map(([name, server]) => [name, toolSetup(server)]))

const toolSetup = (server: ConfigFile['tools'][string]): ToolSetup => ({
  address: server.baseurl ?? null,
  command: server.command ?? null,
  // Unexpanded: values of ${env:…} are not included.
  args: server.args,
  headers: Object.entries(server.headers).map(([name, text]) => ({ name, key: keyIn(text) })),
  guide: server.guide,
  confirm: server.confirm,
  rules: Object.fromEntries(
    Object.entries(server.tools).flatMap(([tool, { confirm }]) => (confirm === undefined ? [] : [[tool, confirm]])),
  ),
})
