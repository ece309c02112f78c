/** Converts the checked file to the server's configuration. */
import { dirname, resolve } from 'node:path'
import { asId } from '@/lib/mas/ids'
import { PEER_VARIABLE } from '@/lib/mas/outside/peerProtocols'
import { type AgentConfig, PLAIN_AGENT } from '@/lib/mas/records'
import { traitsOf } from '@/lib/mas/setup/providers'
import type { ToolServer } from '@/lib/mas/setup/schemas/toolServer'
import type { ConfiguredToolServer, OAuthSettings } from '../shared/toolServer'
import type { Config, ModelConfig } from './Config'
import type { Finding } from './ConfigError'
import type { Surroundings } from './environment'
import { uuidOf } from './identity'
import { fill, type PlaceholderSources, variablesIn } from './placeholders'
import { type ConfigFile, fileModel, personLimits, teamLimits } from './schema'
import { packageSectionsOf, variablesInSections } from './sections'
import { isKeyVariable, modelSetups, toolSetups } from './setupOfFile'

/** in: a checked file. out: the configuration, and the placeholders that could not be filled in */
export function toConfig(
  file: ConfigFile,
  surroundings: Surroundings,
  sources: PlaceholderSources,
): { config: Config; findings: Finding[] } {
  const findings: Finding[] = []
  const named = namedVariables(file)
  const secret = (name: string): string | undefined =>
    named.has(name) || PEER_VARIABLE.test(name) || isKeyVariable(name) ? sources.variable(name) || undefined : undefined
  const models = modelsOf(file, dirname(surroundings.file))
  const config: Config = {
    ...surroundings,
    trustedProxies: file.server.trustedProxies,
    warnings: [...named].filter((name) => secret(name) === undefined).map((name) => missingVariable(file, name)),
    team: file.team,
    models,
    setup: { model: modelSetups(models), tool: toolSetups(file) },
    toolsAllowed: file.toolsAllowed,
    allowPrivate: file.server.allowPrivate ?? (isOpenToOthers(file, surroundings) ? false : 'loopback'),
    agents: file.agents.map((agent) => ({ agent: agentOf(agent), start: agent.start })),
    humans: file.humans.map(({ channels, passwordEnv, passwordHash, ...human }) => ({
      agent: humanOf(human),
      passwordEnv,
      passwordHash,
      channels: { ...channels, webhook: webhookOf(channels.webhook, sources) },
    })),
    tools: Object.entries(file.tools).map(([name, server]) => toolServer(name, server, sources, findings)),
    archives: file.archives,
    files: file.files,
    limits: teamLimits.strip().parse(file.limits),
    personLimits: personLimits.strip().parse(file.limits),
    notify: { ...file.notify, webhook: webhookOf(file.notify.webhook, sources) },
    sections: packageSectionsOf(file),
    actions: Object.entries(file.actions).map(([name, action]) => ({ name, ...action })),
    peers: file.peers,
    secret,
  }
  return { config, findings }
}

/** May other machines connect? A local person could reach the local addresses anyway. */
const isOpenToOthers = ({ server }: ConfigFile, { host, publicUrl }: Surroundings): boolean =>
  publicUrl !== null || server.trustedProxies.length > 0 || !/^(127(\.\d+){3}|::1|\[::1\]|localhost)$/.test(host)

/** null: none, or its variable is not set. */
function webhookOf(text: string | null, sources: PlaceholderSources): string | null {
  if (text === null || variablesIn(text).some((name) => !sources.variable(name))) return null
  const filled = fill(text, sources)
  return filled.ok && URL.canParse(filled.text) ? filled.text : null
}

const agentOf = ({ id, start: _, ...agent }: ConfigFile['agents'][number]): AgentConfig => ({
  ...agent,
  id: asId(uuidOf('agent', id)),
  configId: id,
  kind: 'llm',
  access: 'none',
})

type FileHuman = Omit<ConfigFile['humans'][number], 'passwordEnv' | 'passwordHash' | 'channels'>
const humanOf = ({ id, ...human }: FileHuman): AgentConfig => ({
  ...PLAIN_AGENT,
  ...human,
  id: asId(uuidOf('agent', id)),
  configId: id,
  kind: 'human',
})

