/** A decision's row may be a piece of its group. The number keeps older programs from opening the folder. */
export const decisionGroupsSql = 'select 1'
