/** A command id counts for its author alone. `by` is null in rows that were written before. */
export const outcomeAuthorSql = 'alter table outcome add column "by" text'
