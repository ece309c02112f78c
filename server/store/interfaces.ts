/** The contract of every store (SQLite, PostgreSQL, memory). The suites in test/storeContract check each implementation. */
import type { QueryPart } from '@/lib/format/searchWords'
import type { CounterFigures, CounterKey, CounterRow } from '@/lib/mas/limits/counters'
import type { EnvelopeRecord, NewEnvelope } from '@/lib/mas/outside/records'
import type { Schedule } from '../shared/later'
import type { Damage } from './errors'
import type { StepChange, StepIndex } from './stepIndex'

/** An event as the store sees it: JSON. `task`, `step`, `request`, `thread` are indexed. */
export type StoredEvent = { type: string; v: number } & Record<string, unknown>

/** One entry of the journal. `at` is epoch ms of the append, never less than that of the previous entry. */
export type StoredEntry = { seq: number; at: number; by: string; cause: string; event: StoredEvent }

/** A refusal, stored as the first outcome of its command so that a repeat gets the same message. */
export type StoredFault = { code: string; data: unknown; message: string }

/** Bytes that a decision created, identified by their SHA-256 (hex, lower case). */
export type NewBody = { sha: string; bytes: Uint8Array; mime: string }

/** One decision: the events of one command, or its fault, with the bodies that the events refer to. */
export type BatchItem = {
  /** command id, made by the sender of the command; scoped to its author (`by`) */
  id: string
  by: string
  /** epoch ms by the store's clock; the command expires then. Absent: never. */
  until?: number
  /** The id of the session in which a person made it (StoredSession), null: in none. Absent: it is not a person's. */
  session?: string | null
  events: StoredEvent[]
  fault?: StoredFault
  bodies?: NewBody[]
  /** What is counted of its events; see Counters. */
  counters?: CounterRow[]
  /** What it took of other systems, or sent to them; see Envelopes. */
  envelopes?: readonly NewEnvelope[]
  /** JSON stored with the first outcome */
  reply?: unknown
}

/** The first outcome of a command. `seq` is the last entry at the time of the decision, null if it was refused. */
export type CommandOutcome = { id: string; seq: number | null; fault?: StoredFault; reply?: unknown; at: number }

/**
 * OK      written and durable; entries first..last (last = first - 1 if the batch has no event)
 * FENCED  the caller's epoch is not the newest, which is `epoch`
 * MOVED   the epoch is correct, but the head is not the one that the caller expects
 * SORT    ids that are known (their first outcome), expired (EXPIRED) or first used by another author (FOREIGN): remove them
 *         and decide the rest again
 */
export type AppendAnswer =
  | { r: 'OK'; first: number; at: number; last: number }
  | { r: 'FENCED'; epoch: number }
  | { r: 'MOVED'; seq: number }
  | { r: 'SORT'; bad: Record<string, Unfit> }

/** Why an item cannot be written: its first outcome, expired, or an id that another author used first. */
export type Unfit = CommandOutcome | 'EXPIRED' | 'FOREIGN'

export type JournalHead = { seq: number; at: number; epoch: number }

export interface Journal {
  /** created with the journal; never changes */
  readonly id: string
  /**
   * Become the only appender.
   *
   * out     epoch + 1, and the seq of the `sequencer.took` entry written here
   * faults  JournalTakenError: another node has the lease
   */
  take(node: string): Promise<{ epoch: number; seq: number }>
  /**
   * Append a batch of decisions: all of it or nothing, durable when the promise resolves.
   *
   * in      the epoch that take() gave; the seq that the caller believes is the last; ids unique within the batch
   * out     AppendAnswer; only OK has written anything. An item may have neither event nor fault: its outcome is stored.
   * units   at = max(store's clock, at of the head). decidedAt, epoch ms: when the caller decided, by the same clock; a store
   *         in the caller's process uses it as the time, so that the caller knows `at` in advance
   * faults  StoreUnansweredError: unknown whether it happened; take again and read on. StoreBrokenError: the same, once it is ok.
   *         TypeError for a batch that breaks the rules above, or a body with a wrong sha: nothing written, the store is not broken.
   */
  append(epoch: number, expectedHead: number, batch: BatchItem[], decidedAt?: number): Promise<AppendAnswer>
  /** Entries with after < seq <= upTo, in order, at most `limit`. */
  read(after: number, limit: number, upTo?: number): Promise<StoredEntry[]>
  /** The first outcome of a command of this author. null: unknown (after its `until`: never), or of another author. */
  outcome(id: string, by: string): Promise<CommandOutcome | null>
  head(): Promise<JournalHead>
  /** The hash of the decision that ends with this entry, in hex, which covers all before it. null: none ends there. */
  hashAt(seq: number): Promise<string | null>
  /** Delete outcomes of commands with an `until`, 24 h after their decision. out: how many. */
  forgetOutcomes(now: number): Promise<number>
  /**
   * Empty the entries of an erased task, in slices, the first of them last; then nothing is left of them in the search index,
   * which is empty and filled anew. Their hashes stay, so the decisions stay chained. May be repeated.
   *
   * out     how many were emptied: read from then on as `entry.erased {by}`
   */
  erase(erased: ErasedEntries): Promise<number>
}

