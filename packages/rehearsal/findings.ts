/** Findings of a job: its files, its facts, the values after the answers of people, totals. */
import { gather } from '@/lib/gather'
import type { HandedFacts, PacketFile } from './factsPacket'
import { type Constraint, ConstraintShape, type Job } from './job'
import { type Compared, compareFacts, contradictions, totals, totalsByKey } from './ops/compare'
import { countIn, findPhrase } from './ops/count'
import { EXTRACTS, extractFrom } from './ops/extract'
import { type Fact, factsOf, plain } from './ops/facts'
import { countKinds, fileKindOf, isReadable } from './ops/fileNames'
import { type Parsed, parseSource } from './ops/parse'
import type { ShownStep } from './readParts'
import { errorAt, failedCalls, isLeftOut, kindWanted, knownFrom, namedButNotFound, wantedFiles } from './toolLoop'

export type Findings = {
  files: PacketFile[]
  facts: Fact[]
  /** More than `facts` when a packet's table was cut. */
  factsInAll: number
  /** The sums over all facts of a cut table; null: it is whole. */
  handedSums: Record<string, string> | null
  constraints: Constraint[]
  /** Files in the workspace, listed because nothing could be read. */
  around: string[]
}

const MOST_FACTS = 200

/** The job with constraints applied: another folder, pasted text, kinds of files. */
export function jobWith(job: Job, constraints: readonly Constraint[]): Job {
  const all = [...job.constraints, ...constraints]
  const places = all.filter((one) => one.kind === 'where').map((one) => one.value)
  const pasted = all.filter((one) => one.kind === 'paste').map((one) => one.value)
  return {
    ...job,
    where: places.length > 0 ? places.slice(-1) : pasted.length > 0 ? [] : job.where,
    pasted: [...job.pasted, ...pasted.map((text, at) => ({ name: `paste-${at + 1}`, text }))],
  }
}

/** in: the calls of a history, and what the request itself holds */
export function findingsFrom(items: readonly ShownStep[], job: Job, constraints: readonly Constraint[]): Findings {
  const known = knownFrom(items)
  const wanted = new Set(wantedFiles(known, job))
  const read = known.sources.filter((source) => wanted.has(source.path))
  const pasted = job.pasted.map(({ name, text }) => ({ path: name, text, cut: false }))
  const sources = [...read, ...pasted].map(parseSource)
  const isOther = (path: string): boolean =>
    !wanted.has(path) && path !== job.report_path && (kindWanted(path, job) || !isReadable(path))
  const all: PacketFile[] = [
    ...sources.map(({ path, cut, lines }) => fileOf(path, cut ? 'partly' : 'read', { lines: lines.length })),
    ...known.found.filter(isOther).map((path) => fileOf(path, isReadable(path) ? 'failed' : 'unreadable')),
    ...known.found
      .filter((path) => wanted.has(path) && !read.some((source) => source.path === path))
      .map((path) => {
        const note = errorAt(known, 'read', path)
        // A job that only lists opens no file, so an unopened one is no failure.
        return fileOf(path, job.op === 'list' && note === null ? 'read' : 'failed', { note })
      }),
    ...namedButNotFound(known, job).map(({ path, namedIn: named_in, error: note }) =>
      fileOf(path, 'missing', { note, named_in }),
    ),
    ...[...failedCalls(known, 'list'), ...failedCalls(known, 'read').filter((one) => job.where.includes(one.path))].map(
      ({ path, error: note }) => fileOf(path, 'failed', { note }),
    ),
  ]
  const files = [...gather(all, ({ path }) => [path]).values()].flatMap(([first]) => first ?? [])
  const facts = factsFor(sources, files, job)
  const around = known.around ?? []
  return { files, facts, factsInAll: facts.length, handedSums: null, constraints: [...constraints], around }
}

const fileOf = (path: string, state: PacketFile['state'], more: Partial<PacketFile> = {}): PacketFile => ({
  path,
  kind: fileKindOf(path) || 'text',
  state,
  lines: null,
  note: null,
  named_in: null,
  ...more,
})

