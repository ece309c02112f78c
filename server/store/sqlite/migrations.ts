/**
 * The schema's versions in order: version n is what the first n texts make. A published text never changes; a change is a new one.
 * The texts are modules because the server is one bundled file. Used by connection.ts.
 */
import { journalSql } from './001-journal.sql'
import { snapshotsSql } from './002-snapshots.sql'
import { peopleSql } from './003-people.sql'
import { accountsSql } from './004-accounts.sql'
import { decisionsSql } from './005-decisions.sql'
import { bundlesSql } from './006-bundles.sql'
import { lateIndexSql } from './007-late-index.sql'
import { searchSql } from './008-search.sql'
import { decisionGroupsSql } from './009-decision-groups.sql'

export const MIGRATIONS: readonly string[] = [
  journalSql,
  snapshotsSql,
  peopleSql,
  accountsSql,
  decisionsSql,
  bundlesSql,
  lateIndexSql,
  searchSql,
  decisionGroupsSql,
]
