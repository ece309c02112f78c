/** What the system says of a process: open files and memory. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

export const residentMib = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
