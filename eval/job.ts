/** A job of the evaluation: files, a request, a person who answers by rule, and a check that a program can make. */
import type { Decision, Language, RequestRecord } from '@/lib/mas/records'

export const LANGUAGES = ['en', 'zh'] as const satisfies readonly Language[]

/** What a person does with the requests that fit; the first rule that fits counts. */
export type Rule = {
  kind?: RequestRecord['kind']
  /** Absent: whatever is asked. */
  asks?: RegExp
  /** The rule is used so often at most. Absent: as often as it fits. */
  times?: number
  decision?: Decision
  text: string
}

export type Asked = {
  to: string[]
  by: string
  kind: RequestRecord['kind']
  urgent: boolean
  question: string
  answer: string | null
}
export type Told = { from: string; to: string[]; text: string }
export type Written = { by: string; name: string; path: string; state: string }

/** What stands there when nothing moves any more. */
export type End = {
  /** The text of a file in the workspace; null when it is not there. */
  file(path: string): string | null
  /** Every path below the workspace, sorted. */
  paths: string[]
  /** What agents and the system wrote to people, oldest first. */
  told: Told[]
  /** What agents wrote to each other. */
  saidAmongAgents: Told[]
  asked: Asked[]
  calls: Written[]
  tasks: { name: string; state: string; summary: string; stages: string[] }[]
}

export type Job = {
  id: string
  language: Language
  /** What it tries, in a few words, for the table. */
  about: string
  files: Readonly<Record<string, string>>
  request: string
  rules: readonly Rule[]
  /** The right end is a refusal in words. */
  mustRefuse?: boolean
  /** in: the end; out: what is wrong, one sentence each; none: done. */
  check(end: End): string[]
}

export type JobMaker = (language: Language) => Job

/** The text of this language. */
export const inLanguage =
  (language: Language) =>
  <Value>(en: Value, zh: Value): Value =>
    language === 'zh' ? zh : en

/** Checks in the order written: a sentence for each that does not hold. */
export const unmet = (...rows: readonly [holds: boolean, otherwise: string][]): string[] =>
  rows.flatMap(([holds, otherwise]) => (holds ? [] : [otherwise]))

/** Does a text name this figure? `66.5` is `66.50`, and not in `166.50`; thousands may be set apart. */
export function namesFigure(text: string, figure: string): boolean {
  const plain = text.replace(/(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))/g, '')
  return (plain.match(/\d+(?:\.\d+)?/g) ?? []).some((number) => Number(number) === Number(figure))
}
