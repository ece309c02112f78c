/** Converts the checked file to the server's configuration. */
import { dirname, resolve } from 'node:path'
import { asId } from '@/lib/mas/ids'
import { PEER_VARIABLE } from '@/lib/mas/outsideRecords'
import { traitsOf } from '@/lib/mas/providers'
import { type AgentConfig, type AgentLimits, PLAIN_AGENT, SKILLS } from '@/lib/mas/records'
import type { ConfiguredToolServer, OAuthSettings } from '../shared/toolServer'
import type { Config, ModelConfig, NotifyConfig } from './Config'
import type { Finding } from './ConfigError'
import { camelKeys } from './camelKeys'
import type { Surroundings } from './environment'
import { uuidOf } from './identity'
import { fill, type PlaceholderSources, variablesIn } from './placeholders'
import type { ConfigFile } from './schema'
import * as schema from './schema'
import { isKeyVariable, modelSetups, storedKeyName, toolSetups } from './setupOfFile'

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
    trustedProxies: file.server.trusted_proxies,
    warnings: [...named].filter((name) => secret(name) === undefined).map((name) => missingVariable(file, name)),
    team: camelKeys(schema.team, file.team),
    models,
    setup: { model: modelSetups(models), tool: toolSetups(file) },
    toolsAllowed: file.tools_allowed,
    allowPrivate: file.server.allow_private ?? (isOpenToOthers(file, surroundings) ? false : 'loopback'),
    agents: file.agents.map((agent) => ({ agent: agentOf(agent), start: agent.start })),
    humans: file.humans.map((human) => ({
      agent: humanOf(human),
      passwordEnv: human.password_env ?? null,
      passwordHash: human.password_hash ?? null,
      channels: { email: human.channels.email ?? null, webhook: webhookOf(human.channels.webhook, sources) },
    })),
    tools: Object.keys(file.tools).map((name) => toolServer(name, file, sources, findings)),
    archives: { keepDays: file.archives.keep_days ?? null },
    files: { versions: file.files.versions },
    limits: camelKeys<schema.TeamLimitsSection>(schema.teamLimits, file.limits),
    personLimits: camelKeys<schema.PersonLimitsSection>(schema.personLimits, file.limits),
    notify: {
      ...camelKeys(schema.notify, file.notify),
      webhook: webhookOf(file.notify.webhook, sources),
      times: timesOf(file.notify.times),
      escalation: file.notify.escalation.map((policy) =>
        typeof policy === 'string'
          ? { group: policy, afterMs: ESCALATE_MS }
          : { group: policy.group, afterMs: policy.after_s * 1_000 },
      ),
    },
    rehearsal: {
      ...camelKeys(schema.rehearsal, file.rehearsal),
      faults: file.rehearsal.faults.map((fault) => ({ ...fault, agent: fault.agent ?? null })),
    },
    actions: Object.entries(file.actions).map(([name, action]) => ({ name, ...action })),
    peers: file.peers.map((peer) => ({
      ...camelKeys(schema.peer, peer),
      limits: peer.limits ? camelKeys(schema.peerLimits, peer.limits) : null,
    })),
    secret,
  }
  return { config, findings }
}

/** May other machines connect? A local person could reach the local addresses anyway. */
const isOpenToOthers = ({ server }: ConfigFile, { host, publicUrl }: Surroundings): boolean =>
  publicUrl !== null || server.trusted_proxies.length > 0 || !/^(127(\.\d+){3}|::1|\[::1\]|localhost)$/.test(host)

/** null: none, or its variable is not set. */
function webhookOf(text: string | undefined, sources: PlaceholderSources): string | null {
  if (text === undefined || variablesIn(text).some((name) => !sources.variable(name))) return null
  const filled = fill(text, sources)
  return filled.ok && URL.canParse(filled.text) ? filled.text : null
}

const ESCALATE_MS = 120_000

function timesOf(section: ConfigFile['notify']['times']): NotifyConfig['times'] {
  const { ownChannelsMs: ownMs, ...times } = camelKeys(schema.times, section)
  return { ...times, ownMs }
}

function agentOf(agent: ConfigFile['agents'][number]): AgentConfig {
  const { id, may_wait: mayWait, start: _, skills, limits, ...rest } = agent
  return {
    ...rest,
    id: asId(uuidOf('agent', id)),
    configId: id,
    kind: 'llm',
    mayWait,
    skills: SKILLS.filter((skill) => skills.includes('all') || skills.includes(skill)),
    access: 'none',
    ...(limits === undefined ? {} : { limits: agentLimits(limits) }),
  }
}

const agentLimits = (limits: NonNullable<ConfigFile['agents'][number]['limits']>): AgentLimits => ({
  ...(limits.steps_per_part === undefined ? {} : { stepsPerPart: limits.steps_per_part }),
  ...(limits.reflections_per_part === undefined ? {} : { reflectionsPerPart: limits.reflections_per_part }),
})

function humanOf(human: ConfigFile['humans'][number]): AgentConfig {
  const { id, password_env: _, password_hash: __, channels: ___, ...rest } = human
  return { ...PLAIN_AGENT, ...rest, id: asId(uuidOf('agent', id)), configId: id, kind: 'human' }
}

