/** The name of a step on screens. */
import type { Language, StepRecord } from '../records'
import { callInWords } from './callWords'

/** A word of small letters alone: no path, id or name that is written otherwise. */
const PLAIN_WORD = /^\p{Ll}+(?=$|[\s,:;–—-]\s?)/u

/**
 * One rule for what engine, models and calls write: a name begins with a capital letter, unless its first word is a path, an id or a
 * name of a tool.
 *
 * in      the language of the team
 * out     of a call of a tool what it does and what it is about; else the intention, or the executor where there is none
 */
export function stepTitle({ type, instruction = null, intention, executor }: TitledStep, language: Language): string {
  const call = type === 'tool' && instruction ? callInWords(instruction, language) : null
  return (call || intention || executor).replace(PLAIN_WORD, (word) => word.charAt(0).toUpperCase() + word.slice(1))
}

type TitledStep = Pick<StepRecord, 'intention' | 'executor'> & Partial<Pick<StepRecord, 'type' | 'instruction'>>
