import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describedRoutes, openApi } from './openapi.ts'
import { routeAccess } from './route-access.ts'

interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
}
interface Operation {
  readonly security: object[]
  readonly parameters?: { readonly name: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: { readonly required?: string[] } }> }
  readonly responses: Record<string, object>
}

describe('the description of the API', () => {
  const document = openApi('1.2.3') as Document

  it('contains every route of the API, and none that is not served', () => {
    const served = Object.keys(routeAccess).filter((route) => route.includes(' /api/'))
    assert.deepEqual(Object.keys(describedRoutes).toSorted(), served.toSorted())
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
    )
    assert.deepEqual(described.toSorted(), served.toSorted())
  })

  it('says for each route what it accepts and who may use it', () => {
    const rotate = document.paths['/api/tokens/{id}/rotate']?.['post']
    assert.deepEqual(
      rotate?.parameters?.map(({ name }) => name),
      ['id']
    )
    assert.deepEqual(Object.keys(rotate.responses), ['201', 'default'])
    assert.deepEqual(rotate.security, [{ token: [] }, { session: [] }])
    const signIn = document.paths['/api/session']?.['post']
    assert.deepEqual(signIn?.requestBody?.content['application/json']?.schema.required, ['name', 'password'])
    assert.deepEqual(signIn.security, [])
    const ids = [...JSON.stringify(document).matchAll(/"\$id":"([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(JSON.parse(JSON.stringify(document)).openapi, '3.1.0')
  })
})
