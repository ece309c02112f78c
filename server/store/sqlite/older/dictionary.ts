/** The dictionary of single rows in older files. It never changes. */
export const DICTIONARY = Buffer.from(
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
