/** What is said on the terminal while Convene starts and runs; the programs beside it use the same two ways to it. */
import { shownText } from '@/lib/format/hiddenSigns'
import type { ClockState, StoreState } from './store'

/** A terminal obeys control characters, so those of names and of words from outside are shown as codes. */
const shown = (lines: readonly string[]): string => lines.map((line) => `${shownText(line)}\n`).join('')

export function print(...lines: string[]): void {
  process.stdout.write(shown(lines))
}

/** To stderr: why something failed. */
export function printTrouble(...lines: string[]): void {
  process.stderr.write(shown(lines))
}

type Started = {
  url: string
  /** For the first sign-in; null when no one needs it. */
  link: { name: string; url: string } | null
  isRehearsal: boolean
  /** Steps that the last stop interrupted. */
  recovered: number
  workspace: string
  data: string
  log: string
}

export function printStarted({ url, link, isRehearsal, recovered, workspace, data, log }: Started): void {
  print('')
  print(`Convene is at ${url}`)
  if (link) print(`Sign in as ${link.name} (one use, 15 minutes): ${link.url}`)
  if (isRehearsal) print('No model is configured: a built-in program plays the agents (the rehearsal).')
  if (recovered > 0) print(`${recovered} steps that were running at the last stop go on.`)
  print(`Workspace, the files that agents may read: ${workspace}`)
  print(`Data: ${data}, log: ${log}`)
  print('Stop with Ctrl+C.')
}

export function printClock({ is, offsetMs }: ClockState): void {
  const by = `${Math.round(Math.abs(offsetMs) / 1_000)} s`
  if (is === 'right') print('The clock of this machine is right again.')
  else if (is === 'ahead')
    print(
      `The journal is ${by} ahead of the clock, which was ahead before or is behind now. Its time continues from there.`,
    )
  else
    print(
      `The clock jumped forward by ${by} and is not believed: the time continues as before. Set the clock, or, if it is right, restart once with CONVENE_TRUST_CLOCK=1.`,
    )
}

export function printStoreState(state: StoreState): void {
  if (state.is === 'ok') print('The store can be written again: commands are accepted.')
  else if (state.is === 'refusing')
    print(`The store cannot be written, commands are refused until it can: ${state.reason}`)
  else print(`The store is lost, Convene stops: ${state.reason}`)
}
