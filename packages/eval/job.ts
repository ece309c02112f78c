/** A job of the evaluation: files, a request, rules for a person's answers, and an automatic check. */
import type { Decision, Language, RequestRecord } from '@/lib/mas/records'

/** How a person answers matching requests; the first matching rule applies. */
export type Rule = {
  kind?: RequestRecord['kind']
  /** Absent: any question. */
  asks?: RegExp
  /** Most uses of the rule. Absent: unlimited. */
  times?: number
  decision?: Decision
  text: string
}

export type Asked = {
  to: string[]
  by: string
  kind: RequestRecord['kind']
  type: RequestRecord['type']
  question: string
  answer: string | null
}
export type Told = { from: string; to: string[]; text: string }
export type Written = { by: string; name: string; path: string; state: string }

/** The state of the team when no step is left to run. */
export type End = {
  /** The text of a workspace file; null: it does not exist. */
  file(path: string): string | null
  /** Every path below the workspace, sorted. */
  paths: string[]
  /** Messages of agents to people, oldest first. */
  told: Told[]
  /** Messages between agents. */
  saidAmongAgents: Told[]
  asked: Asked[]
  calls: Written[]
  tasks: { name: string; state: string; summary: string; stages: string[] }[]
}

export type Job = {
  id: string
  language: Language
  /** What it tests, in a few words, for the table. */
  about: string
  files: Readonly<Record<string, string>>
  request: string
  /** Agents of the team that the request names: a plain loop makes them tools of a leader. Absent: it is one agent. */
  agents?: readonly ('Reader' | 'Analyst')[]
  rules: readonly Rule[]
  /** The correct end is a refusal with an explanation. */
  mustRefuse?: boolean
  /** out: one sentence for each problem; none: the job is done */
  check(end: End): string[]
}

export type JobMaker = (language: Language) => Job

/** The text of this language. */
export const inLanguage =
  (language: Language) =>
  <Value>(en: Value, zh: Value): Value =>
    language === 'zh' ? zh : en

/** The sentences of the checks that fail, in order. */
export const unmet = (...rows: readonly [holds: boolean, otherwise: string][]): string[] =>
  rows.flatMap(([holds, otherwise]) => (holds ? [] : [otherwise]))

/** Does a text name this figure? `66.5` is `66.50`, and not in `166.50`; thousands may be set apart. */
export function namesFigure(text: string, figure: string): boolean {
  const plain = text.replace(/(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))/g, '')
  return (plain.match(/\d+(?:\.\d+)?/g) ?? []).some((number) => Number(number) === Number(figure))
}
