/** The message that hands the facts of a part to the next agent. */
import { writeHandoff } from '@/lib/protocols/harmony/handoff'
import { findingsOf } from './common'
import { factRows, type PacketFile, type WrittenPacket, wasHanded } from './factsPacket'
import { factsForPacket, jobResultOf, readFiles } from './findings'
import { type Constraint, type Job, lastJob } from './job'
import type { Fact } from './ops/facts'
import type { ShownStep } from './readParts'
import type { RehearsalPrompt } from './readPrompt'
import { titleOf } from './report'
import { partResult, sentencesOf } from './result'
import { pastCalls } from './toolLoop'
import type { Words } from './words'

/** Well below the 64 KiB limit of a message. */
const PACKET_BYTES = 48 * 1024

/** packet: follows the words and is never cut */
export function factsMessage(
  prompt: RehearsalPrompt,
  job: Job,
  to: { id: string; name: string },
  words: Words,
): { receiver: string[]; message: string; packet: string } {
  const findings = findingsOf(prompt, job)
  const read = readFiles(findings)
  const { missing } = sentencesOf(partResult(prompt, job, words), words)
  let facts = factsForPacket(findings, job)
  const isSent = facts.length > 0 && wasHanded({ files: findings.files, facts }, to.name, prompt)
  const packetWith = (facts: Fact[]): string =>
    writeHandoff({
      protocol: 'harmony_handoff_v1',
      meta: { source_agent: prompt.role.name, target_agent: to.name, timestamp: prompt.step.time },
      context: {
        primary_objective: job.wish,
        status: read.length === 0 ? 'blocked' : 'in_progress',
        completed_steps: [
          ...new Set(
            prompt.history
              .filter(({ state, type, text }) => state === 'finished' && type === 'tool' && lastJob(text) !== null)
              .map((item) => item.intention),
          ),
        ],
        next_immediate_step: words.nextStep(words.verbs[job.op], job.report_path),
        constraints: findings.constraints
          .filter((one) => one.said !== '')
          .map((one) => words.answer(one.question, one.by, one.said)),
        artifacts: {
          ...(isSent ? {} : { files: findings.files.map(knownOf), facts: factRows(facts) }),
          facts_in_all: findings.factsInAll,
          sums: jobResultOf(findings, job).sums,
          answers: findings.constraints.map(saidOf),
        },
      },
      history_summary: missing.join(words.space),
    } satisfies WrittenPacket)
  // Long texts make a packet too large: then it holds fewer facts, and the message says how many there are.
  while (!isSent && facts.length > 1 && Buffer.byteLength(packetWith(facts)) > PACKET_BYTES)
    facts = facts.slice(0, Math.ceil(facts.length / 2))
  const packet = packetWith(facts)
  const head = read.length === 0 ? words.noFacts : words.handoffHead(titleOf(job, words), facts.length, read.length)
  const message = [
    `${head}${cites(readsIn(prompt))}`,
    ...(facts.length < findings.factsInAll ? [words.cutNote(facts.length, findings.factsInAll)] : []),
  ].join('\n\n')
  return { receiver: [to.id], message, packet }
}

/** A file without what is not known of it. */
const knownOf = ({ path, kind, state, ...rest }: PacketFile) => ({
  ...{ path, kind, state },
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
})

/** A decision without what it does not say. */
const saidOf = (one: Constraint): Record<string, string> =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ''))

/** Successful read calls, oldest first. */
const readsIn = ({ history }: RehearsalPrompt): ShownStep[] => [
  ...new Set(pastCalls(history).flatMap(({ kind, error, item }) => (kind === 'read' && error === null ? [item] : []))),
]

const MOST_CITED = 10
/** Anchors of items of the history, placed after the sentence that they support. */
export const cites = (items: readonly ShownStep[]): string =>
  items
    .slice(-MOST_CITED)
    .map(({ n }) => ` [cit_${n}]`)
    .join('')
