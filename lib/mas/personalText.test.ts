/** A text that people or models wrote lies beside the row of its event, also in a field that is added to an event later. */
import { expect, it } from 'vitest'
import type { EventShape, EventType } from './events'
import type { PersonalPlace } from './personalText'

/** Pointers to the strings of T that may hold anything: no ids, no words of a list. Nothing is looked for below those that are known. */
type Strings<T, Known extends string, At extends string = ''> = At extends Known
  ? never
  : unknown extends T
    ? At
    : T extends string
      ? string extends T
        ? At
        : never
      : T extends number | boolean | null | undefined
        ? never
        : T extends readonly (infer One)[]
          ? Strings<One, Known, `${At}/*`>
          : {
              [Name in keyof T & string]-?: Strings<
                Exclude<T[Name], undefined>,
                Known,
                `${At}/${Record<never, 1> extends Record<Name, 1> ? '*' : Name}`
              >
            }[keyof T & string]

/** Strings by which the program finds something, of every event. */
type Technical = `${string}/${'sha' | 'mime' | 'node' | 'fingerprint' | 'digest'}`

/** Strings that are no personal text: names of the configuration, keys and ids of programs. */
type NotPersonal = {
  'agent.created': '/config/model' | '/config/skills/*' | '/config/tools/*'
  'agent.changed': '/config/model' | '/config/skills/*' | '/config/tools/*'
  'budget.extended': '/key'
  'budget.lifted': '/key'
  'budget.reached': '/key'
  'budget.warned': '/limit'
  'checkpoint.reported': '/checkpoint' | '/session'
  'config.applied': '/team/model' | '/team/models/*' | '/team/toolsAllowed/*'
  'conversation.named': '/shared'
  'conversation.opened': '/shared'
  'effect.finished': '/key'
  'effect.started': '/key'
  'envelope.answered': '/theirs' | '/verdict'
  'envelope.received': '/content' | '/theirs' | '/verdict'
  'envelope.sent': '/content' | '/theirs'
  'memory.added': '/note/key'
  'memory.removed': '/key'
  'message.sent': '/cited/at/*/id' | '/dispatch'
  'model.called': '/call/id' | '/call/model' | '/call/modelVersion'
  'notice.given': '/notice/id'
  'operator.acted': '/act' | '/on'
  'peer.added':
    | '/config/actions/*'
    | '/config/baseUrl'
    | '/config/uri'
    | `/config/made/${'keySha' | 'sendKeyEnv' | 'signingKeyEnv'}`
  'request.opened': `/seed/${'call' | 'tool'}/${'server' | 'tool'}`
  'schedule.saved': '/cron' | '/timeZone'
  'setup.changed': '/entry/id'
  'setup.read': '/entry/id'
  'step.added': '/executor'
  'step.inserted': '/executor'
  'step.instructed': '/instruction/name'
  'task.toolRuled': '/server' | '/tool'
}

type Known<Type extends EventType> =
  | PersonalPlace<Type>
  | Technical
  | (Type extends keyof NotPersonal ? NotPersonal[Type] : never)
type Undeclared = { [Type in EventType]: `${Type} ${Strings<EventShape<Type>, Known<Type>>}` }[EventType]

it('[R165] every string of an event is declared as a personal text, or above as none', () => {
  // A name that is missing here is a new text of an event: it belongs into PERSONAL_TEXT.
  const undeclared: Record<Undeclared, 'declare it in PERSONAL_TEXT'> = {}
  expect(undeclared).toEqual({})
})
