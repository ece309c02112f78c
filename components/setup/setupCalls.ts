import { call } from '@/client'
import { type ApiResult, command } from '@/client/api'
import { type Act, actAt, actsOn } from '@/components/operate/acts'
import { fieldsIn } from '@/lib/json'
import { SETUP_ID } from '@/lib/mas/setup/setupFields'
import type { AgentSetup, ModelSetup, ToolSetup } from '@/lib/mas/setup/setupRecords'
import type {
  CommandAnswer,
  CommandHead,
  PostSetup,
  PostSetupModels,
  PostSetupTry,
  SetupAnswer,
  SetupFileWritten,
  SetupKeyAnswer,
  SetupModels,
  SetupTried,
} from '@/lib/wire'

export type SetupChange = PostSetup['changes'][number]
/** A field of any record; a person's and a team's are among an agent's. */
export type SetupField = Exclude<keyof AgentSetup, 'agent'> | 'access' | keyof ModelSetup | keyof ToolSetup
/** The part that all records share. */
export type SetupRecordShown = Pick<SetupAnswer['agents'][number], 'id' | 'isChanged' | 'changes'>

export const SETUP = '/api/setup'

export const postSetupChange = (changes: SetupChange[], head: CommandHead): Promise<ApiResult<CommandAnswer>> =>
  command(SETUP, { changes }, head)
/** in: place: of its draft; changes: what is sent, or what makes it when it is sent */
export const setupAct = (place: string, changes: SetupChange[] | (() => Promise<ApiResult<SetupChange[]>>)): Act =>
  actAt(place, async (_, head) => {
    const wanted = typeof changes === 'function' ? await changes() : { ok: true as const, value: changes }
    return wanted.ok ? postSetupChange(wanted.value, head) : wanted
  })
export const undoSetupAct = (kind: SetupChange['kind'], of: string, change: number): Act =>
  actsOn(`${SETUP}/undo`, { kind, of, change })
/** The key goes to the server alone and is kept in no draft. */
export const keepKey = (key: string, address: string): Promise<ApiResult<SetupKeyAnswer>> =>
  call('POST', `${SETUP}/keys`, { key, address })
export const trySetup = (wish: PostSetupTry): Promise<ApiResult<SetupTried>> => call('POST', `${SETUP}/try`, wish)
export const listServerModels = (wish: PostSetupModels): Promise<ApiResult<SetupModels>> =>
  call('POST', `${SETUP}/models`, wish)
export const localModelsPath = `${SETUP}/local-models`
export const setupFilePath = `${SETUP}/file`
export const writeFile = (): Promise<ApiResult<SetupFileWritten>> => call('POST', setupFilePath, {})

/** The names of a list that is typed with commas, each once. */
export const namesIn = (text: string): string[] =>
  [...new Set(text.split(/[,，]/).map((name) => name.trim()))].filter((name) => name !== '')

/** Whether each of them can be a group. */
export const areGroups = (text: string): boolean => namesIn(text).every((name) => SETUP_ID.test(name))

/** Whose word a record is, as a key of `setup`. */
export const recordSourceOf = ({ value, isChanged, file }: { value: unknown; isChanged: boolean; file: unknown }) =>
  value === null ? 'isOut' : !isChanged ? 'fromFile' : file === null ? 'madeHere' : 'changedHere'

/** seq of the newest change of a record; 0: none. */
export const seenOf = ({ changes }: SetupRecordShown): number => changes.at(-1)?.seq ?? 0

/** A name as an id: `Price writer` → price-writer; empty where it has no latin letter or digit. */
export const plainId = (name: string, length: number): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, length)

/** An id for a name that is not taken: price-writer, price-writer-2, … */
export function idFor(name: string, taken: readonly string[], fallback: string): string {
  const base = plainId(name, 48) || fallback
  let id = base
  for (let n = 2; taken.includes(id); n += 1) id = `${base}-${n}`
  return id
}

/** Names of the members of two values that differ. */
export function changedNames(before: unknown, after: unknown): string[] {
  const left = fieldsIn(before)
  const right = fieldsIn(after)
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return names.filter((name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]))
}

/** null: nothing, or no address. */
export const fileOriginOf = (address: string | null | undefined): string | null =>
  address && URL.canParse(address) ? new URL(address).origin : null
