/** What a person may read. The rule is in lib/mas/selectors/access.ts. */
export {
  canReadMessage,
  canReadRequest,
  canReadStep,
  canReadVersion,
  canSeeAll,
  canSeeFile,
  type TaskAccess,
  taskAccessOf,
} from '@/lib/mas/selectors/access'