/** Entries from..to whose event.task is this one, and notes made in it. by: the number of the entry that erased it, after them */
export type ErasedEntries = { task: string; from: number; to: number; by: number }

/** The ids in events by which entries are found. */
export type PlaceKey = 'task' | 'step' | 'request' | 'thread'

/** Entries by the ids in their events, for records that have left the world. */
export interface Archive {
  /**
   * Entries whose event.task (step, request, thread) is that id, with seq > after (default: 0), at most `limit` (default: 1,000).
   */
  entriesOf(key: PlaceKey, id: string, after?: number, limit?: number): Promise<StoredEntry[]>
}

/** What people did. */
export interface Acts {
  /** Entries of people that fit, the newest first, from the next `look` decisions of people before `before`. */
  acts(wish: ActsWish): Promise<ActsFound>
}

/** before: the number of an entry; from: epoch ms, included; to: epoch ms, not included; null: all */
export type ActsWish = {
  before: number
  look: number
  from: number | null
  to: number | null
  by: readonly string[] | null
  types: readonly string[] | null
  task: string | null
}
/** An entry of a person's decision. last: of the decision; session: in which it was made, null: in none, or not recorded */
export type ActEntry = StoredEntry & { last: number; session: string | null }
/** next: `before` of the decisions that follow; null: there are none, or they are older than `from` */
export type ActsFound = { acts: ActEntry[]; next: number | null }

export interface Bodies {
  /** Store bytes outside an append (an upload). out: their sha and size. The same bytes again change nothing; the first mime stays. */
  put(bytes: Uint8Array, mime: string): Promise<{ sha: string; bytes: number }>
  get(sha: string): Promise<{ bytes: Uint8Array; mime: string } | null>
  /** Deletes those of these bodies that were not stored since `before` (epoch ms). out: how many. */
  forget(shas: readonly string[], before: number): Promise<number>
}

/** A state at `seq`, as reducer version `reducer` sees it. key: 'world' or a task id. */
export type Snapshot = { key: string; seq: number; reducer: number; at: number; data: Uint8Array }
export type SnapshotRow = Omit<Snapshot, 'data'>

export interface Snapshots {
  /** Store it; one with the same key, seq and reducer is replaced. */
  save(snapshot: Snapshot): Promise<void>
  /** The one with the highest seq (not above upTo) of that key and reducer version. */
  newest(key: string, reducer: number, upTo?: number): Promise<Snapshot | null>
  /** Without the data, ordered by key, then newest first. */
  list(key?: string): Promise<SnapshotRow[]>
  /** Delete those of this key with seq < before, of any reducer version. out: how many */
  remove(key: string, before: number): Promise<number>
  /**
   * Keeps per key and reducer: two newest (newest reducer), hourly for a day, daily for 30 days; of a `momentKey` all of the newest
   * reducer of all keys. out: how many were removed
   */
  prune(now: number): Promise<number>
}

/** A personal row: draft, read cursor, setting. `other` is the value that lost the last conflict, until it is dropped. */
export type PersonRow = { key: string; value: unknown; version: number; other?: unknown; at: number }

