/** What every store (SQLite, memory) offers, and its contracts. The suites in contract/ hold each implementation to this page. */
import type { QueryPart } from '@/lib/format/searchWords'
import type { Damage } from './errors'

/** An event as the store sees it: JSON. `task`, `step`, `request`, `thread` are indexed; personal texts are kept apart. */
export type StoredEvent = { type: string; v: number } & Record<string, unknown>

/** One line of the journal. `at` is epoch ms of the append, never less than that of the entry before. */
export type StoredEntry = { seq: number; at: number; by: string; cause: string; event: StoredEvent }

/** A refusal, kept as the first outcome of its command so that a repeat gets the same words. */
export type StoredFault = { code: string; data: unknown; message: string }

/** Bytes that a decision made, named by the SHA-256 of the bytes (hex, lower case). */
export type NewBody = { sha: string; bytes: Uint8Array; mime: string }

/** One decision: the events of one command, or its fault, with the bodies that the events name. */
export type BatchItem = {
  /** command id, made by the sender of the command; it counts for its author (`by`) alone */
  id: string
  by: string
  /** epoch ms by the store's clock; past it the command is dead. Absent: it never dies. */
  until?: number
  events: StoredEvent[]
  fault?: StoredFault
  bodies?: NewBody[]
  /** JSON kept with the first outcome */
  reply?: unknown
}

/** What became of a command, the first time. `seq` is the last entry there was when it was decided, null when it was refused. */
export type CommandOutcome = { id: string; seq: number | null; fault?: StoredFault; reply?: unknown; at: number }

/**
 * OK      written and durable; entries first..last (last = first - 1 when the batch held no event)
 * FENCED  the caller's epoch is not the newest; `epoch` is
 * MOVED   the epoch is right and the head is not where the caller believes: it miscounted
 * SORT    ids known already (their first outcome), dead (EXPIRED) or first used by another author (FOREIGN): take them out,
 *         decide the rest again
 */
export type AppendAnswer =
  | { r: 'OK'; first: number; at: number; last: number }
  | { r: 'FENCED'; epoch: number }
  | { r: 'MOVED'; seq: number }
  | { r: 'SORT'; bad: Record<string, Unfit> }

/** Why an item may not be written: its first outcome, dead, or an id that another author used first. */
export type Unfit = CommandOutcome | 'EXPIRED' | 'FOREIGN'

export type JournalHead = { seq: number; at: number; epoch: number }

export interface Journal {
  /** made once, with the journal; never changes */
  readonly id: string
  /**
   * Become the only one who may append.
   *
   * out     epoch + 1, and the seq of the `sequencer.took` entry written here
   * faults  JournalTakenError: another node has the lease
   */
  take(node: string): Promise<{ epoch: number; seq: number }>
  /**
   * Append a batch of decisions: all of it or nothing, durable when the promise resolves.
   *
   * in      the epoch that take() gave; the seq that the caller believes is the last; ids unique within the batch
   * out     AppendAnswer; only OK has written anything. An item with neither event nor fault is fine: its outcome is kept.
   * units   at = max(store's clock, at of the head). decidedAt, epoch ms: when the caller decided, by the same clock; a store
   *         in the caller's process takes it for its clock's time, so that the caller may have foreseen `at`
   * faults  StoreUnansweredError: unknown whether it happened; take again and read on. StoreBrokenError: the same, once it is ok.
   *         TypeError for a batch that breaks the rules above (or a body whose sha is not its own): nothing written, store unharmed.
   */
  append(epoch: number, expectedHead: number, batch: BatchItem[], decidedAt?: number): Promise<AppendAnswer>
  /** Entries with after < seq <= upTo, in order, at most `limit`. */
  read(after: number, limit: number, upTo?: number): Promise<StoredEntry[]>
  /** The first outcome of a command of this author. null: unknown (past its `until`: never), or another author's. */
  outcome(id: string, by: string): Promise<CommandOutcome | null>
  head(): Promise<JournalHead>
  /** Forget outcomes of commands that had an `until`, 24 h after they were decided. out: how many. */
  forgetOutcomes(now: number): Promise<number>
  /**
   * Remove the texts that people or models wrote from these entries, for ever: each reads as an empty text from now on, in the
   * same shape. Entries, their numbers and the journal's hashes stay as they are. What was made from the texts before (snapshots,
   * search, bodies, copies) is not touched.
   *
   * out     how many entries lost a text; one that has none, or lost it before, does not count
   */
  removeTexts(seqs: readonly number[]): Promise<number>
}

