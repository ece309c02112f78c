/**
 * From here on a decision's row may be a piece of its group. No table changes; the number tells an older
 * program, which could not read such a row, not to open the folder.
 */
export const decisionGroupsSql = 'select 1'
