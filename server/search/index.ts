/** The exports: the indexer, and the form of its lines. Queries are in server/gateway. */
export { openSearchIndexer } from './indexer'
export { type FoundLine, LINE_KINDS, type LineKind, searchLineOf } from './lines'
