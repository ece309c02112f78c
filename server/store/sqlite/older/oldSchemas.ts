/** The schemas of older files: version n is what the first n texts make. They never change. */
import { journalSql } from './001-journal.sql'
import { snapshotsSql } from './002-snapshots.sql'
import { peopleSql } from './003-people.sql'
import { accountsSql } from './004-accounts.sql'
import { decisionsSql } from './005-decisions.sql'
import { bundlesSql } from './006-bundles.sql'
import { lateIndexSql } from './007-late-index.sql'
import { searchSql } from './008-search.sql'
import { decisionGroupsSql } from './009-decision-groups.sql'
import { outcomeAuthorSql } from './010-outcome-author.sql'

export const OLD_SCHEMAS: readonly string[] = [
  journalSql,
  snapshotsSql,
  peopleSql,
  accountsSql,
  decisionsSql,
  bundlesSql,
  lateIndexSql,
  searchSql,
  decisionGroupsSql,
  outcomeAuthorSql,
]
