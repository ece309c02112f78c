/** The arguments of `npm run eval`. */
import { parseArgs } from 'node:util'
import { LANGUAGES } from '@/lib/language'

export type EvalArguments = ReturnType<typeof readEvalArguments>

export class EvalArgumentsError extends Error {}

const USAGE = `npm run eval -- [--model name] [--config file] [--lang en|zh] [--jobs a,b]
    [--loop] [--record folder | --play folder] [--out file]
  npm run eval -- --compare one.json other.json`

/**
 * in      the arguments after `npm run eval --`
 * out     to run: the configured name of the model (null: the rehearsal), the configuration file (null: the one that the server
 *         reads), the languages, the jobs (null: all), the file for the result, and whether a plain loop does them too
 * faults  EvalArgumentsError with a sentence and the usage
 */
export function readEvalArguments(words: readonly string[], known: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        model: { type: 'string' },
        config: { type: 'string' },
        lang: { type: 'string' },
        jobs: { type: 'string' },
        record: { type: 'string' },
        play: { type: 'string' },
        out: { type: 'string' },
        loop: { type: 'boolean' },
        compare: { type: 'boolean' },
      },
    })
    if (values.compare) {
      const [one, other, third] = positionals
      if (one === undefined || other === undefined || third !== undefined)
        throw new EvalArgumentsError('--compare takes two files')
      return { act: 'compare' as const, files: [one, other] as const }
    }
    if (positionals.length > 0) throw new EvalArgumentsError(`${positionals.join(' ')}: not understood`)
    if (values.record !== undefined && values.play !== undefined)
      throw new EvalArgumentsError('--record or --play, not both')
    if (values.play !== undefined && values.model !== undefined) throw new EvalArgumentsError('--play needs no --model')
    if (values.loop && values.model === undefined)
      throw new EvalArgumentsError('--loop needs --model: the rehearsal and recordings know no tools')
    const languages = LANGUAGES.filter((one) => values.lang === undefined || values.lang === one)
    if (languages.length === 0) throw new EvalArgumentsError(`--lang takes ${LANGUAGES.join(' or ')}`)
    const jobs = values.jobs?.split(',').map((one) => one.trim()) ?? null
    const unknown = jobs?.filter((one) => !known.includes(one)) ?? []
    if (unknown.length > 0) throw new EvalArgumentsError(`no job ${unknown.join(', ')}; there are ${known.join(', ')}`)
    const { model = null, config = null, record = null, play = null, out = null, loop = false } = values
    return { act: 'run' as const, model, config, languages, jobs, record, play, out, loop }
  } catch (error) {
    throw new EvalArgumentsError(`${error instanceof Error ? error.message : String(error)}\n  ${USAGE}`)
  }
}
