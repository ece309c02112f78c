/**
 * Slips on purpose: a model whose answers are now and then what small models really write.
 *
 * A slip is made of the model's own answer, so that the right one comes when it is asked again.
 */
import type { AnswerTag } from '@/lib/mas/formats'
import type { Json } from '@/lib/mas/records'
import type { Model, ModelPiece } from '@/server/models'

export const SLIPS = [
  'no_tag',
  'wrong_tag',
  'cut',
  'name_for_id',
  'mistyped_id',
  'tool_for_server',
  'list_for_text',
  'full_width',
  'reasoning',
  'unknown_state',
  'not_running',
  'wrong_arguments',
  'short_note',
  'forgotten_note',
] as const
export type Slip = (typeof SLIPS)[number]

type Slipped = { text: string; finish: 'stop' | 'length' }
export type MadeSlip = { call: number; slip: Slip; agent: string; skill: string }
type About = { agent: string; skill: string }
type Fields = { [key: string]: Json }

/**
 * The same model, with slips.
 *
 * in      the model; `choose`: for the n-th answer (from 1), the slips that it could hold and whose it is: one, or null
 * out     the model, and the slips that it made
 */
export function slipping(
  model: Model,
  choose: (call: number, possible: readonly Slip[], about: About) => Slip | null,
): { model: Model; made: MadeSlip[] } {
  const made: MadeSlip[] = []
  let call = 0
  return {
    made,
    model: {
      name: model.name,
      provider: model.provider,
      contextTokens: model.contextTokens,
      accepts: model.accepts ?? [],
      async *call(turns, options): AsyncGenerator<ModelPiece> {
        call += 1
        const own = call
        let text = ''
        for await (const piece of model.call(turns, options)) {
          if (piece.type !== 'end') {
            if (piece.type === 'text') text += piece.text
            continue
          }
          const about = options.about ?? { agent: '', skill: '' }
          const possible = SLIPS.filter((slip) => slipped(slip, text) !== null)
          const slip = choose(own, possible, about)
          const said = (slip === null ? null : slipped(slip, text)) ?? { text, finish: piece.finish }
          if (slip !== null) made.push({ call: own, slip, agent: about.agent, skill: about.skill })
          yield { type: 'text', text: said.text }
          yield { ...piece, finish: said.finish }
        }
      },
    },
  }
}

/** The answer with this slip; null when it holds nothing that could go wrong this way. */
function slipped(slip: Slip, answer: string): Slipped | null {
  const text = MAKERS[slip](answer)
  if (text === null || text === answer) return null
  return { text, finish: slip === 'cut' ? 'length' : 'stop' }
}

