import { CLIENT_CAPABILITIES_META_KEY, type Client, type RequestOptions } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { fieldsIn } from '@/lib/json'

type Method =
  | 'tools/call'
  | 'resources/read'
  | 'prompts/get'
  | 'tools/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'prompts/list'

/** What a server of the stateless revision may ask of us: questions to people. Sampling and roots are deprecated there. */
const STATELESS_CAPABILITIES = { elicitation: { form: {}, url: {} } }

/**
 * One request to a server, in the revision that it speaks.
 *
 * out     its result as it was given: results are read part by part elsewhere; an `input_required` result is returned as one
 * faults  those of the client: ProtocolError (the server's error), SdkError, UnauthorizedError
 */
export function askServer(
  client: Client,
  method: Method,
  params: Record<string, unknown>,
  options: RequestOptions,
): Promise<unknown> {
  const isStateless = client.getProtocolEra() === 'modern'
  const meta = { ...fieldsIn(params._meta), [CLIENT_CAPABILITIES_META_KEY]: STATELESS_CAPABILITIES }
  const request = { method, params: isStateless ? { ...params, _meta: meta } : params }
  return client.request(request, z.unknown(), { ...options, allowInputRequired: true })
}
