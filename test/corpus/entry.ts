/** One answer of a model as it came, and what must be read in it. */
import type { Fixup } from '../../lib/mas/formats/fixups'
import type { Json, SkillName } from '../../lib/mas/records'

export type CorpusEntry = {
  /** What is wrong with it, or right. */
  fault: string
  skill: SkillName
  text: string
} & (
  | {
      /** The content of the tag that counts. */
      gives: Json
      tag?: string
      also?: { [tag: string]: Json }
      memory?: Json
      fixups?: Fixup[]
    }
  | {
      /** The reason that is shown to the model, letter by letter. */
      refuses: string
    }
)
