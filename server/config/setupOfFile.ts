/** The part of models and tool servers that the page can change, as configured. Without secrets and local paths. */
import * as z from 'zod'
import { MODEL_PRESETS } from '@/lib/mas/setup/modelPresets'
import { modelSetup } from '@/lib/mas/setup/schemas/model'
import type { ToolServer } from '@/lib/mas/setup/schemas/toolServer'
import { KEY_VARIABLE } from '@/lib/mas/setup/setup'
import type { KeyRef, ModelSetup, ToolSetup } from '@/lib/mas/setup/setupRecords'
import type { ModelConfig } from './Config'
import type { ConfigFile } from './schema'

/** May operators name this variable in the page? Allowed addresses are checked where it is used (lib/mas/setup/setup.ts). */
export const isKeyVariable = (name: string): boolean =>
  KEY_VARIABLE.test(name) || MODEL_PRESETS.some(({ variable }) => variable === name)

/** The key, when it is the whole value of a header; null: another value, which the page does not change. */
function keyIn(text: string): KeyRef | null {
  const [, kind, name] = /^\$\{(env|stored):([^}]+)\}$/.exec(text) ?? []
  if (name === undefined) return null
  return kind === 'env' ? { env: name } : { stored: name }
}
/** The header value in the file for a key. */
export const keyInText = (key: KeyRef): string => ('env' in key ? `\${env:${key.env}}` : `\${stored:${key.stored}}`)

const ofPage = z.object(modelSetup.shape)
/** Models by name, as the page shows and changes them. */
export const modelSetups = (models: Record<string, ModelConfig>): Record<string, ModelSetup> =>
  Object.fromEntries(Object.entries(models).map(([name, model]) => [name, ofPage.parse(model)]))

/** Tool servers by name, as the page shows and changes them. */
export const toolSetups = ({ tools }: ConfigFile): Record<string, ToolSetup> =>
  Object.fromEntries(Object.entries(tools).map(([name, server]) => [name, toolSetup(server)]))

const toolSetup = ({ command, baseurl, args, guide, confirm, headers, tools }: ToolServer): ToolSetup => ({
  address: baseurl ?? null,
  command: command ?? null,
  // Unexpanded: values of ${env:…} are not included.
  args,
  headers: Object.entries(headers).map(([name, text]) => ({ name, key: keyIn(text) })),
  guide,
  confirm,
  rules: Object.fromEntries(
    Object.entries(tools).flatMap(([tool, { confirm }]) => (confirm === undefined ? [] : [[tool, confirm]])),
  ),
})