/** The journal by what its events name, for what has left the world. Reads entries whose event.task (step, request, thread) is that id. */
export interface Archive {
  entriesOfTask(taskId: string, after: number, limit: number): Promise<StoredEntry[]>
  /** `after` and `limit` default to 0 and 1,000: a step has few entries, yet nothing is unbounded */
  entriesOfStep(stepId: string, after?: number, limit?: number): Promise<StoredEntry[]>
  /** As for a step. Neither a request nor a thread that is older than its index is found. */
  entriesOfRequest(requestId: string, after?: number, limit?: number): Promise<StoredEntry[]>
  entriesOfThread(threadId: string, after: number, limit: number): Promise<StoredEntry[]>
}

export interface Bodies {
  /** Keep bytes outside an append (an upload). out: their sha and size. The same bytes again change nothing; the first mime stays. */
  put(bytes: Uint8Array, mime: string): Promise<{ sha: string; bytes: number }>
  get(sha: string): Promise<{ bytes: Uint8Array; mime: string } | null>
  has(sha: string): Promise<boolean>
  /** Removes those of these bodies not put since `before` (epoch ms): whole or not at all. out: how many. */
  forget(shas: readonly string[], before: number): Promise<number>
  /** Bytes as stored (after compression): bodies, journal entries' JSON, and all of the database on disk. */
  sizes(): Promise<{ bodies: number; journal: number; db: number }>
}

/** A state at `seq`, as reducer version `reducer` sees it. key: 'world' or a task id. */
export type Snapshot = { key: string; seq: number; reducer: number; at: number; data: Uint8Array }
export type SnapshotRow = Omit<Snapshot, 'data'> & { bytes: number }

export interface Snapshots {
  /** Keep it; one with the same key, seq and reducer is replaced. */
  save(snapshot: Snapshot): Promise<void>
  /** The one with the highest seq (not above upTo) of that key and reducer version. */
  newest(key: string, reducer: number, upTo?: number): Promise<Snapshot | null>
  /** Without the data, ordered by key, then newest first. `bytes` as stored. */
  list(key?: string): Promise<SnapshotRow[]>
  /** Keeps per key and reducer: two newest (newest reducer), hourly for a day, daily for 30 days. out: how many were removed. */
  prune(now: number): Promise<number>
}

/** A row of a person's own: draft, read cursor, setting. `other` is what lost the last conflict, until it is dropped. */
export type PersonRow = { key: string; value: unknown; version: number; other?: unknown; at: number }

/** Only the person's own pages write these; JSON values. Versions of a key only grow, also over a removal. */
export interface People {
  get(person: string, key: string): Promise<PersonRow | null>
  list(person: string, prefix: string): Promise<PersonRow[]>
  /**
   * in      expectedVersion: the version the writer saw, null if it saw none
   * out     ok; or the row that was there first, with what was offered now kept as its `other`.
   *         The same value again is ok (a repeat after a lost answer); where the row is gone nothing is in the way: ok.
   */
  put(
    person: string,
    key: string,
    value: unknown,
    expectedVersion: number | null,
  ): Promise<{ ok: true; version: number } | { ok: false; current: PersonRow }>
  /** Without expectedVersion whatever is there; with it only that version. Gone already is ok. */
  remove(
    person: string,
    key: string,
    expectedVersion?: number,
  ): Promise<{ ok: true } | { ok: false; current: PersonRow }>
  /** The person has seen the other draft and does not need it. */
  dropOther(person: string, key: string): Promise<void>
}

export type StoredSession = {
  id: string
  person: string
  agent?: string
  createdAt: number
  lastSeen: number
  expiresAt: number
}

/** Tokens are 256 random bits (base64url); only their SHA-256 is kept. Times are epoch ms by the store's clock. */
export interface Accounts {
  /** hash: argon2id, made by the caller; null takes the password away */
  setPassword(person: string, hash: string | null): Promise<void>
  passwordHash(person: string): Promise<string | null>
  anyPassword(people: string[]): Promise<boolean>
  /** out: the token; this is the only time it is seen */
  startSession(person: string, options: { agent?: string; expiresAt: number }): Promise<string>
  /** The living session of a token. lastSeen is kept to within a minute. */
  session(token: string): Promise<StoredSession | null>
  /** out: was there one to end */
  endSession(tokenOrId: string): Promise<boolean>
  /** out: how many ended */
  endSessionsOf(person: string): Promise<number>
  /** Living ones, newest first. */
  sessionsOf(person: string): Promise<StoredSession[]>
  /** A sign-in link's token, one use, 15 minutes unless said otherwise. A person's earlier links stop working. */
  makeLink(person: string, expiresAt?: number): Promise<string>
  /** out: whose it is, once; null when unknown, used or late */
  useLink(token: string): Promise<string | null>
  /** A key for a model or a tool server that was typed in, encrypted by the caller. The same id again replaces it. */
  keepKey(id: string, sealed: string): Promise<void>
  /** All of them. at: when it was kept, epoch ms */
  keys(): Promise<{ id: string; sealed: string; at: number }[]>
  dropKey(id: string): Promise<void>
  /** Remove sessions and links that are over. out: how many */
  sweep(now: number): Promise<number>
}

