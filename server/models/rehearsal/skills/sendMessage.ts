import { writeHandoff } from '@/lib/protocols/harmony/handoff'
import { constraintsOf, findingsOf, finishedItems, isFirstMessage, jobOf, planned, taggedJson } from '../common'
import type { FactsPacket } from '../factsPacket'
import { factsForPacket, jobResultOf, readFiles } from '../findings'
import { type Job, lastJob, withJob, withoutBlock } from '../job'
import type { Fact } from '../ops/facts'
import { stepJob, wordsFor } from '../promptJob'
import { questionsOf } from '../questions'
import { type RehearsalPrompt, type ShownMessage, type ShownStep, tookIn } from '../readPrompt'
import { begunText, shortResult, titleOf } from '../report'
import { readRequest, withoutIntro } from '../request'
import { partResult, sentencesOf, whyNotWritten } from '../result'
import { chooseAgents, hasWorker, madeBy } from '../team'
import { errorOf, pastCalls, writtenAndReadBack } from '../toolLoop'
import { WORDS, type Words } from '../words'
import { arrange } from './decision'

type Outgoing = {
  to: string[]
  message: string
  needReply?: boolean
  waiting?: boolean
  choices?: readonly string[]
  files?: readonly string[]
}

/** Characters. A longer result is in the report, or is cut with a mark. */
const LONGEST = 12_000
/** Well below the 64 KiB limit of a message. */
const PACKET_BYTES = 48 * 1024

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

export function playSendMessage(prompt: RehearsalPrompt): string {
  const { answersTo } = prompt.step
  const job = jobOf(prompt)
  const words = wordsFor(prompt, answersTo === null ? job : null)
  if (answersTo?.kind === 'outside' && job?.hire) return answerHired(prompt, job, answersTo)
  if (answersTo !== null)
    return prompt.role.manages && prompt.step.baseTask && isAsker(answersTo)
      ? answerRequest(prompt, answersTo, words)
      : send(prompt, words, reply(answersTo, status(prompt, words)))
  if (job === null || stepJob(prompt) === null)
    return send(prompt, words, outgoing(everyoneElse(prompt), withoutBlock(prompt.step.text) || prompt.step.intention))
  switch (job.do) {
    case 'ask':
    case 'ask_lack':
      return ask(prompt, job, words)
    case 'clarify':
      return send(prompt, words, {
        to: asker(job),
        message: job.about ?? '',
        needReply: true,
        choices: job.about === words.whichVerb ? words.choices : [words.workspace],
      })
    case 'begun':
      return send(prompt, words, outgoing(asker(job), begunOrNot(prompt, job, words)))
    case 'handoff':
      return handoff(prompt, job, words)
    case 'hire':
      return send(prompt, words, outgoing(hired(job), job.hire?.text ?? '', { ...ASKS, files: job.hire?.files }))
    case 'pass_on':
      return send(prompt, words, outgoing(asker(job), job.about ?? '', ASKS))
    default:
      return job.hire === null
        ? deliver(prompt, job, words)
        : send(
            prompt,
            words,
            outgoing(asker(job), partResult(prompt, job, words).said ?? words.hiredNot(job.hire.name)),
          )
  }
}

/** People and outside agents ask for work; our own agents do not. */
const isAsker = ({ kind }: ShownMessage): boolean => kind === 'person' || kind === 'outside'

const outgoing = (to: string[], message: string, more: Partial<Outgoing> = {}): Outgoing => ({ to, message, ...more })
const reply = (to: ShownMessage, message: string): Outgoing => ({ to: [to.id], message })
const ASKS = { needReply: true, waiting: true }
const asker = (job: Job): string[] => (job.asker === null ? [] : [job.asker.id])
const hired = (job: Job): string[] => (job.hire === null ? [] : [job.hire.id])
const everyoneElse = (prompt: RehearsalPrompt): string[] =>
  prompt.step.members
    .filter(({ id, kind }) => id !== prompt.role.id && (kind !== 'outside' || prompt.step.baseTask))
    .map((member) => member.id)

