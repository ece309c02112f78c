/** The configuration with what the page made of it, as models and the tool pool take it. */
import type { World } from '@/lib/mas/records'
import { selectSetup } from '@/lib/mas/setup/setup'
import type { ModelSetup, ToolSetup } from '@/lib/mas/setup/setupRecords'
import { type Config, type ModelConfig, modelNamed } from '../config'
import type { SecretOf } from '../models'
import type { ConfiguredToolServer } from '../shared/toolServer'

type Setups = Pick<World, 'setup'>

/** By name. `default` is always there. */
export function modelsNow(config: Config, world: Setups): Record<string, ModelConfig> {
  const made = [...selectSetup(world, 'model')].map(([name, value]) => [name, modelNow(config, world, name, value)])
  return { default: config.models.default ?? modelNamed('default'), ...Object.fromEntries(made) }
}

/** What is as the file says is the file's, to the letter. */
function modelNow(config: Config, { setup }: Setups, name: string, value: ModelSetup): ModelConfig {
  const inFile = Object.hasOwn(config.models, name) ? config.models[name] : undefined
  return setup.model[name]?.page === null && inFile !== undefined ? inFile : madeModel(config, name, value)
}

/** A model as the page says; what it does not say is the file's of that name. */
export function madeModel(config: Config, name: string, value: ModelSetup): ModelConfig {
  const inFile = Object.hasOwn(config.models, name) ? config.models[name] : undefined
  const isSameAddress = inFile !== undefined && inFile.baseUrl === value.baseUrl
  return {
    ...(inFile ?? modelNamed(name)),
    ...value,
    ...(isSameAddress ? {} : { allowPrivate: config.allowPrivate }),
  }
}

/** The tool servers of the file and the page, as the pool runs them. */
export function toolsNow(config: Config, world: Setups, secret: SecretOf): ConfiguredToolServer[] {
  return [...selectSetup(world, 'tool')].map(([name, value]) =>
    serverWith(config, name, value, secret, world.setup.tool[name]?.page === null),
  )
}

/**
 * A tool server as the pool would run it with these values. Of one in the file they change keys and rules only, not the way to it.
 *
 * in      isAsInFile: the rules are the file's, to the letter
 */
export function serverWith(
  config: Config,
  name: string,
  value: ToolSetup,
  secret: SecretOf,
  isAsInFile = false,
): ConfiguredToolServer {
  const inFile = config.tools.find((server) => server.name === name)
  if (inFile !== undefined) {
    // A key goes to the address of the file alone.
    const headers = headersOf({ ...value, address: inFile.baseurl ?? null }, secret, inFile.headers)
    return { ...inFile, ...headers, ...(isAsInFile ? {} : rulesOf(value, inFile.tools)) }
  }
  const { address, command, args } = value
  const way =
    address === null
      ? { command: command === 'node' ? process.execPath : (command ?? ''), args }
      : { baseurl: address, ...headersOf(value, secret), allowPrivate: config.allowPrivate }
  return { name, sampling: 'ask', repeat: [], ...rulesOf(value), ...way }
}

/** Values of headers: the file's, and keys that were typed for this address. */
function headersOf({ address, headers }: ToolSetup, secret: SecretOf, inFile: Record<string, string> = {}) {
  if (address === null) return {}
  const known = headers.flatMap(({ name, key }) => {
    const text = key === null ? inFile[name] : secret(key, address)
    return text === undefined ? [] : [[name, text] as const]
  })
  return { headers: Object.fromEntries(known) }
}

/** What the page changes of a server's tools is whether they are confirmed; what else the file says of a tool stays. */
function rulesOf({ guide, confirm, rules }: ToolSetup, inFile: ConfiguredToolServer['tools'] = {}) {
  const kept = Object.entries(inFile).map(([tool, { confirm: _, ...rest }]) => [tool, rest] as const)
  const tools: ConfiguredToolServer['tools'] = Object.fromEntries(kept)
  for (const [tool, rule] of Object.entries(rules)) tools[tool] = { ...tools[tool], confirm: rule }
  return { guide, confirm, tools }
}