/** One entry of the journal that can be found by words: seq is the entry's. */
export type SearchLine = {
  seq: number
  kind: string
  task: string
  text: string
  /** The sender with each receiver. Absent: none. */
  pairs?: readonly IdPair[]
}
/** Two ids, in any order. */
export type IdPair = readonly [string, string]
/** A person or agent who is or was in a task. */
export type SearchMember = { task: string; person: string }
export type SearchQuery = {
  parts: readonly QueryPart[]
  kind: string
  /** Only of these tasks; null: of all. */
  tasks: readonly string[] | null
  /** Only entries before this one. */
  before: number
  limit: number
}

/** The journal by words: numbers of entries and terms, no texts. It can be rebuilt, and is never ahead of the journal. */
export interface SearchIndex {
  /** The last entry that was looked at; 0: none, or it was made by another version of the words and must be made anew. */
  cursor(): Promise<number>
  /**
   * Take in what entries up to `upTo` hold, whole or not at all.
   *
   * in      after: the cursor as the caller knows it
   * out     false: the cursor is another one by now, and nothing was written
   * faults  TypeError: `upTo` is not behind `after`, or ahead of the journal
   */
  add(after: number, upTo: number, lines: readonly SearchLine[], members: readonly SearchMember[]): Promise<boolean>
  /** Numbers of the entries that hold all parts of the query, the newest first. */
  find(wish: SearchQuery): Promise<number[]>
  /** Numbers of the entries before `before` in which one of the two says something to the other, the newest first. */
  between(pair: IdPair, before: number, limit: number): Promise<number[]>
  /** Tasks that a person or agent is or was in. */
  tasksOf(person: string): Promise<string[]>
  /** Forget all of it; the cursor is 0 again. */
  clear(): Promise<void>
}

/**
 * How a node names itself to the others. address: `host:port` where they hand commands over; mark: of the key that all of them have;
 * follows: it never decides
 */
export type NodeSelf = { node: string; address: string | null; mark: string; follows?: boolean }
/** The process that has the lease of a journal. since: when it started, epoch ms. node null: it is no node, such as a move. */
export type LeaseHolder = Omit<NodeSelf, 'node'> & { node: string | null; pid: number; host: string; since: number }

/** Which of several nodes decides. Who has the lease may take the journal; it ends soon after its holder stops answering. */
export interface Lease {
  /**
   * Get it or renew it.
   *
   * in      wants: false: only look, do not take it
   * out     null: this process has it; else who has (null: nobody), and where the journal ends
   */
  hold(wants?: boolean): Promise<{ holder: LeaseHolder | null; seq: number } | null>
  /** Let the next node have it at once. */
  release(): Promise<void>
  /** Called when it is time to look: the journal grew by another node, or the lease may be free or lost. out: stop it. */
  onHint(listener: () => void): () => void
}

/**
 * ok        it can be written
 * refusing  a write failed: every later write is refused, reading goes on, and the store looks every 5 s whether it can write again
 * lost      it will not come back in this process
 */
export type StoreState = { is: 'ok' } | { is: 'refusing' | 'lost'; reason: string }

/** What was looked at, and what of it is not what was written. bodies: 0 when only a part of the journal was asked for. */
export type Verified = { decisions: number; entries: number; bodies: number; damage: Damage[] }

export interface Store {
  /** The store's clock, epoch ms: one for all nodes. */
  now(): number
  state(): StoreState
  /** Called at each change of the state. out: stop it. */
  onState(listener: (state: StoreState) => void): () => void
  readonly journal: Journal
  readonly archive: Archive
  readonly bodies: Bodies
  readonly snapshots: Snapshots
  readonly people: People
  readonly accounts: Accounts
  readonly search: SearchIndex
  /** Absent: no other process can use this store. */
  readonly lease?: Lease
  /**
   * Look through the journal, each hash, text and body, without changing anything; others have turns in between.
   *
   * in      entries from..to; without them all of it, with its end and all bodies
   * out     `damage` in the order of decisions, then of bodies: at most one a decision, one a body
   */
  verify(range?: { from?: number; to?: number }): Promise<Verified>
  /** Make commits to come quicker, beside those that are made meanwhile: once, when a start has nothing better to do. */
  makeRoom(): Promise<void>
  /** Calls after it reject with StoreClosedError. Closing twice is fine. */
  close(): Promise<void>
}

export type StoreOptions = {
  /** epoch ms; the store's clock. Left out: that of the process, of PostgreSQL where the store is there */
  now?: () => number
  /** n random bytes, good enough for secrets */
  random?: (n: number) => Uint8Array
  /** Call once after that many ms. out: stop it. */
  schedule?: (run: () => void, ms: number) => () => void
  /** One of several nodes; left out: the process is alone. The embedded store always is. */
  self?: NodeSelf
}
