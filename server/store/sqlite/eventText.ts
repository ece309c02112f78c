/**
 * A decision's events as they lie in their row: JSON, deflated when that saves something.
 * What a journal repeats in each row (names of events and fields) is in a dictionary, so that a row holds what is new.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { StoredEvent } from '../interfaces'

/** On disk, named by a blob's first byte: never change it, add another. */
const DICTIONARY = Buffer.from(
  '","by":"reason":"stage.agentStateChanged","state":"working","message.receipt","state":"acknowledged","note":null}' +
    '"message.sent","v":1,"sender":"system:task","receivers":[""],"needReply":false,"waiting":null,"returnWaiting":null,' +
    '"instruction":null,"dispatch":"","answersRequest":null,"replyTo":null,"attachments":[],"mention":false,"fromStep":' +
    '{"type":"step.started","v":1,"task":"","agent":"","step":"","node":"","epoch":1,"attempt":1},' +
    '{"type":"info.shared","v":1,"task":"","agent":"","line":{"role":"","stage":"","content":""}},' +
    '{"type":"step.inserted","v":1,"position":0,' +
    '{"type":"step.added","v":1,"task":"","agent":"","step":"","stage":"","thread":null,"intention":"","kind":"tool",' +
    '"kind":"skill","executor":"","text":"","cause":{"message":null,"step":null},"answers":null,"boundTo":null,' +
    '"retryOf":null,"byHand":false,"last":false}' +
    '{"type":"model.called","v":1,"task":"","agent":"","step":"","call":{"id":"","attempt":1,"model":"","modelVersion":"",' +
    '"prompt":{"sections":[{"name":"system_prompt","role":"system","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
    '{"name":"agent_role","role":"system","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
    '{"name":"current_step/rules","role":"user","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
    '{"name":"history_step","role":"user","body":{"sha":"","bytes":,"preview":"","mime":"application/vnd.convene.history+json"}},' +
    '{"name":"persistent_memory","role":"user","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}}]},' +
    '"answer":{"sha":"","bytes":,"preview":"","mime":"text/plain"},"outcome":"taken","error":null,"promptTokens":null,' +
    '"completionTokens":null,"estimated":true,"costUsd":0,"firstTokenMs":,"totalMs":,"at":}},' +
    '{"type":"step.finished","v":1,"task":"","agent":"","step":"","result":{"kind":"json","kind":"text","text":"",' +
    '"body":null,"body":{"sha":"","bytes":,"preview":"","mime":"text/markdown"},"made":null},"repairs":[]},',
)
const FIRST = 1

/** Below this the names in the dictionary are all that could be saved. */
const WORTH_BYTES = 160
const SMALL_WINDOW = { windowBits: 13, memLevel: 6, level: 5, dictionary: DICTIONARY }

/** in: each event's JSON. out: text, or a blob that begins with the number of its dictionary. */
export function packEvents(events: readonly string[]): string | Uint8Array {
  const json = `[${events.join(',')}]`
  if (json.length < WORTH_BYTES) return json
  const data = deflateRawSync(json, SMALL_WINDOW)
  const blob = new Uint8Array(data.length + 1)
  blob[0] = FIRST
  blob.set(data, 1)
  return blob
}

/** The events of a row; a row that was written one event at a time holds no list. */
export function unpackEvents(kept: string | ArrayBuffer): StoredEvent[] {
  const parsed = JSON.parse(typeof kept === 'string' ? kept : inflated(new Uint8Array(kept)))
  return Array.isArray(parsed) ? parsed : [parsed]
}

function inflated(blob: Uint8Array): string {
  if (blob[0] !== FIRST) throw new Error(`events packed in the form ${blob[0]}, which this program does not know`)
  return inflateRawSync(blob.subarray(1), { dictionary: DICTIONARY }).toString()
}
