/** One decision: the events so far, and the world after them. A refusal throws a Fault and discards all of it. */

import { bodyOf, PREVIEW_CHARACTERS, previewOf, shaOf } from '../bodies'
import { type EventShape, type EventType, event, type MasEvent } from '../events'
import {
  type AgentId,
  asId,
  type MakeId,
  type MessageId,
  makeIds,
  type SenderId,
  type StepId,
  type TaskId,
} from '../ids'
import { isAsked } from '../members/traits'
import type { NewEnvelope } from '../outside/records'
import type { BodyRef, DeliveryState, Json, StepResult, World } from '../records'
import { reduceEntry } from '../reduce'
import { type Said, type SentenceData, type SentenceKey, said, sayNames, saySaid } from '../said'
import { selectName } from '../team/agents'
import { sayInLanguage, type WordData, type WordKey } from '../words'
import type { Envelope, NewBody } from './command'

export class DecisionContext {
  private reduced: World
  readonly events: MasEvent[] = []
  readonly bodies: NewBody[]
  /** What came from other systems or went to them. */
  readonly envelopes: NewEnvelope[] = []
  /** Made by the first id: most decisions make none. */
  private makeId: MakeId | null = null
  /** Steps inserted for one agent in this decision: several keep their order. */
  private readonly inserted = new Map<AgentId, number>()

  constructor(
    readonly before: World,
    private readonly envelope: Pick<Envelope, 'id' | 'by' | 'bodies'>,
    /** Server time of the decision, epoch ms. */
    readonly at: number,
  ) {
    this.reduced = before
    this.bodies = [...(envelope.bodies ?? [])]
  }

  id<Id extends string>(): Id {
    // The author is part of the seed, so that no sender can choose record ids by choosing a command id.
    this.makeId ??= makeIds(shaOf(`${this.envelope.by} ${this.envelope.id}`))
    return this.makeId<Id>()
  }

  /** An id of a step: it begins with its position in the journal, so that an index of steps grows at its end. */
  stepId(): StepId {
    const place = this.before.seq + this.events.length + 1
    return asId<StepId>(`${place.toString(16).padStart(8, '0').slice(-8)}${this.id<StepId>().slice(8)}`)
  }

  get by(): string {
    return this.envelope.by
  }

  /** The world after the events so far. */
  get world(): World {
    return this.reduced
  }

  emit<Type extends EventType>(type: Type, shape: EventShape<Type>): void {
    const fact: MasEvent = event(type, shape)
    this.events.push(fact)
    this.reduced = reduceEntry(this.reduced, { event: fact, seq: this.reduced.seq + 1, at: this.at })
  }

  /** An envelope with its outcome, for the log. */
  logEnvelope(envelope: Omit<NewEnvelope, 'id'>): void {
    // After the ids of records: how many envelopes are logged changes none of them.
    this.envelopes.push({ ...envelope, id: shaOf(`${this.envelope.by} ${this.envelope.id} ${this.envelopes.length}`) })
  }

  /** Changes the state of a delivery. What a person does with a message is the state of their request. note: why, for people */
  delivery(task: TaskId, message: MessageId, agent: AgentId, state: DeliveryState, note: string | null = null): void {
    if (!isAsked(this.world, agent) || state === 'shown')
      this.emit('message.delivery', { task, message, agent, state, note })
  }

  /** A sentence in the team's language. */
  say<Key extends WordKey>(key: Key, ...data: WordData<Key>): string {
    return sayInLanguage(this.world.team.language, key, ...data)
  }

  /** A sentence for people: the record that keeps its text keeps this beside it. */
  said<Key extends SentenceKey>(key: Key, ...data: SentenceData<Key>): Said {
    return said(key, ...data)
  }

  /** The text that a record keeps: in the team's language. */
  textOf(text: string | Said): string {
    return typeof text === 'string' ? text : (saySaid(this.world.team.language, text) ?? '')
  }

  name(id: SenderId): string {
    return selectName(this.world, id)
  }

  names(ids: readonly AgentId[]): string {
    return sayNames(this.world.team.language, this.nameList(ids))
  }

  nameList(ids: readonly AgentId[]): string[] {
    return ids.map((id) => this.name(id))
  }

  /** Position of the next inserted step of this agent, counted from the first step not yet run. */
  insertPosition(agent: AgentId): number {
    const position = this.inserted.get(agent) ?? 0
    this.inserted.set(agent, position + 1)
    return position
  }

  body(text: string, mime = 'text/plain'): BodyRef {
    const { body, ref } = bodyOf(text, mime)
    if (!this.bodies.some((old) => old.sha === body.sha)) this.bodies.push(body)
    return ref
  }

  /** A step result with that text: inline when short, else as a body. */
  result(kind: StepResult['kind'], text: string, made: Json = null): StepResult {
    if (text.length <= PREVIEW_CHARACTERS) return { kind, text, body: null, made }
    return { kind, text: previewOf(text), body: { ...this.body(text), preview: '' }, made }
  }
}
