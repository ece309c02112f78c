/** What the tests use of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http'

  type Account = { accountId: string; claims(): Record<string, unknown> }
  type Context = {
    req: IncomingMessage
    res: ServerResponse
    path: string
    oidc: {
      client: { clientId: string }
      session: { accountId: string }
      provider: Provider
      requestParamOIDCScopes: Set<string>
    }
  }
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Client: {
      find(id: string): Promise<{ backchannelLogout(subject: string, session: string): Promise<void> } | undefined>
    }
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    on(event: string, listener: (...values: unknown[]) => void): void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
  export type { Account, Context, Server }
}