const MAKERS: Record<Slip, (answer: string) => string | null> = {
  no_tag: (answer) => {
    const main = mainTag(answer)
    return main === null ? null : `${answer.slice(0, main.at)}${main.content}${answer.slice(main.end)}`
  },
  wrong_tag: (answer) => {
    const main = mainTag(answer)
    return main === null ? null : rewritten(answer, main, main.content, WRONG_TAGS[main.name])
  },
  cut: (answer) => answer.slice(0, Math.floor(answer.length * 0.6)),
  name_for_id: (answer) => inIds(answer, (id) => (/^[a-z]/.test(id) ? id.charAt(0).toUpperCase() + id.slice(1) : id)),
  mistyped_id: (answer) => inIds(answer, mistyped),
  tool_for_server: (answer) =>
    inJson(answer, (value) =>
      Array.isArray(value)
        ? value.map((step) => (isFields(step) && step.type === 'tool' ? { ...step, executor: 'read_text_file' } : step))
        : value,
    ),
  list_for_text: (answer) => inArguments(answer, (args) => changeFirst(args, (key, value) => [key, [value]])),
  wrong_arguments: (answer) => inArguments(answer, (args) => changeFirst(args, (key, value) => [`${key}_name`, value])),
  full_width: (answer) => inMain(answer, (content) => (/^\s*[[{]/.test(content) ? fullWidth(content) : content)),
  reasoning: (answer) =>
    `<think>\nOkay, I go on. Maybe <summary>nothing was done</summary>, or 120+40=160 …\n</think>\n\n${answer}`,
  unknown_state: (answer) =>
    inJson(answer, (value) => {
      if (!isFields(value)) return value
      if (value.action === 'finish_task') return { ...value, state: 'all done' }
      return value.stage_relative === undefined ? value : { ...value, stage_relative: 'stage 99' }
    }),
  not_running: (answer) =>
    inJson(answer, (value) => {
      if (!isFields(value) || value.stage_id === undefined) return value
      return { ...value, stage_id: 'stage 9' }
    }),
  short_note: (answer) =>
    inNotes(answer, (note) =>
      typeof note.add === 'string' ? { add: note.add.slice(0, Math.ceil(note.add.length / 2)) } : note,
    ),
  forgotten_note: (answer) => answer.replace(/<persistent_memory>[\s\S]*?<\/persistent_memory>/g, ''),
}

/** Another skill's tag, of a kind that holds something like it. */
const WRONG_TAGS: Record<AnswerTag, AnswerTag> = {
  planned_step: 'reflection_step',
  reflection_step: 'planned_step',
  decision_step: 'planned_step',
  summary: 'process_message',
  tool_instruction: 'tool_decision',
  tool_decision: 'tool_instruction',
  think: 'summary',
  result: 'summary',
  quick_think: 'summary',
  get_more_info: 'react_action',
  react_action: 'get_more_info',
  send_message: 'process_message',
  process_message: 'send_message',
  task_instruction: 'agent_instruction',
  agent_instruction: 'task_instruction',
  ask_info: 'send_message',
  skip: 'summary',
  persistent_memory: 'summary',
}

type Main = { name: AnswerTag; content: string; at: number; end: number }

const isTag = (name: string): name is AnswerTag => Object.hasOwn(WRONG_TAGS, name)

/** The last tag that is no note. */
function mainTag(answer: string): Main | null {
  const found = [...answer.matchAll(/<([a-z_]+)>([\s\S]*?)<\/\1>/g)].flatMap(
    ([whole, name = '', content = ''], index) => {
      const at = answer.indexOf(whole)
      return isTag(name) && name !== 'persistent_memory' ? [{ name, content, at, end: at + whole.length, index }] : []
    },
  )
  return found.at(-1) ?? null
}

const rewritten = (answer: string, main: Main, content: string, name: AnswerTag = main.name): string =>
  `${answer.slice(0, main.at)}<${name}>${content}</${name}>${answer.slice(main.end)}`

function inMain(answer: string, change: (content: string) => string): string | null {
  const main = mainTag(answer)
  return main === null ? null : rewritten(answer, main, change(main.content))
}

function inJson(answer: string, change: (value: Json) => Json): string | null {
  const main = mainTag(answer)
  const value = main === null ? null : parsed(main.content)
  if (main === null || value === null) return null
  const text = JSON.stringify(change(value))
  return text === JSON.stringify(value) ? null : rewritten(answer, main, text)
}

function parsed(text: string): Json | null {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Receivers, members and those whom a stage is given to; else the task's or the stage's id. */
function inIds(answer: string, change: (id: string) => string): string | null {
  const changeAll = (value: Json): Json => {
    if (!isFields(value)) return value
    const shown = Object.entries(value).map(([key, inner]): [string, Json] => {
      if ((key === 'receiver' || key === 'members') && Array.isArray(inner))
        return [key, inner.map((id) => (typeof id === 'string' ? change(id) : id))]
      if (key === 'agent_allocation' && isFields(inner))
        return [key, Object.fromEntries(Object.entries(inner).map(([id, goal]) => [change(id), goal]))]
      if (key === 'stages' && Array.isArray(inner)) return [key, inner.map(changeAll)]
      return [key, inner]
    })
    return Object.fromEntries(shown)
  }
  return inJson(answer, changeAll)
}

/** Two neighbours change places, as happens to letters that nobody looks at twice. */
function mistyped(id: string): string {
  const at = Math.max(0, Math.floor(id.length / 2) - 1)
  const [one = '', other = ''] = [id.charAt(at), id.charAt(at + 1)]
  return one === other ? `${id}${id.slice(-1)}` : `${id.slice(0, at)}${other}${one}${id.slice(at + 2)}`
}

/** The arguments of the first call. */
function inArguments(answer: string, change: (args: Fields) => Fields): string | null {
  const inCall = (call: Json): Json =>
    isFields(call) && isFields(call.arguments) ? { ...call, arguments: change(call.arguments) } : call
  const inFirst = (calls: Json[]): Json[] => calls.map((call, at) => (at === 0 ? inCall(call) : call))
  return inJson(answer, (value) => {
    if (Array.isArray(value)) return inFirst(value)
    if (isFields(value) && Array.isArray(value.calls)) return { ...value, calls: inFirst(value.calls) }
    return inCall(value)
  })
}

function changeFirst(args: Fields, change: (key: string, value: string) => [string, Json]): Fields {
  const at = Object.values(args).findIndex((value) => typeof value === 'string')
  return Object.fromEntries(
    Object.entries(args).map(([key, value], index) =>
      index === at && typeof value === 'string' ? change(key, value) : [key, value],
    ),
  )
}

function inNotes(answer: string, change: (note: Fields) => Fields): string | null {
  return answer.replace(/<persistent_memory>([\s\S]*?)<\/persistent_memory>/g, (whole, content: string) => {
    const notes = parsed(content)
    if (!Array.isArray(notes)) return whole
    const short = notes.map((note) => (isFields(note) ? change(note) : note))
    return `<persistent_memory>${JSON.stringify(short)}</persistent_memory>`
  })
}

/** `：` and `，` where JSON has `:` and `,`, as models do behind Chinese text. */
const fullWidth = (content: string): string =>
  content.replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (part) => (part === ':' ? '：' : part === ',' ? '，' : part))
