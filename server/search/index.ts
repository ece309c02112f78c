/** The exports: the indexer, and the form of its lines. Queries are in server/gateway. */
export { type IndexerParts, openSearchIndexer, type SearchIndexer } from './indexer'
export { type FoundLine, LINE_KINDS, type LineKind, searchLineOf } from './lines'
