/** What a person may read, as routes ask it (lib/mas/selectors/reach.ts holds the rule). */
export {
  canSeeFile,
  type TaskAccess,
  canReadMessage,
  canReadRequest,
  canReadStep,
  taskAccessOf,
  canSeeAll,
} from '@/lib/mas/selectors/reach'
