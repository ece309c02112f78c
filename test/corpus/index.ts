/**
 * Answers that models really give, by what is wrong with them: what must be read in each, or why it is refused.
 *
 * Held by server/skills/corpus.test.ts against the tags that each skill asks for.
 */
import { BESIDE } from './beside'
import type { CorpusEntry } from './entry'
import { JSON_FAULTS } from './json'
import { SHAPE_FAULTS } from './shapes'
import { TAG_FAULTS } from './tags'

export type { CorpusEntry } from './entry'

export const CORPUS: readonly CorpusEntry[] = [...TAG_FAULTS, ...JSON_FAULTS, ...SHAPE_FAULTS, ...BESIDE]
