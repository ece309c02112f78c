/** Checks that values, each valid by itself, fit together. */

import ipaddr from 'ipaddr.js'
import { BUILT_IN_ACTIONS } from '@/lib/mas/outside/builtInActions'
import { AGENTS_SERVER } from '@/lib/mas/outside/records'
import { type Provider, traitsOf } from '@/lib/mas/setup/providers'
import {
  mediaNotTaken,
  missingSkills,
  ownFieldsIn,
  unsignedOf,
  whatModelLacks,
  whyNoWay,
} from '@/lib/mas/setup/setupFields'
import { contextOf } from '@/server/shared/knownModels'
import { isHere, missingPackage, type PackageName } from '@/server/shared/packages'
import type { Finding } from './ConfigError'
import { hintFor } from './nearest'
import type { ConfigFile } from './schema'
import { agentsInSections } from './sections'

/** out: every conflict */
export function crossCheck(file: ConfigFile): Finding[] {
  return [
    ...sameIds(file),
    ...modelNames(file),
    ...toolNames(file),
    ...skills(file),
    ...servers(file),
    ...models(file),
    ...ofPackages(file),
    ...people(file),
    ...reaching(file),
    ...sectionsAndPeers(file),
    ...actions(file),
    ...proxies(file),
  ]
}

const at = (path: PropertyKey[], message: string, hint: string | null = null): Finding => ({
  path,
  isKey: false,
  message,
  hint,
})

/** The finding, if something is wrong. */
const when = (isWrong: boolean, ...finding: Parameters<typeof at>): Finding[] => (isWrong ? [at(...finding)] : [])

/** in: what: "no model called". out: that there is none of that name, with the nearest one */
const unlessKnown = (path: PropertyKey[], what: string, name: string, known: readonly string[]): Finding[] =>
  when(!known.includes(name), path, `there is ${what} "${name}"`, hintFor(name, known))

function proxies({ server }: ConfigFile): Finding[] {
  return server.trustedProxies.flatMap((text, index) => {
    const path = ['server', 'trusted_proxies', index]
    if (/\/0+$/.test(text)) return [at(path, `"${text}" would trust every address`, 'Name the proxies alone.')]
    const isAddress = ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
    return when(
      !isAddress,
      path,
      `"${text}" is no address`,
      'An address such as 127.0.0.1, or a range such as 10.0.0.0/8.',
    )
  })
}

function sameIds({ agents, humans }: ConfigFile): Finding[] {
  const seen = new Map<string, string>()
  const members = Object.entries({ agents, humans }).flatMap(([list, all]) =>
    all.map(({ id }, index) => ({ id, path: [list, index, 'id'], who: `${list}[${index}]` })),
  )
  return members.flatMap(({ id, path, who }) => {
    const other = seen.get(id)
    seen.set(id, who)
    const message = `"${id}" is already the id of ${other}`
    return when(other !== undefined, path, message, 'Agents and people share one space of ids.')
  })
}

function modelNames({ team, agents, models }: ConfigFile): Finding[] {
  const known = [...new Set(['default', ...Object.keys(models)])]
  return [
    ...unlessKnown(['team', 'model'], 'no model called', team.model, known),
    ...agents.flatMap(({ model }, index) => unlessKnown(['agents', index, 'model'], 'no model called', model, known)),
  ]
}

function toolNames({ agents, humans, tools }: ConfigFile): Finding[] {
  const known = [...Object.keys(tools), AGENTS_SERVER]
  return Object.entries({ agents, humans }).flatMap(([list, all]) =>
    all.flatMap((member, index) =>
      member.tools.flatMap((name, position) =>
        unlessKnown([list, index, 'tools', position], 'no tool server called', name, known),
      ),
    ),
  )
}

