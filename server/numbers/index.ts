/** The exports: recounting, and the numbers that the page shows. */
export { countersOfErased } from './erasedCounters'
export { numbersOf, recentActivity } from './numbers'
export { countersToDays, openRecount } from './recount'
