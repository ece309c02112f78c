/** The private words of the walk, one for each place that holds text. */

/** In every private text: a search for it would find them all. */
export const COMMON = 'heron'
/** The word of each place, and who may read it: all who have the right to, its author (Ana), or the two of a talk (Ben and the reader). */
const words = {
  taskName: 'all',
  intention: 'all',
  stage: 'all',
  part: 'all',
  message: 'all',
  thread: 'all',
  prompt: 'all',
  answer: 'all',
  result: 'all',
  arguments: 'all',
  question: 'all',
  note: 'all',
  fileName: 'all',
  file: 'all',
  archived: 'all',
  south: 'all',
  imported: 'all',
  checkpoint: 'all',
  metadata: 'all',
  streamed: 'all',
  action: 'all',
  workName: 'all',
  workGoal: 'all',
  workPart: 'all',
  workStep: 'all',
  workTalk: 'all',
  workDraft: 'all',
  workQuestion: 'all',
  workResult: 'all',
  workFile: 'all',
  draft: 'author',
  upload: 'author',
  talkMessage: 'two',
  talkStep: 'two',
  talkPrompt: 'two',
  talkAnswer: 'two',
  talkResult: 'two',
  talkNote: 'two',
  talkQuestion: 'two',
} as const satisfies Record<string, 'all' | 'author' | 'two'>
export type HiddenPlace = keyof typeof words
export const PLACES = Object.keys(words) as HiddenPlace[]
export const hiddenWordOf = (place: HiddenPlace): string => `zq${place.toLowerCase()}zq`
export const isForAll = (place: HiddenPlace): boolean => words[place] === 'all'
export const isOfTalk = (place: HiddenPlace): boolean => words[place] === 'two'
export const text = (place: HiddenPlace): string => `${hiddenWordOf(place)} ${COMMON}`

/** The places whose words a text contains, as base64 too. */
export function placesIn(answer: string): HiddenPlace[] {
  const low = answer.toLowerCase()
  return PLACES.filter((place) => low.includes(hiddenWordOf(place)) || answer.includes(encoded(place)))
}
/** Base64 of a word; its last letters depend on what follows and are left out. */
const encoded = (place: HiddenPlace): string => Buffer.from(hiddenWordOf(place)).toString('base64').slice(0, 12)