function skills({ agents }: ConfigFile): Finding[] {
  return agents.flatMap((agent, index) => {
    const missing = missingSkills(agent).join(', ')
    const why = agent.manager
      ? 'could not end its work, or judge that of others'
      : 'could not end its part of any stage'
    const hint = `Add ${missing} here, or write skills: [all].`
    return when(missing !== '', ['agents', index, 'skills'], `lacks ${missing}: ${agent.id} ${why}`, hint)
  })
}

function servers({ tools }: ConfigFile): Finding[] {
  return Object.entries(tools).flatMap(([name, { command, baseurl, headers, oauth }]) => {
    const path = ['tools', name]
    if (name === AGENTS_SERVER)
      return [at(path, `"${name}" is the name of the built-in server`, 'Choose another name.')]
    const why = whyNoWay({ command: command ?? null, address: baseurl ?? null })
    if (why === 'both') {
      const hint = 'command starts a program here, baseurl reaches a server elsewhere: keep one.'
      return [at(path, 'has both command and baseurl', hint)]
    }
    if (why === 'neither') {
      const hint = 'Write command: … (a program to start) or baseurl: … (a server to reach).'
      return [at(path, 'has neither command nor baseurl', hint)]
    }
    return remoteOnly(path, command, { headers, oauth })
  })
}

function remoteOnly(
  path: string[],
  command: string | undefined,
  { headers, oauth }: Pick<ConfigFile['tools'][string], 'headers' | 'oauth'>,
): Finding[] {
  if (command !== undefined) {
    const keys = [...(Object.keys(headers).length > 0 ? ['headers'] : []), ...(oauth === undefined ? [] : ['oauth'])]
    const hint = 'Only a server that is reached by baseurl takes it.'
    return keys.map((key) => at([...path, key], 'stands beside command', hint))
  }
  if (oauth === undefined) return []
  const hasSecret = oauth.clientSecretEnv !== undefined || oauth.privateKeyEnv !== undefined
  if (hasSecret && oauth.issuer === undefined) {
    const hint =
      'Write issuer: <address of the sign-in server>; else the tool server could have the secret sent anywhere.'
    return [at([...path, 'oauth'], 'holds a secret and names no issuer', hint)]
  }
  if (oauth.grant !== 'client_credentials') return []
  const missing = [...(oauth.clientId === undefined ? ['client_id'] : []), ...(hasSecret ? [] : ['client_secret_env'])]
  const hint = 'Nobody signs in for client_credentials: we show our own credentials.'
  return missing.map((key) => at([...path, 'oauth'], `needs ${key}`, hint))
}

type FileModel = ConfigFile['models'][string]

/** Output settings are sent with each request, so they need a model server. */
function answers(name: string, model: FileModel): Finding[] {
  const { provider, maxTokens, reasoningEffort, extra } = model
  const contextTokens = contextOf(model)
  const said = {
    max_tokens: maxTokens,
    reasoning_effort: reasoningEffort,
    extra: Object.keys(extra).length > 0 ? extra : null,
  }
  const most = Math.max(0, ...Object.values(maxTokens ?? {}))
  const room = `leaves no room in a context of ${contextTokens}`
  return [
    ...Object.entries(said)
      .filter(([, value]) => value !== null && !traitsOf(provider).isServer)
      .map(([key]) =>
        at(['models', name, key], `is for a model server, not for provider ${provider}`, 'Leave it out.'),
      ),
    ...when(most >= contextTokens, ['models', name, 'max_tokens'], room, 'Write a smaller one.'),
    ...ownFieldsIn(extra).map((key) =>
      at(['models', name, 'extra', key], 'is a field that Convene writes itself', 'Leave it out.'),
    ),
  ]
}

/** Packages that models need. */
const PACKAGE_OF_PROVIDER: Partial<Record<Provider, PackageName>> = { rehearsal: 'rehearsal' }

