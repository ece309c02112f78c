/** Checks that values, each valid by itself, fit together. */
import ipaddr from 'ipaddr.js'
import { AGENTS_SERVER } from '@/lib/mas/outsideRecords'
import { JUDGING_SKILLS, PART_ENDING_SKILLS } from '@/lib/mas/records'
import { BUILT_IN_ACTIONS } from '@/lib/protocols/envelope/actions'
import type { Finding } from './ConfigError'
import { hintFor } from './nearest'
import { type ConfigFile, OWN_FIELDS } from './schema'

/** out: every conflict */
export function crossCheck(file: ConfigFile): Finding[] {
  return [
    ...sameIds(file),
    ...modelNames(file),
    ...toolNames(file),
    ...skills(file),
    ...servers(file),
    ...models(file),
    ...people(file),
    ...reaching(file),
    ...faultsAndPeers(file),
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

function proxies({ server }: ConfigFile): Finding[] {
  return server.trusted_proxies.flatMap((text, index) => {
    const path = ['server', 'trusted_proxies', index]
    if (/\/0+$/.test(text)) return [at(path, `"${text}" would trust every address`, 'Name the proxies alone.')]
    if (ipaddr.isValid(text) || ipaddr.isValidCIDR(text)) return []
    return [at(path, `"${text}" is no address`, 'An address such as 127.0.0.1, or a range such as 10.0.0.0/8.')]
  })
}

function sameIds({ agents, humans }: ConfigFile): Finding[] {
  const seen = new Map<string, string>()
  const members = [
    ...agents.map(({ id }, index) => ({ id, path: ['agents', index, 'id'] as PropertyKey[], who: `agents[${index}]` })),
    ...humans.map(({ id }, index) => ({ id, path: ['humans', index, 'id'] as PropertyKey[], who: `humans[${index}]` })),
  ]
  return members.flatMap(({ id, path, who }) => {
    const other = seen.get(id)
    seen.set(id, who)
    return other === undefined
      ? []
      : [at(path, `"${id}" is already the id of ${other}`, 'Agents and people share one space of ids.')]
  })
}

function modelNames({ team, agents, models }: ConfigFile): Finding[] {
  const known = [...new Set(['default', ...Object.keys(models)])]
  const ofTeam = known.includes(team.model)
    ? []
    : [at(['team', 'model'], `there is no model called "${team.model}"`, hintFor(team.model, known))]
  const ofAgents = agents.flatMap(({ model }, index) =>
    known.includes(model)
      ? []
      : [at(['agents', index, 'model'], `there is no model called "${model}"`, hintFor(model, known))],
  )
  return [...ofTeam, ...ofAgents]
}

function toolNames({ agents, humans, tools }: ConfigFile): Finding[] {
  const known = [...Object.keys(tools), AGENTS_SERVER]
  const check = (list: 'agents' | 'humans', index: number, names: string[]): Finding[] =>
    names.flatMap((name, position) =>
      known.includes(name)
        ? []
        : [at([list, index, 'tools', position], `there is no tool server called "${name}"`, hintFor(name, known))],
    )
  return [
    ...agents.flatMap((agent, index) => check('agents', index, agent.tools)),
    ...humans.flatMap((human, index) => check('humans', index, human.tools)),
  ]
}

/** An agent without them could begin work that it can never end. */
function skills({ agents }: ConfigFile): Finding[] {
  return agents.flatMap(({ id, skills: own, manager }, index) => {
    if (own.includes('all')) return []
    const needed = [...PART_ENDING_SKILLS, ...(manager ? JUDGING_SKILLS : [])]
    const missing = needed.filter((skill) => !own.includes(skill)).join(', ')
    const why = manager ? 'could not end its work, or judge that of others' : 'could not end its part of any stage'
    return missing === ''
      ? []
      : [
          at(
            ['agents', index, 'skills'],
            `lacks ${missing}: ${id} ${why}`,
            `Add ${missing} here, or write skills: [all].`,
          ),
        ]
  })
}

function servers({ tools }: ConfigFile): Finding[] {
  return Object.entries(tools).flatMap(([name, { command, baseurl, headers, oauth }]) => {
    if (name === AGENTS_SERVER)
      return [at(['tools', name], `"${name}" is the name of the built-in server`, 'Choose another name.')]
    if (command !== undefined && baseurl !== undefined) {
      return [
        at(
          ['tools', name],
          'has both command and baseurl',
          'command starts a program here, baseurl reaches a server elsewhere: keep one.',
        ),
      ]
    }
    if (command === undefined && baseurl === undefined) {
      return [
        at(
          ['tools', name],
          'has neither command nor baseurl',
          'Write command: … (a program to start) or baseurl: … (a server to reach).',
        ),
      ]
    }
    return remoteOnly(name, command, { headers, oauth })
  })
}

function remoteOnly(
  name: string,
  command: string | undefined,
  { headers, oauth }: Pick<ConfigFile['tools'][string], 'headers' | 'oauth'>,
): Finding[] {
  if (command !== undefined) {
    const keys = [...(Object.keys(headers).length > 0 ? ['headers'] : []), ...(oauth === undefined ? [] : ['oauth'])]
    return keys.map((key) =>
      at(['tools', name, key], 'stands beside command', 'Only a server that is reached by baseurl takes it.'),
    )
  }
  if (oauth === undefined) return []
  const hasSecret = oauth.client_secret_env !== undefined || oauth.private_key_env !== undefined
  if (hasSecret && oauth.issuer === undefined) {
    const hint =
      'Write issuer: <address of the sign-in server>; else the tool server could have the secret sent anywhere.'
    return [at(['tools', name, 'oauth'], 'holds a secret and names no issuer', hint)]
  }
  if (oauth.grant !== 'client_credentials') return []
  const missing = [...(oauth.client_id === undefined ? ['client_id'] : []), ...(hasSecret ? [] : ['client_secret_env'])]
  return missing.map((key) =>
    at(
      ['tools', name, 'oauth'],
      `needs ${key}`,
      'Nobody signs in for client_credentials: we show our own credentials.',
    ),
  )
}

const ASKED_BY_HTTP = ['openai', 'ollama']

/** Output settings are sent with each request, so they need a model server. */
function answers(name: string, model: ConfigFile['models'][string]): Finding[] {
  const { provider, max_tokens, context_tokens, reasoning_effort, extra } = model
  const said = { max_tokens, reasoning_effort, extra: Object.keys(extra).length > 0 ? extra : undefined }
  const most = Math.max(0, ...(typeof max_tokens === 'object' ? Object.values(max_tokens) : [max_tokens ?? 0]))
  return [
    ...Object.entries(said)
      .filter(([, value]) => value !== undefined && !ASKED_BY_HTTP.includes(provider))
      .map(([key]) =>
        at(['models', name, key], `is for a model server, not for provider ${provider}`, 'Leave it out.'),
      ),
    ...(most >= context_tokens
      ? [at(['models', name, 'max_tokens'], `leaves no room in a context of ${context_tokens}`, 'Write a smaller one.')]
      : []),
    ...OWN_FIELDS.filter((key) => Object.hasOwn(extra, key)).map((key) =>
      at(['models', name, 'extra', key], 'is a field that Convene writes itself', 'Leave it out.'),
    ),
  ]
}

function models({ models }: ConfigFile): Finding[] {
  return Object.entries(models).flatMap(([name, settings]) => [...ofModel(name, settings), ...answers(name, settings)])
}

function ofModel(name: string, settings: ConfigFile['models'][string]): Finding[] {
  const { provider, model, base_url, record, play, accepts } = settings
  return [
    ...((provider === 'openai' || provider === 'ollama') && model === undefined
      ? [at(['models', name], `a model of provider ${provider} needs the name of the model`, 'Write model: … here.')]
      : []),
    ...(settings.key_env !== undefined && settings.key_stored !== undefined
      ? [at(['models', name, 'key_stored'], 'stands beside key_env', 'Keep one of the two.')]
      : []),
    ...(base_url !== undefined && holdsSecret(base_url)
      ? [at(['models', name, 'base_url'], 'holds a secret', 'Put it into the environment, and its name into key_env.')]
      : []),
    ...(provider === 'recording' && play === undefined
      ? [at(['models', name], 'a recording needs the folder that it is played from', 'Write play: … here.')]
      : []),
    ...(provider !== 'recording' && play !== undefined
      ? [at(['models', name, 'play'], `is for provider recording, not ${provider}`, 'record: … writes a recording.')]
      : []),
    ...(provider === 'ollama' && accepts.includes('audio')
      ? [at(['models', name, 'accepts'], 'Ollama takes pictures only', 'Write accepts: [image].')]
      : []),
    ...((provider === 'rehearsal' || provider === 'person') && accepts.length > 0
      ? [at(['models', name, 'accepts'], `is for a model, not for provider ${provider}`, 'Leave accepts out.')]
      : []),
    ...(provider === 'recording' && record !== undefined
      ? [at(['models', name, 'record'], 'a recording is not recorded again', 'Leave record out.')]
      : []),
  ]
}

/** Addresses are shown in the console and in errors, so they must hold no secret. */
function holdsSecret(address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  const names = [...url.searchParams.keys()]
  return url.username !== '' || url.password !== '' || names.some((name) => /key|token|secret|password/i.test(name))
}

function people({ agents, humans }: ConfigFile): Finding[] {
  const findings = humans.flatMap((human, index) =>
    human.password_env !== undefined && human.password_hash !== undefined
      ? [at(['humans', index, 'password_hash'], 'stands beside password_env', 'Keep one of the two.')]
      : [],
  )
  if (!agents.some(({ manager, start }) => manager && start)) {
    findings.push(at(['agents'], 'nobody manages the base task', 'Give one agent that starts manager: true.'))
  }
  if (!humans.some(({ access }) => access === 'operator')) {
    findings.push(at(['humans'], 'nobody is an operator', 'Give one person access: operator.'))
  }
  return findings
}

/** Channels that cannot work, and empty groups. */
function reaching({ humans, notify }: ConfigFile): Finding[] {
  const groups = [...new Set(humans.flatMap((human) => human.groups))]
  const hasEmail = humans.some(({ channels }) => channels.email !== undefined)
  const hasWebhook = notify.webhook !== undefined || humans.some(({ channels }) => channels.webhook !== undefined)
  return [
    ...(hasEmail && notify.smtp_env === undefined
      ? [
          at(
            ['notify'],
            'people have e-mail addresses, and no mail server is named',
            'Write smtp_env: <variable> here.',
          ),
        ]
      : []),
    ...(notify.smtp_env !== undefined && notify.mail_from === undefined
      ? [at(['notify'], 'e-mail needs a sender', 'Write mail_from: convene@example.org here.')]
      : []),
    ...(hasWebhook && notify.webhook_key_env === undefined
      ? [
          at(
            ['notify'],
            'webhooks are called, and no key signs the calls',
            'Write webhook_key_env: <variable> here; the receiver checks the signature with the same key.',
          ),
        ]
      : []),
    ...notify.escalation.flatMap((policy, index) => {
      const group = typeof policy === 'string' ? policy : policy.group
      return groups.includes(group)
        ? []
        : [at(['notify', 'escalation', index], `nobody is in the group "${group}"`, hintFor(group, groups))]
    }),
  ]
}

/** Keys and URIs must be unique among peers. */
function twice(peers: ConfigFile['peers'], index: number): Finding[] {
  const before = peers.slice(0, index)
  const peer = peers[index]
  return [
    ...(before.some(({ uri }) => uri === peer?.uri)
      ? [at(['peers', index, 'uri'], `${peer?.uri} stands here twice`, 'Put what it may into one entry.')]
      : []),
    ...(peer?.key_env !== undefined && before.some(({ key_env }) => key_env === peer.key_env)
      ? [at(['peers', index, 'key_env'], 'is the key of another peer too', 'Give each peer a key of its own.')]
      : []),
  ]
}

function faultsAndPeers({ agents, rehearsal, peers }: ConfigFile): Finding[] {
  const known = agents.map(({ id }) => id)
  const unknown = (path: PropertyKey[], id: string): Finding[] =>
    known.includes(id) ? [] : [at(path, `there is no agent with the id "${id}"`, hintFor(id, known))]
  return [
    ...rehearsal.faults.flatMap(({ agent }, index) =>
      agent === undefined ? [] : unknown(['rehearsal', 'faults', index, 'agent'], agent),
    ),
    ...peers.flatMap((_, index) => twice(peers, index)),
    ...peers.flatMap(({ signing_key_env, may }, index) =>
      signing_key_env !== undefined && may.includes('map')
        ? [
            at(
              ['peers', index, 'may', may.indexOf('map')],
              'a peer with a signing key cannot use map, which has no signatures',
              'Take map out of may here, or leave out signing_key_env.',
            ),
          ]
        : [],
    ),
    ...peers.flatMap((peer, index) =>
      peer.agents.flatMap((id, position) => unknown(['peers', index, 'agents', position], id)),
    ),
  ]
}

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
    return [
      ...(Object.hasOwn(BUILT_IN_ACTIONS, name)
        ? [at(path, `"${name}" is an action that every agent has`, 'Choose another name.')]
        : []),
      ...(known.includes(agent)
        ? []
        : [at([...path, 'agent'], `there is no agent with the id "${agent}"`, hintFor(agent, known))]),
      ...unnamed(
        [...asks.matchAll(PLACEHOLDER)].map(([, one = '']) => one),
        'asks',
      ),
      ...unnamed(parameters.required ?? [], 'parameters'),
      ...peers.flatMap((peer, index) =>
        peer.actions.includes(name) && peer.agents.length > 0 && !peer.agents.includes(agent)
          ? [
              at(
                ['peers', index, 'actions', peer.actions.indexOf(name)],
                `${name} is put to ${agent}, whom this peer may not reach`,
                `Add ${agent} to agents here.`,
              ),
            ]
          : [],
      ),
    ]
  })
}