/** JSON values that only the person's own pages write. Versions of a key only increase, also after a removal. */
export interface People {
  get(person: string, key: string): Promise<PersonRow | null>
  list(person: string, prefix: string): Promise<PersonRow[]>
  /**
   * in      expectedVersion: the version that the writer saw, null if none
   * out     ok; or the existing row, with the new value stored as its `other`.
   *         The same value again is ok (a repeat after a lost answer), and so is a write to a removed row.
   */
  put(
    person: string,
    key: string,
    value: unknown,
    expectedVersion: number | null,
  ): Promise<{ ok: true; version: number } | { ok: false; current: PersonRow }>
  /** With expectedVersion only that version. A missing row is ok. */
  remove(
    person: string,
    key: string,
    expectedVersion?: number,
  ): Promise<{ ok: true } | { ok: false; current: PersonRow }>
  /** The person discards the other draft. */
  dropOther(person: string, key: string): Promise<void>
}

/** name: given by the person. scopes: what it may be used for, as the caller wrote it */
export type StoredToken = { name: string; scopes: readonly string[] }

/** token: present where a program uses it, as a personal access token; absent: of a browser */
export type StoredSession = {
  id: string
  person: string
  agent?: string
  token?: StoredToken
  createdAt: number
  lastSeen: number
  expiresAt: number
}

/** From where a session was begun. token: the name of a personal access token; endedAt: absent while it is open */
export type SessionOrigin = {
  id: string
  person: string
  agent?: string
  address?: string
  token?: string
  createdAt: number
  endedAt?: number
}

/** Tokens are 256 random bits (base64url); only their SHA-256 is stored. Times are epoch ms by the store's clock. */
export interface Accounts {
  /** hash: argon2id, made by the caller; null removes the password */
  setPassword(person: string, hash: string | null): Promise<void>
  passwordHash(person: string): Promise<string | null>
  anyPassword(people: string[]): Promise<boolean>
  /** out: the token, which is returned only here */
  startSession(
    person: string,
    options: { agent?: string; address?: string; token?: StoredToken; expiresAt: number },
  ): Promise<string>
  /**
   * The open session of a token: not expired, and that of a browser used within SESSION_IDLE_MS. lastSeen is exact to a minute; of a
   * personal access token that was never used it is createdAt.
   */
  session(token: string): Promise<StoredSession | null>
  /** out: whether there was one */
  endSession(tokenOrId: string): Promise<boolean>
  /** out: how many ended */
  endSessionsOf(person: string): Promise<number>
  /** Open ones, newest first. */
  sessionsOf(person: string): Promise<StoredSession[]>
  /** From where these sessions were begun, in any order: of open ones, and for 90 days of ended ones. */
  originsOf(sessions: readonly string[]): Promise<SessionOrigin[]>
  /** From where ended sessions of a person were begun, for 90 days after their end; the one that began last first. */
  endedOf(person: string): Promise<SessionOrigin[]>
  /** Pending sign-in links of the person become invalid. */
  endLinks(person: string): Promise<void>
  /** The token of a sign-in link: one use, 15 minutes by default. Earlier links of the person become invalid. */
  makeLink(person: string, expiresAt?: number): Promise<string>
  /** out: the person, once; null if the link is unknown, used or expired */
  useLink(token: string): Promise<string | null>
  /** An entered key for a model or a tool server, encrypted by the caller. The same id again replaces it. */
  keepKey(id: string, sealed: string): Promise<void>
  /** at: when it was stored, epoch ms */
  keys(): Promise<{ id: string; sealed: string; at: number }[]>
  dropKey(id: string): Promise<void>
  /** Remove expired sessions and links, and origins of sessions that ended 90 days ago. out: how many sessions and links */
  sweep(now: number): Promise<number>
}

/** One searchable entry of the journal. */
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
  /** Only these tasks; null: all. */
  tasks: readonly string[] | null
  /** Only entries before this one. */
  before: number
  limit: number
}

