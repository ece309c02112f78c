/** What a person may read, as routes ask it (lib/mas/selectors/access.ts holds the rule). */
export {
  canReadMessage,
  canReadRequest,
  canReadStep,
  canSeeAll,
  canSeeFile,
  type TaskAccess,
  taskAccessOf,
} from '@/lib/mas/selectors/access'