/** packet: follows the words and is never cut */
function send(prompt: RehearsalPrompt, words: Words, outgoing: Outgoing, packet?: string): string {
  const first = isFirstMessage(prompt, words)
  const body = outgoing.message.length > LONGEST ? `${outgoing.message.slice(0, LONGEST)} …` : outgoing.message
  const said = taggedJson('send_message', {
    receiver: outgoing.to,
    message: [body, ...(first ? [words.intro] : []), ...(packet ? [packet] : [])].join('\n\n'),
    stage_relative: prompt.step.stageId,
    need_reply: outgoing.needReply ?? false,
    waiting: outgoing.waiting ?? false,
    ...(outgoing.choices?.length ? { choices: outgoing.choices } : {}),
    ...(outgoing.files?.length ? { files: outgoing.files } : {}),
  })
  return first ? `${said}\n${taggedJson('persistent_memory', [{ add: words.introNote }])}` : said
}

/** Forwards a question of the hired agent to the person who asked for the work, and their answer back. */
function answerHired(prompt: RehearsalPrompt, job: Job, question: ShownMessage): string {
  const words = WORDS[job.language]
  const asked = withoutIntro(question.text)
  const said = answerAfter(prompt, asked, job.asker?.name ?? '')
  if (said !== null) return send(prompt, words, reply(question, said))
  if (job.asker === null) return send(prompt, words, reply(question, status(prompt, words)))
  const { name } = job.asker
  const asks = { ...job, about: asked }
  const step = planned('skill', 'send_message', words.ask(name), words.passOn(name), asks, 'pass_on')
  return taggedJson('decision_step', [step])
}

/** This person's answer to that question; null: not asked, or not answered. */
function answerAfter({ history }: RehearsalPrompt, question: string, name: string): string | null {
  const at = history.findLastIndex(
    ({ executor, state, result }) => executor === 'send_message' && state === 'finished' && result.includes(question),
  )
  return at < 0 ? null : (tookIn(history.slice(at + 1), name)[0]?.text ?? null)
}

/** A manager's reply to a request: a question, the work first, or a notice that it has begun. */
function answerRequest(prompt: RehearsalPrompt, message: ShownMessage, words: Words): string {
  const request = readRequest(prompt, message, words)
  if (!request.ok)
    return send(prompt, words, { ...reply(message, request.question), needReply: true, choices: request.choices })
  const arranged = prompt.history.some((item) => {
    const job = item.executor === 'task_manager' && item.state !== 'to come' ? lastJob(item.text) : null
    return job?.do === 'add_task' && job.wish === request.job.wish
  })
  if (arranged) return send(prompt, words, reply(message, begunOrNot(prompt, request.job, words)))
  return taggedJson('decision_step', arrange(request.job, words))
}

function begunOrNot(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const title = titleOf(job, words)
  const added = prompt.history.findLast(
    (item) => item.executor === 'task_manager' && item.state !== 'to come' && lastJob(item.text)?.do === 'add_task',
  )
  const made = added?.state === 'finished' ? madeBy(added) : undefined
  const chosen = chooseAgents(prompt, job)
  if (made !== undefined && made.stage_ids.length > 0)
    return begunText(words.begun(made.task_name ?? title, made.stage_ids.length, chosen.members.length), job, words)
  if (!hasWorker(chosen, job)) return words.notBegun(title, words.noAgentFits)
  return words.notBegun(title, reasonOf(added) ?? words.noAgentFits)
}

const reasonOf = (item: ShownStep | undefined): string | null =>
  item?.state === 'failed' ? errorOf(item) || null : null

/** A status reply to anyone else. Free text would be invented. */
function status(prompt: RehearsalPrompt, words: Words): string {
  const done = prompt.history
    .filter((item) => item.state === 'finished' && !['instruction_generation', 'tool_decision'].includes(item.executor))
    .map((item) => item.intention)
  const goal = prompt.step.baseTask ? '' : prompt.step.taskGoal
  return words.status(goal, [...new Set(done)].slice(-8))
}

/** A manager's question about a finished stage does not wait: it judges once the answer is taken in. */
function ask(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const isOfManager = job.lack !== null
  const questions = questionsOf(findingsOf(prompt, job), job, words)
  const question = questions.find(({ text }) => isOfManager || text === job.about)
  const message = question?.text ?? job.about ?? withoutBlock(prompt.step.text)
  return send(
    prompt,
    words,
    outgoing(asker(job), message, { needReply: true, waiting: !isOfManager, choices: question?.choices }),
  )
}