/** The default model is the rehearsal: it works offline and says that it is no language model. */
const modelsOf = ({ models }: ConfigFile, folder: string): Record<string, ModelConfig> => ({
  default: modelNamed('default'),
  ...Object.fromEntries(Object.entries(models).map(([name, model]) => [name, modelOf(name, model, folder)])),
})

function modelOf(name: string, section: ConfigFile['models'][string], folder: string): ModelConfig {
  const place = (path: string | null): string | null => (path === null ? null : resolve(folder, path))
  const { keyStored, keyEnv, maxTokens, price, ...model } = camelKeys(schema.model, section)
  return {
    name,
    ...model,
    baseUrl: model.baseUrl ?? traitsOf(model.provider).address,
    keyEnv: keyEnv ?? (keyStored === null ? null : storedKeyName(keyStored)),
    maxTokens: typeof maxTokens === 'number' ? { default: maxTokens } : maxTokens,
    price: price && { ...price, cached: price.cached ?? null },
    record: place(model.record),
    play: place(model.play),
  }
}

/** A model with default settings: the rehearsal. */
export const modelNamed = (name: string): ModelConfig =>
  modelOf(name, schema.model.parse({ provider: 'rehearsal' }), '')

function toolServer(
  name: string,
  file: ConfigFile,
  sources: PlaceholderSources,
  findings: Finding[],
): ConfiguredToolServer {
  const server = file.tools[name]
  if (server === undefined) throw new Error(`there is no tool server ${name}`)
  const filled = (text: string, path: PropertyKey[]): string => {
    const result = fill(text, sources)
    if (result.ok) return result.text
    findings.push({ path: ['tools', name, ...path], isKey: false, message: result.why, hint: result.hint })
    return text
  }
  const shared = {
    name,
    guide: server.guide,
    confirm: server.confirm,
    repeat: server.repeat,
    tools: server.tools,
    sampling: server.sampling,
    ...(server.time_limit_s === undefined ? {} : { timeLimitMs: server.time_limit_s * 1000 }),
    ...(server.longest_s === undefined ? {} : { longestMs: server.longest_s * 1000 }),
  }
  const filledAll = (texts: Record<string, string>, key: string): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([each, text]) => [each, filled(text, [key, each])]))
  if (server.command === undefined) {
    return {
      ...shared,
      baseurl: server.baseurl,
      headers: filledAll(server.headers, 'headers'),
      oauth: signInOf(server.oauth, sources),
    }
  }
  // "node" means the Node that runs this program; another one on the PATH may be too old.
  const command = server.command === 'node' ? process.execPath : filled(server.command, ['command'])
  const env = filledAll(server.env, 'env')
  return {
    ...shared,
    command,
    args: server.args.map((text, index) => filled(text, ['args', index])),
    env,
    ...(server.args.some((text) => text.includes('${workspace}')) ? { root: sources.workspace } : {}),
  }
}

function signInOf(
  oauth: ConfigFile['tools'][string]['oauth'],
  { variable }: PlaceholderSources,
): OAuthSettings | undefined {
  if (oauth === undefined) return undefined
  const value = (name: string | undefined) => (name === undefined ? undefined : variable(name) || undefined)
  return {
    grant: oauth.grant,
    clientId: oauth.client_id,
    clientSecret: value(oauth.client_secret_env),
    privateKey: value(oauth.private_key_env),
    algorithm: oauth.algorithm,
    scope: oauth.scope,
    clientMetadataUrl: oauth.client_metadata_url,
    issuer: oauth.issuer,
  }
}

/** Environment variables that the file names. With those that operators may name, the only ones that `secret` returns. */
function namedVariables(file: ConfigFile): Set<string> {
  const names = [
    ...Object.values(file.models).map(({ key_env }) => key_env),
    ...file.humans.map(({ password_env }) => password_env),
    ...Object.values(file.tools).flatMap(({ env, headers, oauth }) => [
      ...[...Object.values(env), ...Object.values(headers)].flatMap(variablesIn),
      oauth?.client_secret_env,
      oauth?.private_key_env,
    ]),
    ...[file.notify.webhook, ...file.humans.map(({ channels }) => channels.webhook)].flatMap((text) =>
      variablesIn(text ?? ''),
    ),
    file.notify.smtp_env,
    file.notify.webhook_key_env,
    ...file.peers.flatMap((peer) => [peer.key_env, peer.send_key_env, peer.signing_key_env]),
  ]
  return new Set(names.filter((name) => name !== undefined))
}

function missingVariable(file: ConfigFile, name: string): string {
  const human = file.humans.find(({ password_env }) => password_env === name)
  if (human !== undefined)
    return `${name} is not set: ${human.name} cannot sign in with a password from the environment.`
  if (name === file.notify.smtp_env) return `${name} is not set: no e-mail is sent.`
  if (name === file.notify.webhook_key_env) return `${name} is not set: no webhook is called.`
  const model = Object.entries(file.models).find(([, { key_env }]) => key_env === name)
  if (model !== undefined) return `${name} is not set: the model ${model[0]} has no key and cannot be called.`
  return `${name} is not set, although the configuration names it.`
}
