/** The text of a request → a job: verbs in English and Chinese, paths, pasted blocks, quoted phrases, kinds of files. */
import { type Job, NO_JOB, type Op } from './job'
import type { Unit } from './ops/count'
import type { Extract } from './ops/extract'

/** A parsed request; `op` null when no verb was found, empty `where` and `pasted` when it does not say what about. */
export type ParsedRequest = Omit<Job, 'op'> & { op: Op | null }

const VERBS: [Op, RegExp][] = [
  [
    'compare',
    /\bcompar\w*|\bdiff(?:er\w*)?\b|\bcontradict\w*|\bdisagree\w*|\bcross-?check\w*|比较|對比|对比|对照|核对|比對|矛盾|不一致/i,
  ],
  ['total', /\btotals?\b|\bsum(?:s|med)?\b(?!mar)|\badd(?:ed)? up\b|合计|总计|总和|求和|汇总|加总/i],
  ['count', /\bcount\w*|\bhow many\b|\bnumber of\b|数一数|多少|计数|统计|几行|几个/i],
  ['extract', /\bextract\w*|\bpull out\b|\bcollect\b|提取|抽取|摘出|收集/i],
  ['find', /\bfind\b|\bsearch\w*|\blook for\b|\blook up\b|\bwhere (?:is|does|do)\b|查找|搜索|寻找|找出|找到|找/i],
  ['list', /\blist\b|\binventory\b|\b(?:which|what) files\b|\bwhat is in\b|列出|清单|有哪些|盘点/i],
]

const UNIT_WORDS: [Unit, RegExp][] = [
  ['lines', /\blines?\b|行/i],
  ['words', /\bwords?\b|词|单词|字(?!符)/i],
  ['characters', /\bcharacters?\b|\bchars?\b|字符/i],
  ['rows', /\brows?\b|\bentries\b|\brecords?\b|条|记录/i],
  ['matches', /\bmatches\b|\btimes\b|\boccurrences?\b|次/i],
  ['files', /\bfiles?\b|文件(?!夹)/i],
]

const EXTRACT_WORDS: [Extract, RegExp][] = [
  ['emails', /\be-?mails?\b|邮箱|邮件地址|电子邮件/i],
  ['urls', /\burls?\b|\blinks?\b|网址|链接/i],
  ['dates', /\bdates?\b|日期/i],
  ['amounts', /\bamounts?\b|\bprices?\b|\bsums of money\b|金额|价格/i],
  ['headings', /\bheadings?\b|\btitles?\b|标题/i],
  ['todos', /\bto-?dos?\b|待办/i],
  ['rows', /\brows?\b|\btables?\b|表格/i],
  ['pairs', /\bkeys?\b|\bpairs?\b|\bvalues?\b|键值|字段/i],
]

/** Words after "in" or "of" that are not folder names. */
const NO_FOLDER = new Set(
  'the a an this that these those all it its my our your each every both any pasted text texts following list lists below above here attached message file files folder directory order total detail chinese english words lines rows columns column report table euro euros prices price amounts amount workspace'.split(
    ' ',
  ),
)
/** Words next to "folder" or "column" that are not names. */
const NO_NAMES = new Set(
  'the a an this that these those all its my our your each every by in of from and or to for with which what workspace'.split(
    ' ',
  ),
)
/** Exceptions, if the word is alone: "in prices" names a folder, "in the prices below" does not. */
const MAY_BE_FOLDER = new Set(
  'a prices price lists list texts text files report table words total order detail amounts amount message'.split(' '),
)

/** Characters. A request is at the beginning; the patterns are slow on longer texts. */
const LONGEST_REQUEST = 2_000

/** The line that represents a file attached to a message. */
export const ATTACHMENT = /^\[attachment [^\n]*?(?:, saved as ([^\]\n]+))?\]$/gm

const attachedIn = (text: string): string[] =>
  [...text.matchAll(ATTACHMENT)].map(([, path = '']) => path).filter((path) => path !== '')

/** Job blocks that a person wrote are neither request text nor jobs. */
const FOREIGN_BLOCK = /<\u2060*(job|job_result)\b[\s\S]{0,4000}?<\u2060*\/\1>/g

export const isChinese = (text: string): boolean =>
  (text.match(/\p{Script=Han}/gu) ?? []).length * 4 >= (text.match(/\p{L}/gu) ?? []).length &&
  /\p{Script=Han}/u.test(text)