function handoff(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const findings = findingsOf(prompt, job)
  if (isUntried(prompt, job)) {
    // The person named another place: it is read first, then this step runs again.
    const where = words.whereAll(job.where)
    return taggedJson('get_more_info', {
      step_intention: words.read(where),
      text_content: withJob(words.readText(where), { ...job, pasted: [], do: 'read' }),
    })
  }
  const to = job.deliver_to
  if (to === null) return deliver(prompt, job, words)
  const read = readFiles(findings)
  const { missing } = sentencesOf(partResult(prompt, job, words), words)
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
              .filter((item) => item.state === 'finished' && (item.type === 'tool' || item.executor === 'think'))
              .map((item) => item.intention),
          ),
        ],
        next_immediate_step: words.nextStep(words.verbs[job.op], job.report_path),
        constraints: findings.constraints
          .filter((one) => one.said !== '')
          .map((one) => words.answer(one.question, one.by, one.said)),
        artifacts: {
          files: findings.files,
          facts,
          facts_in_all: findings.factsInAll,
          sums: jobResultOf(findings, job).sums,
          answers: findings.constraints.map((one) => ({ ...one })),
        },
      },
      history_summary: [words.factsHead(findings.factsInAll, read.length), ...missing].join(words.space),
    } satisfies FactsPacket)
  let facts = factsForPacket(findings, job)
  // Long texts make a packet too large: then it holds fewer facts, and the message says how many there are.
  while (facts.length > 1 && bytesOf(packetWith(facts)) > PACKET_BYTES)
    facts = facts.slice(0, Math.ceil(facts.length / 2))
  const packet = packetWith(facts)
  const head = read.length === 0 ? words.noFacts : words.handoffHead(titleOf(job, words), facts.length, read.length)
  const message = [
    `${head}${cites(readsIn(prompt))}`,
    ...(facts.length < findings.factsInAll ? [words.cutNote(facts.length, findings.factsInAll)] : []),
  ].join('\n\n')
  return send(prompt, words, outgoing([to.id], message), packet)
}

/** Successful read calls, oldest first. */
const readsIn = ({ history }: RehearsalPrompt): ShownStep[] => [
  ...new Set(pastCalls(history).flatMap(({ kind, error, item }) => (kind === 'read' && error === null ? [item] : []))),
]

const MOST_CITED = 10
/** Anchors of items of the history, placed after the sentence that they support. */
const cites = (items: readonly ShownStep[]): string =>
  items
    .slice(-MOST_CITED)
    .map(({ n }) => ` [cit_${n}]`)
    .join('')

/** A place named by an answer that no call has tried yet. Each answer is tried once. */
function isUntried(prompt: RehearsalPrompt, job: Job): boolean {
  const named = constraintsOf(prompt, job).filter((one) => one.kind === 'where').length
  const touched = pastCalls(prompt.history).flatMap(({ kind, path }) =>
    kind === 'list' || kind === 'read' ? [path] : [],
  )
  const tries = finishedItems(prompt, 'decision').filter((item) => lastJob(item.text)?.do === 'read').length
  return tries < named && job.where.some((path) => !touched.includes(path))
}

/** The result for the asker. */
function deliver(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const findings = findingsOf(prompt, job)
  const said = sentencesOf(partResult(prompt, job, words), words)
  const written = writtenAndReadBack(prompt.history)
  if (job.report_path !== null && written !== null) {
    // The asker's own part, checking the report, begins when this part is done.
    const at = `${words.reportAt(written.path)}${cites(written.readBy === null ? [] : [written.readBy])}`
    return send(prompt, words, outgoing(asker(job), [at, ...said.totals, ...said.missing].join(words.space)))
  }
  const head =
    job.report_path === null
      ? [words.resultHead(titleOf(job, words)), ...said.missing].join(' ')
      : words.notWritten(job.report_path, whyNotWritten(prompt, words))
  return send(prompt, words, outgoing(asker(job), `${head}\n\n${shortResult(findings, job, words)}`))
}
