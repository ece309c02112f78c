/** What is kept of a wrong job: the files that it left, and its calls. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** skill: null: a call of a plain loop. number: of the step, or of the call where there are no steps */
export type KeptCall = {
  agent: string
  skill: string | null
  number: number
  prompt: string
  answer: string | null
  error: string | null
}

/** Writes `workspace/` and `calls.jsonl`, one line a call, into the folder, which is emptied first. */
export function keepJob(folder: string, workspace: string, calls: readonly KeptCall[]): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(workspace, path.join(folder, 'workspace'), { recursive: true })
  writeFileSync(path.join(folder, 'calls.jsonl'), calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
}