/**
 * in      a person's whole message; the asker; the name of pasted text; outside agents that it may name
 * out     everything found; pasted text is not searched for verbs, paths and phrases
 */
export function parseRequest(
  whole: string,
  asker: Job['asker'],
  pastedName: string,
  others: readonly Other[] = [],
): ParsedRequest {
  const { hire, text } = splitHire(whole, others)
  const attached = attachedIn(text)
  const { request: words, pasted } = splitPasted(
    text.replace(ATTACHMENT, '').replace(FOREIGN_BLOCK, ' ').trim(),
    pastedName,
  )
  const request = words.slice(0, LONGEST_REQUEST)
  const bare = request.replace(/["“「『][^"”」』\n]*["”」』]/g, ' ')
  const reportPath = reportPathIn(request)
  // The report's destination is not a source.
  const named = pathsIn(request.replace(REPORT_PLACE, ' ')).filter((path) => path !== reportPath)
  // A name that matches an attached file means that file.
  const isAttached = (path: string): boolean => attached.some((one) => one === path || one.endsWith(`/${path}`))
  const besides = named.filter((path) => /[/.]/.test(path) && path !== '.' && !isAttached(path))
  const where = attached.length > 0 ? [...new Set([...attached, ...besides])] : named
  const op = verbIn(bare)
  const report = REPORT.test(bare) || reportPath !== null
  const first = request.split('\n').find((line) => line.trim() !== '') ?? ''
  return {
    ...NO_JOB,
    op,
    unit: op === 'count' ? unitIn(bare) : null,
    extracts: op === 'extract' ? EXTRACT_WORDS.flatMap(([kind, pattern]) => (pattern.test(bare) ? [kind] : [])) : [],
    where,
    pasted,
    only: onlyIn(request),
    keys: columnsIn(request),
    group: groupIn(request),
    phrase:
      quotedIn(request).find((phrase) => !where.includes(phrase) && phrase !== reportPath) ?? phraseAfterVerb(bare, op),
    report,
    report_path: report ? (reportPath ?? defaultReportPath(where)) : null,
    ignored: op === null ? [] : notUnderstood(request, op),
    wish: first.trim().slice(0, 200),
    asker,
    language: isChinese(request) ? 'zh' : 'en',
    hire,
  }
}

/** An outside agent, by the handle and name in the prompt. */
type Other = { id: string; name: string }

const HIRE =
  /^\s*(?:(?:please|can you|could you|请)[\s,]*)?(?:let|have|hire|ask|get|让|请|叫|委托)\s*[`"'“「]?(agent:\/\/[^\s`"'”」，,]+|[\p{L}\p{N}_.-]+)[`"'”」]?[\s,，]*(?:to\s+|来\s*)?/iu

/** "Let agent://south.example/manager compare …": the agent that does the work, and the request passed on. */
function splitHire(text: string, others: readonly Other[]): { hire: Job['hire']; text: string } {
  const [head = '', named = ''] = HIRE.exec(text) ?? []
  const known = others.find(({ id, name }) => id === named || name.toLowerCase() === named.toLowerCase())
  const id = known?.id ?? (named.startsWith('agent://') ? named : null)
  const rest = text.slice(head.length).trim()
  if (id === null || rest === '') return { hire: null, text }
  const name = known?.name ?? (id.replace(/\/+$/, '').split('/').at(-1) || id)
  const passed = `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`
  return { hire: { id, name, text: passed.replace(ATTACHMENT, '').trim(), files: attachedIn(passed) }, text: passed }
}

/** A request for contradictions is a comparison, with any verb. */
const CONTRADICTIONS = /\bcontradict\w*|矛盾/i

/** The kind whose words occur first. */
const firstIn = <Kind>(text: string, table: [Kind, RegExp][]): Kind | null =>
  table
    .map(([kind, pattern]) => ({ kind, at: text.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)[0]?.kind ?? null

const verbIn = (text: string): Op | null => (CONTRADICTIONS.test(text) ? 'compare' : firstIn(text, VERBS))
const unitIn = (text: string): Unit | null => firstIn(text, UNIT_WORDS)

const CLAUSE_ENDS =
  /[,;:?!.](?=\s|$)|[，。；：？！、\n]|\s+and\s+(?=(?:also|then|which|what|who|why|how|when|tell|say|explain|send|translate|summari\w*|check|give|show)\b)/iu
const POLITE =
  /\b(?:please|hi|hello|hey|dear|many|thanks|thank|you|cheers|regards|then|also|and|now)\b|请|你好|您好|谢谢|麻烦|然后|再|并/giu
const REPORT = /\breports?\b|\bwrite\b|\bsave\b|报告|写入|保存/i
/** Characters of a clause that is reported as not understood. */
const LONGEST_TOLD = 120

/** Clauses that are ignored: those with another verb, or without a verb, place or anything related to the verb. */
function notUnderstood(request: string, op: Op): string[] {
  return request
    .split(CLAUSE_ENDS)
    .map((clause) => (clause ?? '').trim())
    .filter((clause) => hasMeaning(clause) && !isTakenUp(clause, op))
    .map((clause) => (clause.length > LONGEST_TOLD ? `${clause.slice(0, LONGEST_TOLD)}…` : clause))
}

/** One word alone is a greeting, or an item of a list. */
function hasMeaning(clause: string): boolean {
  const rest = clause.replace(POLITE, ' ').trim()
  return /\p{L}\S*\s+\S*\p{L}/u.test(rest) || /\p{Script=Han}{3}/u.test(rest)
}

function isTakenUp(clause: string, op: Op): boolean {
  const bare = clause.replace(/["“「『][^"”」』\n]*["”」』]/g, ' ')
  const asks = ASKS.test(bare)
  if (!asks && REPORT.test(bare)) return true
  const verb = verbIn(bare)
  if (verb !== null) return verb === op || CONTRADICTIONS.test(bare)
  if (asks) return false
  const goesWithVerb =
    (op === 'count' && unitIn(bare) !== null) ||
    (op === 'extract' && EXTRACT_WORDS.some(([, pattern]) => pattern.test(bare))) ||
    (op === 'find' && quotedIn(clause).length > 0)
  if (goesWithVerb || isPlaceAlone(clause)) return true
  return onlyIn(clause).length > 0 || columnsIn(clause).length > 0 || groupIn(clause) !== null
}

/** A question word, wherever the place that the question is about stands. */
const ASKS = /\b(?:what|which|who|whom|whose|why|how|when)\b|什么|谁|哪|怎|为何|为什么|是否|吗|呢/iu

/** Words beside the name of a place. Others, such as a verb, ask for more than to read there. */
const BESIDE_PLACE =
  /^(?:in|from|under|inside|within|of|on|at|for|to|with|using|see|use|look|the|an?|all|both|each|every|this|that|these|those|my|our|your|only|and|or|it|is|are|files?|folders?|director(?:y|ies)|attached|attachments?|lists?|tables?|prices?|notes?|texts?|data|workspace|[在从看用和与及或的里中内上下面只这那些个两份文件夹目录清单列表格价数据附工作区]+)$/iu

/** Does the clause only name places, as in "in notes/a.txt"? */
function isPlaceAlone(clause: string): boolean {
  const paths = pathsIn(clause)
  const rest = paths
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, path) => left.replaceAll(path, ' '), clause.replace(POLITE, ' '))
  const words = rest.match(/[\p{L}\p{N}]+/gu) ?? []
  return paths.length > 0 && words.every((word) => BESIDE_PLACE.test(word))
}

/** Pasted text: code fences, else what follows the first paragraph when it is long or looks like data. */
function splitPasted(text: string, pastedName: string): { request: string; pasted: Job['pasted'] } {
  const fences = [...text.matchAll(/^([^\n]*)\n?```[^\n]*\n([\s\S]*?)\n?```/gm)]
  if (fences.length > 0) {
    const pasted = fences.map((fence, at) => ({
      name: nameBefore(fence[1] ?? '') ?? numbered(pastedName, at, fences.length),
      text: fence[2] ?? '',
    }))
    return { request: text.replace(/```[^\n]*\n[\s\S]*?```/g, ' ').trim(), pasted }
  }
  const [first = '', ...rest] = text.trim().split('\n')
  const after = rest.join('\n').trim()
  const dataLines = rest.filter((line) => /[,;\t|]|[:：]\s*\S|\s-?\d[\d.,]*\s*$/.test(line)).length
  if (after.length >= 200 || dataLines >= 2) return { request: first, pasted: blocksOf(after, pastedName) }
  return { request: text, pasted: [] }
}

/** Blocks separated by blank lines that each begin with `name:` are separate texts. */
function blocksOf(text: string, pastedName: string): Job['pasted'] {
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== '')
  const named = blocks.map((block) => nameBefore(block.split('\n')[0] ?? ''))
  if (blocks.length < 2 || named.some((name) => name === null)) return [{ name: pastedName, text }]
  return blocks.map((block, at) => ({ name: named[at] ?? pastedName, text: block.split('\n').slice(1).join('\n') }))
}

const nameBefore = (line: string): string | null =>
  /^\s*(?:#+\s*)?([^:：]{1,60}?)\s*[:：]\s*$/.exec(line)?.[1]?.trim().split(/\s+/).at(-1) ?? null
const numbered = (name: string, at: number, of: number): string => (of === 1 ? name : `${name} ${at + 1}`)

/** The lookbehind: a long word is tried from its beginning only, not from each of its letters. */
const NAME = '(?<![\\p{L}\\p{N}_.-])[\\p{L}\\p{N}_.-]+'
const FILE_LIKE =
  /(?<![\w@/.])(?:(?:\.{0,2}\/)?(?:[A-Za-z0-9_.-]+\/)+[A-Za-z0-9_.-]*|(?:\.{0,2}\/)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9]{0,4})(?![A-Za-z0-9@])/g

/** Paths in a request, in order, without a final slash or full stop. */
export function pathsIn(request: string): string[] {
  const text = request.replace(/https?:\/\/\S+|[\w.+-]+@[\w.-]+/g, ' ')
  const found: { path: string; at: number }[] = []
  const add = (path: string | undefined, at: number) => {
    const clean = path?.replace(/(?<=.)\/$/, '').replace(/[.,;:!?。，；：]+$/, '')
    if (clean && !found.some((one) => one.path === clean)) found.push({ path: clean, at })
  }
  for (const [path, name = ''] of text.matchAll(/[`"“「『]([^`"”」』\n]+)[`"”」』]/g)) {
    if (/\/|\.[A-Za-z][A-Za-z0-9]{0,4}$/.test(name) && !/\s/.test(name)) add(name, text.indexOf(path))
  }
  for (const match of text.replace(/[`"“”「」『』]/g, ' ').matchAll(FILE_LIKE)) {
    if (!/^\.[A-Za-z0-9]+$/.test(match[0])) add(match[0], match.index)
  }
  const folders = [
    new RegExp(`\\b(?:in|from|under|inside|within|of)\\s+(?:the\\s+)?(?:folder|directory)\\s+[\`"“]?(${NAME})`, 'giu'),
    new RegExp(`[\`"“「]?(${NAME})[\`"”」]?\\s+(?:folder|directory)\\b`, 'giu'),
    new RegExp(
      `\\b(?:in|from|under|inside|within|of)\\s+[\`"“]?(${NAME})[\`"”]?(?=\\s*(?:$|[,;:.!?]|\\band\\b|\\bfor\\b|\\bby\\b|\\bto\\b|\\bthen\\b|\\bwith\\b|\\binto\\b))`,
      'giu',
    ),
    /[`"“「『]?(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]+)[`"”」』]?\s*(?:文件夹|目录|里|中|下面|内)/gu,
    /[“「『`"]([^”」』`"\n]+)[”」』`"]\s*(?:文件夹|目录|里|中|下面|内)/gu,
    /(?:文件夹|目录)\s*[“「『`"]?([A-Za-z0-9_.-]+)/gu,
    // "compare the folder stalls": no preposition.
    new RegExp(`\\b(?:folder|directory)\\s+[\`"“]?(${NAME})`, 'giu'),
    // An unquoted Chinese name needs spaces or a slash around it; otherwise its end is unknown.
    /(?<=^|[\s，。；、：])([\p{L}\p{N}_.-]+)(?:\/\s*|\s+)(?:文件夹|目录|里|中|下面|内)/gu,
  ]
  if (found.length === 0) {
    for (const [at, pattern] of folders.entries()) {
      for (const match of text.matchAll(pattern)) {
        const name = match[1] ?? ''
        const word = name.toLowerCase().replace(/[.,]+$/, '')
        if (word === '' || /^\d+$/.test(word)) continue
        // After "folder" any word is a name; after "in" many are not.
        if (at === 2 ? NO_FOLDER.has(word) && !MAY_BE_FOLDER.has(word) : NO_NAMES.has(word)) continue
        if (found.some((one) => one.path === name)) continue
        add(name, match.index)
      }
      if (found.length > 0) break
    }
  }
  const isWhole = found.length === 0 && WORKSPACE.test(text)
  return isWhole ? ['.'] : found.sort((one, other) => one.at - other.at).map((one) => one.path)
}

/** The workspace root. */
const WORKSPACE = /\bworkspace\b|\b(?:in|from|under|inside|within|of)\s+\.(?=\s|$)|工作区/i

const REPORT_PLACE = /(?:\b(?:to|into|as)\s+|保存为|存为|写入|到)\s*[`"“「]?([\p{L}\p{N}_./-]+\.(?:md|txt|markdown))/iu

const reportPathIn = (request: string): string | null => REPORT_PLACE.exec(request)?.[1] ?? null

function defaultReportPath(where: readonly string[]): string {
  const first = where[0]
  if (first === undefined) return 'report.md'
  const isFile = /[^/]\.[A-Za-z][A-Za-z0-9]{0,4}$/.test(first)
  const folder = isFile ? first.split('/').slice(0, -1).join('/') : first
  return folder === '' || folder === '.' ? 'report.md' : `${folder}/report.md`
}

function onlyIn(text: string): string[] {
  const found = [
    ...text.matchAll(/\bonly\s+(?:the\s+)?\*?\.?(csv|tsv|md|markdown|txt|json|log)\b/gi),
    ...text.matchAll(/\*\.(csv|tsv|md|markdown|txt|json|log)\b/gi),
    ...text.matchAll(/\b(csv|tsv|markdown|md|txt|json)\s+(?:files?\s+)?only\b/gi),
    ...text.matchAll(/(?:只看|只要|仅看|仅限|只读|只)\s*\*?\.?(csv|tsv|md|markdown|txt|json|log)/gi),
  ]
  return [...new Set(found.map(([, kind = '']) => kind.toLowerCase()))]
}

const quotedIn = (text: string): string[] =>
  [...text.matchAll(/["“「『]([^"”」』\n]+)["”」』]/g)].map(([, phrase = '']) => phrase)

/** "find the word apple in notes": an unquoted phrase ends at a preposition. */
function phraseAfterVerb(text: string, op: Op | null): string | null {
  if (op !== 'find') return null
  const found =
    /(?:\bfind|\bsearch for|\blook for)\s+(?:the\s+)?(?:word\s+|phrase\s+|text\s+)?(.+?)(?=\s+(?:in|from|under|inside|within)\b|[.,;]?$)/im.exec(
      text,
    )
  const chinese = /(?:查找|搜索|寻找|找出|找到)\s*(?:单词|词语|词)?\s*([^\s，。,.的]+)/.exec(text)
  return found?.[1]?.trim() || chinese?.[1]?.trim() || null
}

function columnsIn(text: string): string[] {
  const found = [
    ...text.matchAll(/\bcolumns?\s+["“`]?([\p{L}\p{N}_-]+)/giu),
    ...text.matchAll(/["“`]?(?<![\p{L}\p{N}_-])([\p{L}\p{N}_-]+)["”`]?\s+columns?\b/giu),
    ...text.matchAll(/[“「`"]?(?<![A-Za-z0-9_-])([A-Za-z0-9_-]+)[”」`"]?\s*列(?!出|表|清)/gu),
    ...text.matchAll(/[“「]([^”」]+)[”」]\s*列(?!出|表|清)/gu),
  ]
  return [...new Set(found.map(([, name = '']) => name).filter((name) => !NO_NAMES.has(name.toLowerCase())))]
}

function groupIn(text: string): string | null {
  const found =
    /\b(?:group(?:ed)? by|by|per|for each)\s+(?:the\s+)?(?:column\s+)?["“`]?([\p{L}\p{N}_-]+)/iu.exec(text) ??
    /按\s*[“「`"]?([^\s”」`"，。,分]+?)[”」`"]?\s*(?:分组|汇总|合计|统计|分)/u.exec(text)
  const name = found?.[1] ?? null
  return name === null || NO_FOLDER.has(name.toLowerCase()) ? null : name
}
