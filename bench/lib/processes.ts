/** Processor time of processes, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs'
import type { TestServer } from '@/packages/cluster/test'

/** Of a hundredth of a second, everywhere. */
const TICK_MS = 10

/** ms of a processor that this process has used; 0: it is gone */
export function cpuMsOf(pid: number): number {
  const fields = statOf(pid)
  return fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** The same of a process with all those that it began, also those that ended. */
export function cpuMsOfFamily(pid: number): number {
  const fields = statOf(pid)
  if (fields === null) return 0
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MS
  return childrenOf(pid).reduce((sum, child) => sum + cpuMsOfFamily(child), cpuMsOf(pid) + ended)
}

const parentOf = (pid: number): number => Number(statOf(pid)?.[1] ?? 0)

/** The process of that server whose children all its others are. */
export async function postmasterOf({ ask }: Pick<TestServer, 'ask'>): Promise<number> {
  const [one] = await ask(`select pid from pg_stat_activity where backend_type = 'checkpointer'`)
  return parentOf(Number(one?.pid))
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map(Number)

/** The fields after the name, which may hold spaces. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