function ofPackages({ models, peers, actions, agents, humans }: ConfigFile): Finding[] {
  const missing = Object.entries(models).flatMap(([name, { provider }]) => {
    const needed = PACKAGE_OF_PROVIDER[provider]
    return needed === undefined || isHere(needed)
      ? []
      : [at(['models', name, 'provider'], `${provider} needs ${missingPackage(needed)}`)]
  })
  const writers = Object.entries({ agents, humans }).flatMap(([list, all]) =>
    all.flatMap(({ tools }, index) => (tools.includes(AGENTS_SERVER) ? [[list, index, 'tools']] : [])),
  )
  const outside = [
    ...(peers.length > 0 ? [['peers']] : []),
    ...(Object.keys(actions).length > 0 ? [['actions']] : []),
    ...writers,
  ]
  const hint = 'Write models: { default: { provider: …, base_url: …, model: … } }.'
  const isUnnamed = !Object.hasOwn(models, 'default') && !isHere('rehearsal')
  return [
    ...missing,
    ...outside.flatMap((path) => when(!isHere('interop'), path, `needs ${missingPackage('interop')}`)),
    ...when(
      isUnnamed,
      ['models'],
      `names no default model; the built-in one needs ${missingPackage('rehearsal')}`,
      hint,
    ),
  ]
}

function models({ models }: ConfigFile): Finding[] {
  return Object.entries(models).flatMap(([name, settings]) => [...ofModel(name, settings), ...answers(name, settings)])
}

function ofModel(name: string, settings: FileModel): Finding[] {
  const { provider, keyEnv, keyStored, record, play } = settings
  const { plays: isRecording, accepts: takes } = traitsOf(provider)
  const wrong = (isWrong: boolean, key: string | null, message: string, hint: string): Finding[] =>
    when(isWrong, key === null ? ['models', name] : ['models', name, key], message, hint)
  const unnamed = whatModelLacks(settings) === 'name'
  const isRefused = mediaNotTaken(settings).length > 0
  return [
    ...wrong(unnamed, null, `a model of provider ${provider} needs the name of the model`, 'Write model: … here.'),
    ...wrong(keyEnv !== null && keyStored !== null, 'key_stored', 'stands beside key_env', 'Keep one of the two.'),
    ...wrong(
      isRecording && play === null,
      null,
      'a recording needs the folder that it is played from',
      'Write play: … here.',
    ),
    ...wrong(
      !isRecording && play !== null,
      'play',
      `is for provider recording, not ${provider}`,
      'record: … writes a recording.',
    ),
    ...wrong(
      isRefused && takes.length > 0,
      'accepts',
      `provider ${provider} takes ${takes.join(' and ')} only`,
      `Write accepts: [${takes.join(', ')}].`,
    ),
    ...wrong(
      isRefused && takes.length === 0,
      'accepts',
      `is for a model, not for provider ${provider}`,
      'Leave accepts out.',
    ),
    ...wrong(isRecording && record !== null, 'record', 'a recording is not recorded again', 'Leave record out.'),
  ]
}

function people({ agents, humans }: ConfigFile): Finding[] {
  const isManaged = agents.some(({ manager, start }) => manager && start)
  const isOperated = humans.some(({ access }) => access === 'operator')
  return [
    ...humans.flatMap(({ passwordEnv, passwordHash }, index) => {
      const isTwice = passwordEnv !== null && passwordHash !== null
      return when(isTwice, ['humans', index, 'password_hash'], 'stands beside password_env', 'Keep one of the two.')
    }),
    ...when(!isManaged, ['agents'], 'nobody manages the base task', 'Give one agent that starts manager: true.'),
    ...when(!isOperated, ['humans'], 'nobody is an operator', 'Give one person access: operator.'),
  ]
}

