/**
 * My unsent texts that no row leads to: answers to requests that are over, messages in tasks that are not mine any more, and requests
 * that repeat such a task. A lazy file.
 */
import { useTranslations } from 'use-intl'
import { useDraft, useRowsById } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { questionText, taskTitle } from '@/client/readersWords'
import { againHref } from '@/components/tasks/askAgain'
import { firstWords } from '@/lib/format/plainText'
import { isOpen } from '@/lib/mas/statuses'
import type { RequestAnswerBody, SearchHit } from '@/lib/wire'

/** in: places: of all my drafts; here: the ids of the items on this page */
export default function OrphanedDrafts({ places, here }: { places: readonly string[]; here: readonly string[] }) {
  const t = useTranslations('triage')
  const [tasks, repeats] = [tasksWithDrafts(places), repeatsWithDrafts(places)]
  // The list of tasks marks the drafts of those that are in it.
  const listed = useRowsById(tasks.length + repeats.length > 0 ? 'overview' : null)
  return (
    <section aria-label={t('leftDrafts')} className="mt-5 text-table not-has-[li]:hidden">
      <h2 className="font-medium text-t2">{t('leftDrafts')}</h2>
      <ul className="mt-1 flex flex-col gap-0.5">
        {requestsWithDrafts(places).map((id) => (here.includes(id) ? null : <RequestDraft key={id} id={id} />))}
        {tasks.map((id) => (listed === undefined || listed.has(id) ? null : <TaskDraft key={id} id={id} />))}
        {repeats.map((id) => (listed === undefined || listed.has(id) ? null : <RepeatDraft key={id} id={id} />))}
      </ul>
    </section>
  )
}

/** Nothing while its request is open or unknown. */
function RequestDraft({ id }: { id: string }) {
  const t = useTranslations('triage')
  const { data } = useApiQuery<RequestAnswerBody>(`/api/requests/${encodeURIComponent(id)}`)
  if (data === undefined || isOpen(data.request)) return null
  const { request, askerName: who, taskName } = data
  const words = t('leftDraft', { who, task: taskTitle(taskName), text: firstWords(questionText(request), 60) })
  return <Draft href={pathTo('request', { requestId: request.id })} words={words} />
}

/** out: the first words of the draft, and what its id names; null: nothing is known yet, or nothing written */
function useFoundDraft(place: string, id: string): { text: string; found: SearchHit | null } | null {
  const { text } = useDraft(place)
  const { data, error } = useApiQuery<SearchHit>(`/api/find/${encodeURIComponent(id)}`)
  if ((data === undefined && error === null) || text === '') return null
  return { text: firstWords(text, 60), found: data ?? null }
}

/** The page of the task shows the whole text, also to a former member. */
function TaskDraft({ id }: { id: string }) {
  const t = useTranslations('triage')
  const draft = useFoundDraft(`task:${id}`, id)
  if (draft === null) return null
  const task = draft.found ? taskTitle(draft.found.title) : t('closedTask')
  return <Draft href={pathTo('task', { taskId: id })} words={t('leftMessage', { task, text: draft.text })} />
}

/** A request begun with “Ask again” on a task. One that repeats a message is reached from that message, while it can be read. */
function RepeatDraft({ id }: { id: string }) {
  const t = useTranslations('triage')
  const draft = useFoundDraft(`task:new-work-${id}`, id)
  if (draft === null || draft.found?.kind === 'message') return null
  return <Draft href={againHref({ kind: 'task', id })} words={t('leftRequest', { text: draft.text })} />
}

const Draft = ({ href, words }: { href: string; words: string }) => (
  <li>
    <Link href={href} className="link">
      {words}
    </Link>
  </li>
)

/** The requests and tasks to which the places of drafts belong (lib/wire/http/messages.ts names places). */
const idsIn = (places: readonly string[], place: RegExp): string[] => [
  ...new Set(places.flatMap((one) => place.exec(one)?.[1] ?? [])),
]

/** Each once: a request has a place for its answer, and one for each other field (`request:<id>.<field>`). */
export const requestsWithDrafts = (places: readonly string[]): string[] => idsIn(places, /^request:([^.]+)/)

/** Those with an unsent message; what is begun in the request dialog (`task:new-work…`) belongs to no task. */
export const tasksWithDrafts = (places: readonly string[]): string[] =>
  idsIn(places, /^task:([0-9a-f]{8}-[0-9a-f-]{27})$/)

/** The tasks or messages that are asked again in a request dialog with an unsent text; the file that is pasted has a place of its own. */
export const repeatsWithDrafts = (places: readonly string[]): string[] =>
  idsIn(places, /^task:new-work-([0-9a-f]{8}-[0-9a-f-]{27})$/)
