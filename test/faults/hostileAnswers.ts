/** What models and tool servers send and no program of ours would, read in this process by the code that the server reads it with. */
import { LONGEST_BLOCK_MS } from '../loopBlocks'
import { readMangled } from '../mangledAnswers'
import { callMangled } from '../mangledResults'
import { demand, type Scenario } from './scenario'

const COUNTS = { short: 2_000, all: 100_000 }

export const hostileAnswers: Scenario = {
  name: 'hostile-answers',
  holds:
    'Each answer of a model and each result of a tool is taken or refused in words; none takes more than 200 ms of the CPU time of the loop (judged in the long form).',
  async run(size, seed) {
    const count = COUNTS[size]
    const { taken, slowest } = readMangled(count, seed)
    const { longestMs } = await callMangled(count, seed)
    for (const ms of [slowest.ms, longestMs])
      demand(size === 'short' || ms <= LONGEST_BLOCK_MS, `one took ${ms} ms of CPU time, seed ${seed}`)
    return {
      'answers of models': count,
      'answers taken, not refused': taken,
      'longest answer, ms of CPU': slowest.ms.toFixed(1),
      'results of tools': count,
      'longest result, ms of CPU': longestMs.toFixed(1),
    }
  },
}