/** The default model is the rehearsal: it works offline and says that it is no language model. */
const modelsOf = ({ models }: ConfigFile, folder: string): Record<string, ModelConfig> => ({
  default: modelNamed('default'),
  ...Object.fromEntries(Object.entries(models).map(([name, model]) => [name, modelOf(name, model, folder)])),
})

function modelOf(name: string, said: ConfigFile['models'][string], folder: string): ModelConfig {
  const place = (path: string | null): string | null => (path === null ? null : resolve(folder, path))
  const { keyStored, keyEnv, ...model } = said
  return {
    name,
    ...model,
    baseUrl: model.baseUrl ?? traitsOf(model.provider).address,
    key: keyEnv !== null ? { env: keyEnv } : keyStored !== null ? { stored: keyStored } : null,
    record: place(model.record),
    play: place(model.play),
  }
}

/** A model with default settings: the rehearsal. */
export const modelNamed = (name: string): ModelConfig => modelOf(name, fileModel.parse({ provider: 'rehearsal' }), '')

function toolServer(
  name: string,
  { command, args, env, baseurl, headers, oauth, ...server }: ToolServer,
  sources: PlaceholderSources,
  findings: Finding[],
): ConfiguredToolServer {
  const filled = (text: string, path: PropertyKey[]): string => {
    const result = fill(text, sources)
    if (result.ok) return result.text
    findings.push({ path: ['tools', name, ...path], isKey: false, message: result.why, hint: result.hint })
    return text
  }
  const filledAll = (texts: Record<string, string>, key: string): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([each, text]) => [each, filled(text, [key, each])]))
  if (command === undefined) {
    return { name, ...server, baseurl, headers: filledAll(headers, 'headers'), oauth: signInOf(oauth, sources) }
  }
  return {
    name,
    ...server,
    // "node" means the Node that runs this program; another one on the PATH may be too old.
    command: command === 'node' ? process.execPath : filled(command, ['command']),
    args: args.map((text, index) => filled(text, ['args', index])),
    env: filledAll(env, 'env'),
    ...(args.some((text) => text.includes('${workspace}')) ? { root: sources.workspace } : {}),
  }
}

function signInOf(oauth: ToolServer['oauth'], { variable }: PlaceholderSources): OAuthSettings | undefined {
  if (oauth === undefined) return undefined
  const value = (name: string | undefined) => (name === undefined ? undefined : variable(name) || undefined)
  const { clientSecretEnv, privateKeyEnv, ...settings } = oauth
  return { ...settings, clientSecret: value(clientSecretEnv), privateKey: value(privateKeyEnv) }
}

/** Environment variables that the file names. With those that operators may name, the only ones that `secret` returns. */
function namedVariables(file: ConfigFile): Set<string> {
  const names = [
    ...Object.values(file.models).map(({ keyEnv }) => keyEnv),
    ...file.humans.map(({ passwordEnv }) => passwordEnv),
    ...Object.values(file.tools).flatMap(({ env, headers, oauth }) => [
      ...[...Object.values(env), ...Object.values(headers)].flatMap(variablesIn),
      oauth?.clientSecretEnv,
      oauth?.privateKeyEnv,
    ]),
    ...[file.notify.webhook, ...file.humans.map(({ channels }) => channels.webhook)].flatMap((text) =>
      variablesIn(text ?? ''),
    ),
    file.notify.smtpEnv,
    file.notify.webhookKeyEnv,
    ...variablesInSections(file),
    ...file.peers.flatMap((peer) => [peer.keyEnv, peer.sendKeyEnv, peer.signingKeyEnv]),
  ]
  return new Set(names.filter((name) => name != null))
}

function missingVariable(file: ConfigFile, name: string): string {
  const human = file.humans.find(({ passwordEnv }) => passwordEnv === name)
  if (human !== undefined)
    return `${name} is not set: ${human.name} cannot sign in with a password from the environment.`
  if (name === file.notify.smtpEnv) return `${name} is not set: no e-mail is sent.`
  if (name === file.notify.webhookKeyEnv) return `${name} is not set: no webhook is called.`
  const model = Object.entries(file.models).find(([, { keyEnv }]) => keyEnv === name)
  if (model !== undefined) return `${name} is not set: the model ${model[0]} has no key and cannot be called.`
  return `${name} is not set, although the configuration names it.`
}