/** The search index: numbers of entries, terms, and steps (StepIndex), no texts. It can be rebuilt, and is never ahead of the journal. */
export interface SearchIndex {
  /** The last indexed entry; 0: none, or the index has another version and must be rebuilt. */
  cursor(): Promise<number>
  /**
   * Index the entries up to `upTo`, as a whole or not at all.
   *
   * in      after: the cursor as the caller knows it; steps: in the order of their entries
   * out     false: the cursor has changed, and nothing was written
   * faults  TypeError: `upTo` is not behind `after`, or ahead of the journal; a line or a step is of another entry
   */
  add(
    after: number,
    upTo: number,
    lines: readonly SearchLine[],
    members: readonly SearchMember[],
    steps: readonly StepChange[],
  ): Promise<boolean>
  /** Numbers of the entries that match all parts of the query, the newest first. */
  find(wish: SearchQuery): Promise<number[]>
  /** Numbers of the entries before `before` with a message between the two, the newest first. */
  between(pair: IdPair, before: number, limit: number): Promise<number[]>
  /** Tasks that a person or agent is or was in. */
  tasksOf(person: string): Promise<string[]>
  /** Delete the index; the cursor is 0 again. */
  clear(): Promise<void>
}

/** The sum of several counter rows, with the keys by which they were grouped. groups: how many there are, given or not */
export type CounterSum = CounterFigures & Partial<CounterKey> & { groups: number }
/** use: the highest cost first, then tokens, then steps; wait: the longest wait first, without rows in which none ended */
export type CounterOrder = { by: 'use' | 'wait'; most: number }
/** activeTasks: in which a step ended; waitingTasks: in which a wait ended */
export type CounterSpan = CounterFigures & { place: number; activeTasks: number; waitingTasks: number }
/** tasks: only these; null: all */
export type CounterFilter = { tasks: readonly string[] | null; task?: string; agent?: string; model?: string }
/** Rows with from <= hour < to (hours since the epoch, UTC). */
export type CounterWish = CounterFilter & { from: number; to: number }

/**
 * Counters of the journal (lib/mas/limits/counters.ts), by hour, task, member and model. An append adds those of its items in its own
 * transaction, once the cursor is at its head; until then, and after a change of what is counted, they are recounted from the
 * journal with `add`.
 */
export interface Counters {
  /** The last counted entry; 0: none, or they have another version and must be recounted. */
  cursor(): Promise<number>
  /**
   * Add those of the entries up to `upTo`, as a whole or not at all; after 0 all older counters go.
   *
   * in      after: the cursor as the caller knows it
   * out     false: the cursor has changed, and nothing was written
   * faults  TypeError: `upTo` is not behind `after`, or ahead of the journal
   */
  add(after: number, upTo: number, rows: readonly CounterRow[]): Promise<boolean>
  /** Rows that do not exist are absent. in: first: only so many, in that order; absent: all, in no order */
  sum(by: readonly (keyof CounterKey)[], wish: CounterWish, first?: CounterOrder): Promise<CounterSum[]>
  /** The sum of each of these spans of hours (from <= hour < to), by its place in the list; those without any row are absent. */
  spans(spans: readonly (readonly [from: number, to: number])[], wish: CounterFilter): Promise<CounterSpan[]>
  /** Hours before `before` of the oldest day that has some become one row for the day (UTC). out: how many rows went; 0: none is left */
  toDays(before: number): Promise<number>
}

/** All must fit. verdictsLeft: not those with one of these */
export type EnvelopeFilter = Partial<
  Record<'peer' | 'outsider' | 'task' | 'conversation' | 'message', string> & { verdictsLeft: readonly string[] }
>

/** The log of envelopes from and to other systems: rows are added, and go with their task. An append adds those of its items. */
export interface Envelopes {
  /** Add one about which nothing is decided, such as a refused one. The same id again changes nothing. */
  add(envelope: NewEnvelope): Promise<void>
  /** Those that fit, the newest first. in: before: a number; absent: from the newest. out: total: how many fit, on all pages */
  page(
    filter: EnvelopeFilter,
    page: { before?: number; limit: number },
  ): Promise<{ envelopes: EnvelopeRecord[]; total: number }>
  get(number: number): Promise<EnvelopeRecord | null>
  /** The bodies that envelopes of this task name. */
  bodiesOf(task: string): Promise<string[]>
  /** The tasks of the envelopes that name this body; null: of none. */
  tasksNaming(body: string): Promise<(string | null)[]>
  /** Delete those of a task. out: how many */
  erase(task: string): Promise<number>
}

