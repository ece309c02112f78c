/** The types of the client are those of the routes. */
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { openDouble } from '@/server/gateway/test/gatewayDouble'

const HEAD = '// Made of GET /api/openapi.json by `npm run client-types`.\n'

it('[R900] the types of the client are those of the OpenAPI document of this version', async () => {
  const { json } = await (await openDouble()).call('GET', '/api/openapi.json')
  await expect(HEAD + astToString(await openapiTS(JSON.stringify(json)))).toMatchFileSnapshot('schema.d.ts')
})
