/** The twelve jobs, in the order in which they are run. */
import type { Language } from '@/lib/mas/records'
import type { Job, JobMaker } from '../job'
import { columnTotal, compareLists, missingFile, rejectedStage } from './lists'
import { contradictions, handOver, mustBeRefused, urgentQuestion } from './people'
import { extractAddresses, longDocument, mergeFiles, quotedTags } from './texts'

const MAKERS: readonly JobMaker[] = [
  compareLists,
  columnTotal,
  contradictions,
  urgentQuestion,
  missingFile,
  rejectedStage,
  handOver,
  quotedTags,
  longDocument,
  extractAddresses,
  mergeFiles,
  mustBeRefused,
]

export const jobsIn = (language: Language): Job[] => MAKERS.map((make) => make(language))
