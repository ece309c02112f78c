/** What a run asks of its models: how often, how much text, and how much of that the same agent had sent before. */
import type { Model } from '@/server/models'

/**
 * repeated: characters that an earlier prompt of the same agent began with too, for an agent's first that of any agent: a provider can
 * have them cached. Prompts with tags have no functions, so those of all agents begin alike.
 */
export type Asked = { agent: string; skill: string; characters: number; repeated: number }

export type AskedModel = { model: Model; asked: readonly Asked[] }

/** The same model, with a line for each of its calls. */
export function askedModel(inner: Model): AskedModel {
  const asked: Asked[] = []
  const sent = new Map<string, string[]>()
  const model: Model = {
    ...inner,
    accepts: inner.accepts ?? [],
    call(turns, options) {
      const { agent, skill } = options.about ?? { agent: '-', skill: '-' }
      const text = turns.map(({ content }) => content).join('')
      const own = sent.get(agent) ?? []
      const earlier = own.length > 0 ? own : [...sent.values()].flat()
      const repeated = Math.max(0, ...earlier.map((other) => commonPrefix(text, other)))
      sent.set(agent, [...own, text])
      asked.push({ agent, skill, characters: text.length, repeated })
      return inner.call(turns, options)
    },
  }
  return { model, asked }
}

export function commonPrefix(one: string, other: string): number {
  const end = Math.min(one.length, other.length)
  let at = 0
  while (at < end && one[at] === other[at]) at += 1
  return at
}

export type AskedInAll = { calls: number; characters: number; repeated: number }

/** repeated: of all characters, between 0 and 1. */
export function inAll(asked: readonly Asked[]): AskedInAll {
  const sum = (of: (one: Asked) => number): number => asked.reduce((all, one) => all + of(one), 0)
  const characters = sum((one) => one.characters)
  return { calls: asked.length, characters, repeated: sum((one) => one.repeated) / Math.max(1, characters) }
}

/** The most text first. */
const bySkill = (asked: readonly Asked[]): [string, AskedInAll][] =>
  [...new Set(asked.map(({ skill }) => skill))]
    .map((skill): [string, AskedInAll] => [skill, inAll(asked.filter((one) => one.skill === skill))])
    .sort(([, one], [, other]) => other.characters - one.characters)

/** One line for each skill, for readers who wonder where the text goes. */
export const sayAsked = (asked: readonly Asked[]): string =>
  [...bySkill(asked), ['in all', inAll(asked)] as const]
    .map(
      ([skill, { calls, characters, repeated }]) =>
        `${skill}: ${calls} calls, ${characters} characters, ${Math.round(repeated * 100)} % sent before`,
    )
    .join('\n')