/** Channels that cannot work, and empty groups. */
function reaching({ humans, notify }: ConfigFile): Finding[] {
  const groups = [...new Set(humans.flatMap((human) => human.groups))]
  const hasEmail = humans.some(({ channels }) => channels.email !== null)
  const hasWebhook = notify.webhook !== null || humans.some(({ channels }) => channels.webhook !== null)
  return [
    ...when(
      hasEmail && notify.smtpEnv === null,
      ['notify'],
      'people have e-mail addresses, and no mail server is named',
      'Write smtp_env: <variable> here.',
    ),
    ...when(
      notify.smtpEnv !== null && notify.mailFrom === null,
      ['notify'],
      'e-mail needs a sender',
      'Write mail_from: convene@example.org here.',
    ),
    ...when(
      hasWebhook && notify.webhookKeyEnv === null,
      ['notify'],
      'webhooks are called, and no key signs the calls',
      'Write webhook_key_env: <variable> here; the receiver checks the signature with the same key.',
    ),
    ...notify.escalation.flatMap(({ group }, index) => {
      const message = `nobody is in the group "${group}"`
      return when(!groups.includes(group), ['notify', 'escalation', index], message, hintFor(group, groups))
    }),
  ]
}

/** Keys and URIs must be unique among peers. */
function twice(peers: ConfigFile['peers'], { uri, keyEnv }: ConfigFile['peers'][number], index: number): Finding[] {
  const before = peers.slice(0, index)
  const sameUri = before.some((peer) => peer.uri === uri)
  const sameKey = keyEnv !== null && before.some((peer) => peer.keyEnv === keyEnv)
  return [
    ...when(sameUri, ['peers', index, 'uri'], `${uri} stands here twice`, 'Put what it may into one entry.'),
    ...when(sameKey, ['peers', index, 'key_env'], 'is the key of another peer too', 'Give each peer a key of its own.'),
  ]
}

function sectionsAndPeers(file: ConfigFile): Finding[] {
  const { agents, peers } = file
  const known = agents.map(({ id }) => id)
  const unknown = (path: PropertyKey[], id: string): Finding[] => unlessKnown(path, NO_AGENT, id, known)
  return [
    ...agentsInSections(file).flatMap(({ path, agent }) => unknown(path, agent)),
    ...peers.flatMap((peer, index) => twice(peers, peer, index)),
    ...peers.flatMap((peer, index) =>
      unsignedOf(peer).map((protocol) =>
        at(
          ['peers', index, 'may', peer.may.indexOf(protocol)],
          `a peer with a signing key cannot use ${protocol}, which has no signatures`,
          `Take ${protocol} out of may here, or leave out signing_key_env.`,
        ),
      ),
    ),
    ...peers.flatMap((peer, index) =>
      peer.agents.flatMap((id, position) => unknown(['peers', index, 'agents', position], id)),
    ),
  ]
}

const NO_AGENT = 'no agent with the id'
const PLACEHOLDER = /\{([^{}\s]+)\}/g

function actions({ agents, actions, peers }: ConfigFile): Finding[] {
  const known = agents.map(({ id }) => id)
  return Object.entries(actions).flatMap(([name, { agent, asks, parameters }]) => {
    const path = ['actions', name]
    const names = Object.keys(parameters.properties)
    const unnamed = (list: string[], key: string): Finding[] =>
      list
        .filter((one) => !names.includes(one))
        .map((one) => at([...path, key], `"${one}" is no parameter of ${name}`, hintFor(one, names)))
    const isBuiltIn = Object.hasOwn(BUILT_IN_ACTIONS, name)
    const asked = [...asks.matchAll(PLACEHOLDER)].map(([, one = '']) => one)
    return [
      ...when(isBuiltIn, path, `"${name}" is an action that every agent has`, 'Choose another name.'),
      ...unlessKnown([...path, 'agent'], NO_AGENT, agent, known),
      ...unnamed(asked, 'asks'),
      ...unnamed(parameters.required ?? [], 'parameters'),
      ...peers.flatMap((peer, index) =>
        when(
          peer.actions.includes(name) && peer.agents.length > 0 && !peer.agents.includes(agent),
          ['peers', index, 'actions', peer.actions.indexOf(name)],
          `${name} is put to ${agent}, whom this peer may not reach`,
          `Add ${agent} to agents here.`,
        ),
      ),
    ]
  })
}
