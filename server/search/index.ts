/** The exports: filling the search from the journal, and what a found entry is. Finding for a person is the gateway's. */
export { type IndexerParts, openSearchIndexer, type SearchIndexer } from './indexer'
export { type FoundLine, LINE_KINDS, type LineKind, searchLineOf } from './lines'
