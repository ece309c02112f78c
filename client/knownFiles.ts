/**
 * Which texts name files of the workspace that the member may open. Asked for what is on the page, many at once.
 *
 * A text that names none may do so later: it is asked again when it is shown again after a while.
 */
import { createContext, useContext, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { KnownFiles } from '@/lib/wire'
import { useMe } from './account/session'
import { call } from './api'
import { useFixtures } from './fixtures'

/** True around what was opened from a file: its paths name files of another system, never ours. */
export const FilesElsewhere = createContext(false)

type Known = { isFile: boolean; askedAt: number }

const known = createStore<{ of: string | null; files: Readonly<Record<string, Known>> }>()(() => ({
  of: null,
  files: {},
}))

const AT_ONCE = 50
/** Of the names in one address; Chinese ones are long there. */
const MOST_CHARACTERS = 6_000
/** Texts that come together on a page are asked together. */
const GATHER_MS = 50
const ASK_AGAIN_MS = 30_000

let wanted = new Set<string>()
let isGathering = false

async function ask(person: string): Promise<void> {
  isGathering = false
  const all = [...wanted]
  wanted = new Set()
  for (const paths of portionsOf(all)) {
    const answer = await call<KnownFiles>('GET', `/api/files/known?${new URLSearchParams({ paths: paths.join('\n') })}`)
    if (!answer.ok || known.getState().of !== person) return
    const found = new Set(answer.value.paths)
    const askedAt = Date.now()
    known.setState(({ files }) => ({
      files: { ...files, ...Object.fromEntries(paths.map((path) => [path, { isFile: found.has(path), askedAt }])) },
    }))
  }
}

function portionsOf(paths: readonly string[]): string[][] {
  const portions: string[][] = []
  let characters = 0
  for (const path of paths) {
    const portion = portions.at(-1)
    characters += encodeURIComponent(path).length
    if (portion !== undefined && portion.length < AT_ONCE && characters <= MOST_CHARACTERS) portion.push(path)
    else {
      portions.push([path])
      characters = encodeURIComponent(path).length
    }
  }
  return portions
}

function want(person: string, path: string): void {
  if (known.getState().of !== person) known.setState({ of: person, files: {} })
  const { files } = known.getState()
  const before = Object.hasOwn(files, path) ? files[path] : undefined
  if (before?.isFile || (before !== undefined && Date.now() - before.askedAt < ASK_AGAIN_MS)) return
  wanted.add(path)
  if (!isGathering) setTimeout(() => void ask(person), GATHER_MS)
  isGathering = true
}

/** in: paths under the workspace. out: the first that is a file that this member may open, as far as is known; null: none */
export function useKnownFile(paths: readonly string[]): string | null {
  const person = useMe()?.person.agent_id ?? null
  const fixtures = useFixtures()
  const isElsewhere = useContext(FilesElsewhere)
  const asked = isElsewhere ? '' : paths.join('\n')
  useEffect(() => {
    // Joins the server's list of files while the text is on the page.
    if (asked === '' || person === null || fixtures !== null) return
    for (const path of asked.split('\n')) want(person, path)
  }, [asked, person, fixtures])
  return useStore(
    known,
    ({ of, files }) =>
      (of === person && !isElsewhere
        ? paths.find((path) => Object.hasOwn(files, path) && files[path]?.isFile === true)
        : null) ?? null,
  )
}