/**
 * How a node identifies itself. address: `host:port` to which the others forward commands; mark: derived from the shared key;
 * follows: it never decides
 */
export type NodeSelf = { node: string; address: string | null; mark: string; follows?: boolean }
/** The process that has the lease of a journal. since: when it started, epoch ms. node null: not a node, such as a move. */
export type LeaseHolder = Omit<NodeSelf, 'node'> & { node: string | null; pid: number; host: string; since: number }

/** The right to decide, for one of several nodes. Its holder may take the journal; it expires soon after the holder stops answering. */
export interface Lease {
  /**
   * Get it or renew it.
   *
   * in      wants: false: only look, do not take it
   * out     null: this process has it; else its holder (null: none), and the end of the journal
   */
  hold(wants?: boolean): Promise<{ holder: LeaseHolder | null; seq: number } | null>
  /** Let the next node have it at once. */
  release(): Promise<void>
  /** Called when another node appended to the journal, or when the lease may be free or lost. out: stop it. */
  onChange(listener: () => void): () => void
}

/**
 * ok        writing works
 * refusing  a write failed: every later write is refused, reading works, and writing is tried again regularly
 * lost      writing will not work again in this process
 */
export type StoreState = { is: 'ok' } | { is: 'refusing' | 'lost'; reason: string }

/** The checked data, and the damage found. bodies: 0 if only a part of the journal was checked. */
export type Verified = { decisions: number; entries: number; bodies: number; damage: Damage[] }

/** offsetMs: the time minus that of the machine (with PostgreSQL: of the database). `is`: see shared/journalClock.ts. */
export type ClockState = { is: 'right' | 'ahead' | 'jumped'; offsetMs: number }

/** One clock for the whole server, and with PostgreSQL for all nodes. */
export interface Clock {
  /** Epoch ms; never goes back. */
  now(): number
  state(): ClockState
  /** Called when `is` changes. out: stop it */
  onState(listener: (state: ClockState) => void): () => void
  /** The time that other systems have, epoch ms: for times that they check or that they send. */
  outside(): number
  /** in: a time by the clock of a client, or of a page, which follows this one; epoch ms. out: by this clock */
  fromOutside(at: number): number
}

export interface Store {
  /** The same as clock.now. */
  now(): number
  readonly clock: Clock
  state(): StoreState
  /** Called at each change of the state. out: stop it. */
  onState(listener: (state: StoreState) => void): () => void
  readonly journal: Journal
  readonly archive: Archive & Acts
  readonly bodies: Bodies
  readonly snapshots: Snapshots
  readonly people: People
  readonly accounts: Accounts
  readonly search: SearchIndex
  readonly steps: StepIndex
  readonly counters: Counters
  readonly envelopes: Envelopes
  /** Absent: no other process can use this store. */
  readonly lease?: Lease
  /**
   * Check the journal, each hash and body, without changing anything; it yields to other work.
   *
   * in      entries from..to; default: all, with the head and all bodies
   * out     `damage` in the order of decisions, then of bodies: at most one per decision and per body
   */
  verify(range?: { from?: number; to?: number }): Promise<Verified>
  /** Later calls reject with StoreClosedError. Closing twice is allowed. */
  close(): Promise<void>
}

export type StoreOptions = {
  /** epoch ms; the store's clock. Default: the clock of the process, or of PostgreSQL */
  now?: () => number
  /** Elapsed ms of this machine (shared/elapsed.ts). Default with `now`: unknown; without: of this machine */
  elapsed?: (exactly: boolean) => number
  /** SQLite: what the time must be, by what this machine knows; epoch ms. Default: unknown, its clock is believed. */
  expected?: number | undefined
  /** n cryptographically random bytes */
  random?: (n: number) => Uint8Array
  schedule?: Schedule
  /** For one of several nodes. Default: this process uses the store exclusively, as with the embedded store. */
  self?: NodeSelf
}
