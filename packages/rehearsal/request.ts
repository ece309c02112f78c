/** Understands a request to a manager, from a person or an outside agent, with earlier messages of the thread. */
import { taskNameFrom } from '@/lib/mas/tasks/taskTitle'
import { readHandoff } from '@/lib/protocols/harmony/handoff'
import { changeJob, readChange } from './changeRequest'
import type { Job } from './job'
import { type ParsedRequest, parseRequest } from './parseRequest'
import type { RehearsalPrompt, ShownMessage } from './readPrompt'
import { titleOf } from './report'
import { WORDS, type Words } from './words'

type Request = { ok: true; job: Job } | { ok: false; question: string; choices: string[] }

/**
 * in      the message; the prompt, whose thread may hold an earlier, incomplete request; isPlace: the message answers the
 *         question for a folder or file, so a bare name is one
 * out     the job, or the question for what is missing. Job blocks in the message are ignored
 */
export function readRequest(prompt: RehearsalPrompt, message: ShownMessage, words: Words, isPlace = false): Request {
  const asker = askerOf(message)
  // The objective of a packet is the request; the rest describes progress.
  const text = withoutIntro(readHandoff(message.text)?.context.primary_objective ?? message.text)
  const change = readChange(text)
  if (change !== null) {
    const title = taskNameFrom(words.changeTitle(change.name))
    return { ok: true, job: changeJob(change, title, asker, words.pasted) }
  }
  const hirable = [...prompt.step.members, ...prompt.step.others].filter(({ kind }) => kind === 'outside')
  const said = parseRequest(text, asker, words.pasted, hirable)
  // The hired agent interprets the request, or asks.
  if (said.hire !== null) return { ok: true, job: { ...said, op: said.op ?? 'list', title: taskNameFrom(said.wish) } }
  const alone = isPlace && said.where.length === 0 && said.pasted.length === 0 ? nameAlone(text) : null
  const parsed = alone === null ? said : { ...said, op: null, where: [alone] }
  const complete = isComplete(parsed) ? parsed : earlier(prompt, words, asker).reduce(filledFrom, parsed)
  const { op } = complete
  if (op === null) return { ok: false, question: words.whichVerb, choices: words.choices }
  if (complete.where.length === 0 && complete.pasted.length === 0)
    return { ok: false, question: words.whichPlace(words.verbs[op]), choices: [words.workspace] }
  const job: Job = { ...complete, op }
  // Pasted text is the subject; a word that looks like a folder is ignored then.
  const place =
    job.pasted.length > 0
      ? { ...job, where: job.where.filter((path) => /[/.]/.test(path) && !job.pasted.some((one) => one.name === path)) }
      : job
  // A bare name is a place only once the workspace was read, so the task is not named after it.
  const title = alone === null ? titleOf({ ...place, title: '' }, words) : taskNameFrom(job.wish)
  return { ok: true, job: { ...place, title } }
}

/** The sender of a request. */
export const askerOf = ({ id, from: name, kind }: ShownMessage): NonNullable<Job['asker']> => ({
  id,
  name,
  ...(kind === 'outside' ? { outside: true } : {}),
})

/** Removes the introduction that another demo program writes in its first message. */
export const withoutIntro = (text: string): string =>
  Object.values(WORDS)
    .reduce((left, { intro }) => left.replace(intro, ''), text)
    .trim()

const LONGEST_NAME = 200
const NAME_ALONE =
  /^[^\p{L}\p{N}_.]*(?:(?:in|the|folder|directory|file)\s+){0,3}[`"'“「『]?([\p{L}\p{N}_./-]+)[`"'”」』]?(?:\s*(?:folder|directory|文件夹|目录|里))?[\s.!。！]*$/iu

/** `prices`, `the folder prices`, “价格”文件夹. */
function nameAlone(text: string): string | null {
  const name = text.length > LONGEST_NAME ? undefined : NAME_ALONE.exec(text.trim())?.[1]
  return name?.replace(/(?:文件夹|目录|里面|里|[./])$/u, '') || null
}

const isComplete = (parsed: ParsedRequest): boolean =>
  parsed.op !== null && (parsed.where.length > 0 || parsed.pasted.length > 0)

/** This asker's earlier messages in the thread, newest first, without our own. */
function earlier(prompt: RehearsalPrompt, words: Words, asker: Job['asker']): ParsedRequest[] {
  return prompt.history
    .filter(
      (item) =>
        item.state === 'finished' &&
        ((item.executor === 'send_message' && item.answers) || item.executor === 'process_message') &&
        item.text !== '',
    )
    .map((item) => parseRequest(item.text, asker, words.pasted))
    .reverse()
}

function filledFrom(parsed: ParsedRequest, before: ParsedRequest): ParsedRequest {
  // Only what has the verb says what is wanted, however short it is.
  const isAnswer = parsed.op === null && before.op !== null
  return {
    ...before,
    ...parsed,
    op: parsed.op ?? before.op,
    where: parsed.where.length > 0 ? parsed.where : before.where,
    pasted: parsed.pasted.length > 0 ? parsed.pasted : before.pasted,
    only: parsed.only.length > 0 ? parsed.only : before.only,
    keys: parsed.keys.length > 0 ? parsed.keys : before.keys,
    extracts: parsed.extracts.length > 0 ? parsed.extracts : before.extracts,
    unit: parsed.unit ?? before.unit,
    group: parsed.group ?? before.group,
    phrase: parsed.phrase ?? before.phrase,
    report: parsed.report || before.report,
    report_path: parsed.report_path ?? before.report_path,
    ignored: before.op === null ? parsed.ignored : before.ignored,
    wish: isAnswer || before.wish.length > parsed.wish.length ? before.wish : parsed.wish,
    language: before.language === 'zh' ? 'zh' : parsed.language,
  }
}
