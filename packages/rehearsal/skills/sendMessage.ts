import { withoutNotes } from '@/lib/mas/builtInNotes'
import {
  constraintsOf,
  findingsOf,
  finishedItems,
  isFirstMessage,
  jobOf,
  planned,
  sentText,
  stepJob,
  taggedJson,
  wordsFor,
} from '../common'
import { cites, factsMessage } from '../factsMessage'
import { type Job, lastJob, withJob } from '../job'
import { questionsOf } from '../questions'
import type { ShownStep } from '../readParts'
import { type RehearsalPrompt, type ShownMessage, tookIn } from '../readPrompt'
import { begunText, shortResult, titleOf } from '../report'
import { readRequest, withoutIntro } from '../request'
import { partResult, sentencesOf, whyNotWritten } from '../result'
import { chooseAgents, hasWorker, madeBy, whyNoWorker } from '../team'
import { errorOf, pastCalls, writtenAndReadBack } from '../toolLoop'
import { WORDS, type Words } from '../words'
import { arrange } from './decision'
import { unasked } from './planning'
import { writeAddTask } from './taskManager'

/** A message to be sent. packet: follows the words and is never cut */
type Outgoing = {
  receiver: string[]
  message: string
  need_reply?: boolean
  waiting?: boolean
  choices?: readonly string[]
  files?: readonly string[]
  packet?: string
}
/** A message; or the answer with another tag: something is done first. */
type Said = Outgoing | string

export function playSendMessage(prompt: RehearsalPrompt): string {
  const { answersTo } = prompt.step
  const job = jobOf(prompt)
  const isOfHired = answersTo?.kind === 'outside' && job !== null && job.hire !== null
  const words = isOfHired ? WORDS[job.language] : wordsFor(prompt, answersTo === null ? job : null)
  const said =
    answersTo === null
      ? messageFor(prompt, job, words)
      : isOfHired
        ? answerHired(prompt, job, answersTo, words)
        : answer(prompt, answersTo, words)
  return typeof said === 'string' ? said : send(prompt, words, said)
}

/** The message that this step was planned for. */
function messageFor(prompt: RehearsalPrompt, job: Job | null, words: Words): Said {
  const { step, role } = prompt
  if (job === null || stepJob(prompt) === null) {
    const others = step.members.filter(({ id, kind }) => id !== role.id && (kind !== 'outside' || step.baseTask))
    return { receiver: others.map(({ id }) => id), message: withoutNotes(step.text) || step.intention }
  }
  const receiver = job.asker === null ? [] : [job.asker.id]
  const about = job.about ?? ''
  switch (job.do) {
    case 'ask':
    case 'ask_lack':
      return { receiver, ...question(prompt, job, words) }
    case 'clarify':
      return {
        receiver,
        message: about,
        need_reply: true,
        choices: about === words.whichVerb ? words.choices : [words.workspace],
      }
    case 'begun':
      return { receiver, message: begunOrNot(prompt, job, words) }
    case 'handoff':
      return handoff(prompt, job, words) ?? { receiver, message: resultText(prompt, job, words) }
    case 'hire': {
      const { id, text, files } = job.hire ?? { id: null, text: '', files: [] }
      return { receiver: id === null ? [] : [id], message: text, need_reply: true, waiting: true, files }
    }
    case 'pass_on':
      return { receiver, message: about, need_reply: true, waiting: true }
    default:
      return { receiver, message: resultText(prompt, job, words) }
  }
}

function send(prompt: RehearsalPrompt, words: Words, { packet, ...outgoing }: Outgoing): string {
  const { receiver, message, need_reply = false, waiting = false, choices = [], files = [] } = outgoing
  const first = isFirstMessage(prompt, words)
  const said = taggedJson('send_message', {
    receiver,
    message: sentText(prompt, message, words, packet),
    stage_relative: prompt.step.stageId,
    need_reply,
    waiting,
    ...(choices.length > 0 ? { choices } : {}),
    ...(files.length > 0 ? { files } : {}),
  })
  return first ? `${said}\n${introNoted(words)}` : said
}

const introNoted = (words: Words): string => taggedJson('persistent_memory', [{ add: words.introNote }])