function factsFor(sources: Parsed[], files: PacketFile[], job: Job): Fact[] {
  const { op, keys, group, phrase, extracts } = job
  switch (op) {
    case 'compare':
    case 'total':
      return factsOf(sources, { columns: keys, group, numbersOnly: op === 'total' })
    case 'count': {
      const unit = job.unit ?? (phrase === null ? 'lines' : 'matches')
      const counts: [name: string, count: number][] =
        unit === 'files'
          ? countKinds(files.flatMap(({ state, path }) => (state === 'missing' ? [] : [path]))).map((one) => [
              one.kind,
              one.count,
            ])
          : sources.map((source) => [source.path, countIn(source, unit, phrase)])
      return counts.map(([name, count]) => ({ key: name, column: unit, value: String(count), file: name, line: null }))
    }
    case 'extract':
      return sources.flatMap((source) => extractFrom(source, extracts.length > 0 ? extracts : EXTRACTS))
    case 'find':
      return sources.flatMap(({ path, lines }) =>
        findPhrase(lines, phrase ?? '').map(({ line, text, times }) => ({
          key: phrase ?? '',
          column: String(times),
          value: text,
          file: path,
          line,
        })),
      )
    case 'list':
      return []
  }
}

/** One key and column with the answers applied. `holds` is null when it is left out or undecided. */
type Held = Compared & { holds: string | null; why: 'same' | 'answer' | 'left_out' | 'undecided'; by: string }

/** The facts with the constraints applied. */
export type FindingsResult = {
  facts: Fact[]
  held: Held[]
  sums: Record<string, string>
  groups: { group: string; sums: Record<string, string> }[]
  leftOut: string[]
}

export function jobResultOf(findings: Findings, job: Job): FindingsResult {
  const facts = allowedFacts(findings)
  const held = job.op === 'compare' ? compareFacts(facts).map((group) => decide(group, findings.constraints)) : []
  const leftOut = [
    ...findings.constraints.filter((one) => one.kind === 'without_file').map((one) => one.value),
    ...held.filter((one) => one.holds === null).map((one) => one.key),
  ]
  // Without one of its files a cut table cannot be summed again; the report says that it is cut.
  const isReduced = findings.constraints.some((one) => one.kind === 'without_file')
  const handedSums = isReduced ? null : findings.handedSums
  return {
    facts,
    held,
    sums: handedSums ?? totals(job.op === 'compare' ? heldFacts(held) : facts),
    groups: job.op === 'total' ? totalsByKey(facts) : [],
    leftOut: [...new Set(leftOut)],
  }
}

/** Files of which something was read. */
export const readFiles = ({ files }: Pick<Findings, 'files'>): PacketFile[] =>
  files.filter(({ state }) => state === 'read' || state === 'partly')

/** Files that are named and missing, except those that a person left out. */
export const missingFiles = ({ files, constraints }: Findings): PacketFile[] =>
  files.filter((file) => file.state === 'missing' && !isLeftOut(file.path, constraints))

const heldFacts = (held: Held[]): Fact[] =>
  held.flatMap((one) =>
    one.holds === null ? [] : [{ key: one.key, column: one.column, value: one.holds, file: '', line: null }],
  )

function allowedFacts(findings: Findings): Fact[] {
  const kinds = findings.constraints
    .filter((one) => one.kind === 'kinds')
    .at(-1)
    ?.value.split(',')
  return findings.facts.filter((fact) => {
    if (isLeftOut(fact.file, findings.constraints)) return false
    return kinds === undefined || kinds.includes(fileKindOf(fact.file) || 'text') || kinds.includes(fact.file)
  })
}

function decide(group: Compared, constraints: readonly Constraint[]): Held {
  const [first, ...others] = group.values
  if (others.length === 0) return { ...group, holds: first ?? null, why: 'same', by: '' }
  const about = constraints.findLast(
    (one) =>
      plain(one.key) === plain(group.key) &&
      plain(one.column) === plain(group.column) &&
      (one.kind === 'value' || one.kind === 'drop'),
  )
  if (about?.kind === 'value') return { ...group, holds: about.value, why: 'answer', by: about.by }
  if (about?.kind === 'drop') return { ...group, holds: null, why: 'left_out', by: about.by }
  return { ...group, holds: null, why: 'undecided', by: '' }
}

/** Facts for a packet: contradictions first, so that an answer can be applied even when the table is cut. */
export function factsForPacket(findings: Findings, job: Job): Fact[] {
  if (findings.facts.length <= MOST_FACTS || job.op !== 'compare') return findings.facts.slice(0, MOST_FACTS)
  const contradicting = new Set(contradictions(findings.facts).flatMap((group) => group.facts))
  return [...contradicting, ...findings.facts.filter((fact) => !contradicting.has(fact))].slice(0, MOST_FACTS)
}

export function findingsFromPacket(handed: HandedFacts, later: readonly Constraint[]): Findings {
  const { files, facts, facts_in_all: factsInAll, sums, answers } = handed
  const decided = answers.flatMap((answer) => ConstraintShape.safeParse(answer).data ?? [])
  const handedSums = factsInAll > facts.length ? sums : null
  return { files, facts, factsInAll, handedSums, constraints: [...decided, ...later], around: [] }
}
