/** Understands a request to change an earlier result: the rehearsal can read its files again, and notes what else was asked. */
import { type Job, NO_JOB } from './job'
import { type ParsedRequest, parseRequest } from './parseRequest'

type ChangeText = { name: string; comment: string; files: string[] }

/** As the console writes it, in both languages (`changeWork`, messages/program.en.ts). */
const HEAD = /^(?:Change the result of|请修改) `(.+?)`\s?(?:\(|（)task-[^)）]*(?:\): |）的结果：)/
const BEHIND =
  /\n\n(?:About this passage of it:|针对这一段：|The result so far:|目前的结果：|Its files, to begin with:|从这些文件开始：|Task: |任务：)/
const FILES = /\n\n(?:Its files, to begin with:|从这些文件开始：)\n((?:- .*(?:\n|$))*)/

/** out: null: it asks for no change */
export function readChange(text: string): ChangeText | null {
  const head = HEAD.exec(text)
  if (head === null) return null
  const rest = text.slice(head[0].length)
  const comment = rest.slice(0, BEHIND.exec(rest)?.index ?? rest.length).trim()
  // The last list: a result may quote another.
  const list = [...rest.matchAll(new RegExp(FILES, 'g'))].at(-1)?.[1] ?? ''
  const files = [...list.matchAll(/^- `([^`\n]+)`/gm)].map(([, path = '']) => path)
  return { name: head[1] ?? '', comment, files }
}

/** What it can do of the comment, in the files of the result. A comment that it cannot act on is noted, and the files are read. */
export function changeJob(change: ChangeText, title: string, asker: Job['asker'], pastedName: string): Job {
  const said: ParsedRequest = parseRequest(change.comment, asker, pastedName)
  const isBare = change.files.length === 0
  return {
    ...NO_JOB,
    ...said,
    op: said.op ?? (isBare ? 'list' : 'count'),
    unit: said.unit ?? (said.op === null && !isBare ? 'lines' : null),
    where: said.where.length > 0 ? said.where : isBare ? ['.'] : change.files,
    ignored: said.op === null ? [change.comment] : said.ignored,
    wish: change.comment,
    title,
    change: change.name,
  }
}
