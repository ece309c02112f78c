/** What the fields of a set-up accept, and what must fit together in it: the file, the page's forms and its commands ask the same. */

import { PROTOCOL_TRAITS, type Protocol } from '../outside/peerProtocols'
import { JUDGING_SKILLS, PART_ENDING_SKILLS, type SkillName } from '../team/abilities'
import { type Provider, traitsOf } from './providers'

/** Ids of members, tool servers and groups. */
export const SETUP_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/
/** Of an HTTP header. */
export const HEADER_NAME = /^[A-Za-z0-9-]{1,100}$/
export const CONFIRM_RULES = ['risky', 'always', 'never'] as const
/** What a model may have. */
export const CONTEXT_TOKENS = { least: 1_000, most: 10_000_000 } as const
/** Letters of an address. */
export const ADDRESS_LENGTH = 1_000

export const isHttpAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** http or https, without a name or password in it. */
export const isWebAddress = (text: string): boolean =>
  isHttpAddress(text) && new URL(text).username === '' && new URL(text).password === ''

/** A web address without a key in it: keys have a field of their own. */
export const isKeylessAddress = (text: string): boolean =>
  isWebAddress(text) && ![...new URL(text).searchParams.keys()].some((name) => /key|token|secret|password/i.test(name))

/** An agent without these could begin work that it can never end, or whose parts nobody judges. */
export const missingSkills = ({ skills, manager }: { skills: readonly string[]; manager: boolean }): SkillName[] =>
  [...PART_ENDING_SKILLS, ...(manager ? JUDGING_SKILLS : [])].filter((skill) => !skills.includes(skill))

type SetModel = { provider: Provider; baseUrl: string | null; model: string | null }
/** What a model at a server cannot be called without; null: it has all. */
export function whatModelLacks({ provider, baseUrl, model }: SetModel): 'address' | 'name' | null {
  const { isServer, address } = traitsOf(provider)
  if (!isServer) return null
  if (model === null || model.trim() === '') return 'name'
  return isWebAddress(baseUrl ?? address ?? '') ? null : 'address'
}

/** The media that models of its provider do not take. */
export function mediaNotTaken<Kind extends 'image' | 'audio'>(of: {
  provider: Provider
  accepts: readonly Kind[]
}): Kind[] {
  const taken = traitsOf(of.provider).accepts
  return of.accepts.filter((kind) => !taken.includes(kind))
}

/** Fields of a model's request that Convene sets itself, in the words of each provider. */
const OWN_FIELDS = [
  ...['model', 'stream', 'messages', 'input', 'contents', 'system', 'systemInstruction', 'instructions'],
  ...['store', 'tools', 'tool_choice', 'toolConfig'],
]
/** Those that `extra` would set again. */
export const ownFieldsIn = (extra: object): string[] => OWN_FIELDS.filter((key) => Object.hasOwn(extra, key))

/** A tool server is started or reached, never both and never neither; null: it is one of the two. */
export const whyNoWay = (way: { command: string | null; address: string | null }): 'both' | 'neither' | null =>
  (way.command === null) !== (way.address === null) ? null : way.command === null ? 'neither' : 'both'

/** The protocols without signatures that a peer with a signing key may use. */
export const unsignedOf = (peer: { signingKeyEnv: string | null; may: readonly Protocol[] }): Protocol[] =>
  peer.signingKeyEnv === null ? [] : peer.may.filter((protocol) => !PROTOCOL_TRAITS[protocol].signs)
