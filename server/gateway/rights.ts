/** What a person may read, as routes ask it (lib/mas/selectors/reach.ts holds the rule). */
export {
  canSeeFile,
  type Reach,
  reachesMessage,
  reachesRequest,
  reachesStep,
  reachOf,
  seesAll,
} from '@/lib/mas/selectors/reach'
