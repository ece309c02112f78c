// Pure globals of every host of lib/ (Node 20, browsers): the only names beyond the language that lib/ may use.
interface TextEncoder {
  encode(input?: string): Uint8Array
}
declare const TextEncoder: { new (): TextEncoder }
interface TextDecoder {
  decode(input?: ArrayBuffer | ArrayBufferView): string
}
declare const TextDecoder: { new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder }
interface URL {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly username: string
  readonly password: string
}
declare const URL: { new (url: string, base?: string): URL; canParse(url: string, base?: string): boolean }
declare function structuredClone<T>(value: T): T
declare function atob(data: string): string
declare function btoa(data: string): string