/** Forwards a question of the hired agent to the person who asked for the work, and their answer back. */
function answerHired(prompt: RehearsalPrompt, job: Job, { id, text }: ShownMessage, words: Words): Said {
  const asked = withoutIntro(text)
  const said = answerAfter(prompt, asked, job.asker?.name ?? '')
  if (said !== null || job.asker === null) return { receiver: [id], message: said ?? status(prompt, words) }
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

/** A manager's reply to a request: a question, the work first, or a notice that it has begun. Others get a status. */
function answer(prompt: RehearsalPrompt, message: ShownMessage, words: Words): Said {
  const receiver = [message.id]
  const isRequest = message.kind === 'person' || message.kind === 'outside'
  if (!isRequest || !prompt.role.manages || !prompt.step.baseTask) return { receiver, message: status(prompt, words) }
  const request = readRequest(prompt, message, words)
  if (!request.ok) return { receiver, message: request.question, need_reply: true, choices: request.choices }
  const { job } = request
  return addedTasks(prompt).some((item) => wishOf(item) === job.wish)
    ? { receiver, message: begunOrNot(prompt, job, words) }
    : hasWorker(chooseAgents(prompt, job), job)
      ? writeAddTask(prompt, job, words)
      : taggedJson('decision_step', arrange(job, words))
}

/** Steps that created a task, or tried to: of their own, or as the reply to a request. */
const addedTasks = ({ history }: RehearsalPrompt): ShownStep[] =>
  history.filter(
    (item) =>
      item.state !== 'to come' &&
      (item.executor === 'task_manager'
        ? lastJob(item.text)?.do === 'add_task'
        : item.executor === 'send_message' && item.answers && item.result.startsWith('add_task ')),
  )

/** The request that a step made a task of. */
const wishOf = (item: ShownStep): string | undefined =>
  (item.executor === 'task_manager' ? lastJob(item.text) : lastJob(item.result))?.wish

function begunOrNot(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const title = titleOf(job, words)
  const added = addedTasks(prompt).at(-1)
  const made = added?.state === 'finished' ? madeBy(added) : undefined
  const chosen = chooseAgents(prompt, job)
  if (made !== undefined && made.stage_ids.length > 0)
    return begunText(words.begun(made.task_name ?? title, made.stage_ids.length, chosen.members.length), job, words)
  if (!hasWorker(chosen, job)) return words.notBegun(title, whyNoWorker(job, words))
  const error = added?.state === 'failed' ? errorOf(added) : ''
  return words.notBegun(title, error || words.notCreated)
}

/** A status reply to anyone else. Free text would be invented. */
function status(prompt: RehearsalPrompt, words: Words): string {
  const done = prompt.history
    .filter((item) => item.state === 'finished' && !['instruction_generation', 'tool_decision'].includes(item.executor))
    .map((item) => item.intention)
  const goal = prompt.step.baseTask ? '' : prompt.step.taskGoal
  return words.status(goal, [...new Set(done)].slice(-8))
}

/** A manager's question about a finished stage does not wait: it judges once the answer is taken in. */
function question(prompt: RehearsalPrompt, job: Job, words: Words): Omit<Outgoing, 'receiver'> {
  const isOfManager = job.lack !== null
  const { text, choices = [] } =
    questionsOf(findingsOf(prompt, job), job, words).find((one) => isOfManager || one.text === job.about) ?? {}
  const message = text ?? job.about ?? withoutNotes(prompt.step.text)
  return { message, need_reply: true, waiting: !isOfManager, choices }
}

/** The facts for the next agent, after open questions; null: there is none. */
function handoff(prompt: RehearsalPrompt, job: Job, words: Words): Said | null {
  if (isUntried(prompt, job)) {
    // The person named another place: it is read first, then this step runs again.
    const where = words.whereAll(job.where)
    return taggedJson('get_more_info', {
      step_intention: words.read(where),
      text_content: withJob(words.readText(where), { ...job, pasted: [], do: 'read' }),
    })
  }
  if (job.deliver_to === null) return null
  const questions = unasked(prompt, job, words)
  if (questions.length === 0) return factsMessage(prompt, job, job.deliver_to, words)
  const first = taggedJson('decision_step', questions)
  return isFirstMessage(prompt, words) ? `${first}\n${introNoted(words)}` : first
}

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
function resultText(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const result = partResult(prompt, job, words)
  if (job.hire !== null) return result.said ?? words.hiredNot(job.hire.name)
  const said = sentencesOf(result, words)
  const written = writtenAndReadBack(prompt.history)
  if (job.report_path !== null && written !== null) {
    // The asker's own part, checking the report, begins when this part is done.
    const at = `${words.reportAt(written.path)}${cites(written.readBy === null ? [] : [written.readBy])}`
    return [at, ...said.totals, ...said.missing].join(words.space)
  }
  const head =
    job.report_path === null
      ? [words.resultHead(titleOf(job, words)), ...said.missing].join(' ')
      : words.notWritten(job.report_path, whyNotWritten(prompt, words))
  return `${head}\n\n${shortResult(findingsOf(prompt, job), job, words)}`
}
